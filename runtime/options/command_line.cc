#include "runtime/options/command_line.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <map>
#include <utility>

#include "runtime/process/status_detail.h"
#include "runtime/terminal/nearest_name.h"

namespace trawl {

using arrow::Result;
using arrow::Status;
namespace po = boost::program_options;

namespace {

constexpr char kNo[] = "no_";

// The options that a name on the command line can stand for.
struct Meaning {
  std::vector<const OptionSpec*> options;  // one, unless the name is a bare noun of several
  bool is_negation = false;
};

// Every name that stands for an option, without dashes.
using Spellings = std::map<std::string, Meaning>;

void AddNegation(const std::string& name, const OptionSpec& spec, Spellings* spellings) {
  if (spec.type.kind == OptionKind::kBool) spellings->try_emplace(name, Meaning{{&spec}, true});
}

std::string NegatedFullName(const OptionSpec& spec) {
  return spec.name.substr(0, spec.name.size() - spec.noun.size()) + kNo + spec.noun;
}

Spellings CollectSpellings(const OptionGroups& groups) {
  Spellings spellings, nouns;
  for (const AnyOptionGroup* group : groups) {
    for (const OptionSpec& spec : group->options()) {
      spellings[spec.name] = Meaning{{&spec}, false};
      if (spec.noun != spec.name) nouns[spec.noun].options.push_back(&spec);
    }
  }
  // Full names come first; bare nouns and then negations take the names that are still free.
  for (const auto& [noun, meaning] : nouns) spellings.try_emplace(noun, meaning);
  const Spellings plain = spellings;
  for (const auto& [name, meaning] : plain) {
    if (meaning.options.size() != 1) continue;
    const OptionSpec& spec = *meaning.options.front();
    AddNegation(name == spec.name ? NegatedFullName(spec) : kNo + name, spec, &spellings);
  }
  return spellings;
}

po::options_description Describe(const Spellings& spellings) {
  po::options_description description;
  for (const auto& [name, meaning] : spellings) description.add_options()(name.c_str(), po::value<std::string>(), "");
  return description;
}

bool StartsWith(const std::string& text, std::string_view start) { return text.compare(0, start.size(), start) == 0; }

// Short for --output, and three forms that Boost reads differently: a flag without a value (it would take the next argument for the value),
// `--name=` for an empty value (it refuses that), and `--=x` (it makes x a positional argument).
class SpecialForms {
 public:
  explicit SpecialForms(const Spellings& spellings) : spellings_(spellings) {}

  std::vector<po::option> operator()(std::vector<std::string>& tokens) const {
    if (tokens.front() == kShortOutput && spellings_.contains("output")) tokens.front() = "--output";
    const std::string token = tokens.front();
    if (!StartsWith(token, "--") || token == "--") return {};
    const size_t equals = token.find('=');
    const std::string name = token.substr(2, equals == std::string::npos ? equals : equals - 2);
    po::option option;
    if (name.empty()) {
      option.string_key = token.substr(2);
      option.unregistered = true;
    } else if (equals == token.size() - 1) {
      option.string_key = name;
      option.value = {""};
    } else if (equals == std::string::npos && IsFlag(name)) {
      option.string_key = name;
      option.value = {"true"};
    } else {
      return {};
    }
    option.original_tokens = {token};
    tokens.erase(tokens.begin());
    return {option};
  }

 private:
  bool IsFlag(const std::string& name) const {
    const auto spelling = spellings_.find(name);
    return spelling != spellings_.end() && spelling->second.options.front()->type.kind == OptionKind::kBool;
  }

  const Spellings& spellings_;
};

Status UnknownSpelling(const std::string& verb, const std::string& name, const Spellings& spellings) {
  std::vector<std::string> names;
  for (const auto& [known, meaning] : spellings) names.push_back(known);
  const std::string nearest = NearestName(name, names);
  return UsageError("--", name.substr(0, 80), " is not an option of ", verb,
                    nearest.empty() ? "" : "; did you mean --" + nearest + "?", nearest.empty() ? "; " : " (", verb,
                    " --help all lists all options", nearest.empty() ? "" : ")");
}

Status AmbiguousOption(const std::string& name, const Meaning& meaning) {
  std::string choices;
  for (const OptionSpec* spec : meaning.options) choices += (choices.empty() ? "--" : " or --") + spec->name;
  return UsageError("--", name, " is short for several options; write ", choices);
}

Status MissingValue(const std::string& name, const OptionSpec& spec) {
  return UsageError("--", name, ": the value is missing; write ", DescribeAllowed(spec.type));
}

// Rewords Boost's exception for a known option.
Status SyntaxError(const Spellings& spellings, const po::error_with_option_name& error) {
  std::string name = error.get_option_name();
  name.erase(0, name.find_first_not_of('-'));
  const auto spelling = spellings.find(name);
  return spelling == spellings.end() ? UsageError(error.what()) : MissingValue(name, *spelling->second.options.front());
}

class Collector {
 public:
  Collector(const std::string& verb, const Spellings& spellings) : verb_(verb), spellings_(spellings) {}

  Status Take(const po::option& option) {
    if (option.position_key >= 0 || option.string_key.empty()) {
      line_.positional.insert(line_.positional.end(), option.value.begin(), option.value.end());
      return Status::OK();
    }
    const auto spelling = spellings_.find(option.string_key);
    if (spelling == spellings_.end()) return UnknownSpelling(verb_, option.string_key, spellings_);
    const Meaning& meaning = spelling->second;
    if (meaning.options.size() > 1) return AmbiguousOption(option.string_key, meaning);
    const OptionSpec& spec = *meaning.options.front();
    const std::string& text = option.value.front();
    const bool has_equals = option.original_tokens.front().find('=') != std::string::npos;
    if (meaning.is_negation && has_equals)
      return UsageError("--", option.string_key, " takes no value; write it alone");
    // A text that looks like an option is taken for one; as a value it needs the other form, `--name=--text`.
    if (!has_equals && StartsWith(text, "--")) return MissingValue(option.string_key, spec);
    line_.assignments.push_back({spec.name, meaning.is_negation ? "false" : text, "--" + option.string_key});
    return Status::OK();
  }

  CommandLine& line() { return line_; }

 private:
  const std::string& verb_;
  const Spellings& spellings_;
  CommandLine line_;
};

}  // namespace

Result<CommandLine> ParseCommandLine(const std::string& verb, const OptionGroups& groups,
                                     const std::vector<std::string>& arguments) {
  const Spellings spellings = CollectSpellings(groups);
  Collector collector(verb, spellings);
  namespace style = po::command_line_style;
  try {
    const po::options_description description = Describe(spellings);
    const auto parsed = po::command_line_parser(arguments)
                            .options(description)
                            .extra_style_parser(SpecialForms(spellings))
                            .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
                            .allow_unregistered()
                            .run();
    for (const po::option& option : parsed.options) ARROW_RETURN_NOT_OK(collector.Take(option));
  } catch (const po::error_with_option_name& error) {
    return SyntaxError(spellings, error);
  } catch (const std::exception& error) {
    return UsageError(error.what());
  }
  return std::move(collector.line());
}

std::string ShortestSpelling(const OptionGroups& groups, const OptionSpec& option) {
  const Spellings spellings = CollectSpellings(groups);
  const auto noun = spellings.find(option.noun);
  const bool is_its_own =
      noun != spellings.end() && noun->second.options.size() == 1 && noun->second.options.front() == &option;
  return is_its_own ? option.noun : option.name;
}

std::vector<OptionName> OptionNames(const OptionGroups& groups) {
  const Spellings spellings = CollectSpellings(groups);
  std::map<const OptionSpec*, std::vector<OptionName>> names;
  for (const auto& [name, meaning] : spellings) {
    if (meaning.options.size() == 1)
      names[meaning.options.front()].push_back({name, meaning.options.front(), meaning.is_negation});
  }
  std::vector<OptionName> out;
  for (const AnyOptionGroup* group : groups) {
    for (const OptionSpec& spec : group->options()) {
      std::vector<OptionName>& same = names[&spec];
      // A plain name before its negation, and a short one before a full one.
      std::stable_sort(same.begin(), same.end(), [](const OptionName& a, const OptionName& b) {
        return std::pair(a.is_negation, a.name.size()) < std::pair(b.is_negation, b.name.size());
      });
      const OptionName* before = nullptr;
      for (OptionName& name : same) {
        name.is_shortest = before == nullptr || before->is_negation != name.is_negation;
        before = &name;
      }
      out.insert(out.end(), same.begin(), same.end());
    }
  }
  return out;
}

}  // namespace trawl
