#include "runtime/options/resolve.h"

#include <algorithm>

#include "runtime/options/command_line.h"
#include "runtime/options/file.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/nearest_name.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr std::string_view kVariablePrefix = "TRAWL_";
constexpr char kConfigOption[] = "config";

constexpr int kMaxTypos = 2;

// Returns the option that an unknown name may have meant: "job.file_size"; for a bare noun all options that end with
// it.
std::string NearestOption(const std::string& name, const OptionGroups& known) {
  std::vector<std::string> names, nouns;
  for (const AnyOptionGroup* group : known) {
    for (const OptionSpec& spec : group->options()) {
      names.push_back(spec.name);
      nouns.push_back(spec.noun);
    }
  }
  std::string nearest = NearestName(name, names);
  if (!nearest.empty() || name.find('.') != std::string::npos) return nearest;
  const std::string noun = NearestName(name, nouns);
  for (size_t i = 0; i < nouns.size() && !noun.empty(); ++i) {
    if (nouns[i] == noun) nearest += (nearest.empty() ? "" : " or ") + names[i];
  }
  return nearest;
}

// Returns the UsageError for a variable that was meant to name an option but does not; OK for a variable that is not
// ours.
Status CheckForeign(const std::string& variable, const OptionGroups& known, const std::vector<std::string>& variables) {
  for (const std::string& name : variables) {
    if (EditDistance(variable, name) > kMaxTypos) continue;
    return UsageError("environment variable ", variable, " names no option; did you mean ", name, "?");
  }
  for (const AnyOptionGroup* group : known) {
    if (group->prefix().empty() || !(variable + "_").starts_with(EnvironmentName(group->prefix() + "."))) continue;
    const std::string nearest = NearestName(variable, variables);
    return UsageError("environment variable ", variable, " is not one of the ", group->prefix(), " options",
                      nearest.empty() ? "; unset it" : "; did you mean " + nearest + "?");
  }
  return Status::OK();
}

Status Explain(const OptionAssignment& assignment, const Status& status) {
  return UsageError(assignment.where, ": ", status.message());
}

// The canonical text of the assignments: the last text, or for a list all of them.
Result<std::string> CanonicalText(const OptionSpec& spec, const std::vector<const OptionAssignment*>& assignments) {
  std::vector<std::string> items;
  std::string text;
  for (const OptionAssignment* assignment : assignments) {
    Result<OptionValue> value = ParseOptionText(spec.type, assignment->text);
    if (!value.ok()) return Explain(*assignment, value.status());
    if (auto* more = std::get_if<std::vector<std::string>>(&*value))
      items.insert(items.end(), more->begin(), more->end());
    text = PrintOptionValue(spec.type, *value);
  }
  return spec.type.kind == OptionKind::kList ? PrintOptionValue(spec.type, items) : text;
}

Result<std::vector<OptionAssignment>> ReadConfigFile(const std::string& path, const OptionGroups& known) {
  ARROW_ASSIGN_OR_RAISE(std::vector<OptionAssignment> assignments, LoadOptionFile(path, known));
  for (const OptionAssignment& assignment : assignments) {
    if (assignment.name == kConfigOption) {
      return UsageError(assignment.where, ": a config file cannot name another; give --config on the command line");
    }
  }
  return assignments;
}

}  // namespace

const OptionSpec* FindOption(const OptionGroups& groups, std::string_view name) {
  for (const AnyOptionGroup* group : groups) {
    for (const OptionSpec& spec : group->options()) {
      if (spec.name == name) return &spec;
    }
  }
  return nullptr;
}

Status UnknownOption(const std::string& where, const std::string& name, const OptionGroups& known) {
  const std::string nearest = NearestOption(name, known);
  return UsageError(where, ": ", name.substr(0, 80), " is not an option",
                    nearest.empty() ? "; trawl docs lists all options" : "; did you mean " + nearest + "?");
}

Result<std::string> CanonicalSetting(const OptionGroups& known, const OptionAssignment& assignment) {
  const OptionSpec* spec = FindOption(known, assignment.name);
  if (spec == nullptr) return UnknownOption(assignment.where, assignment.name, known);
  const bool is_global = assignment.name == spec->noun;
  if (is_global)
    return UsageError(assignment.where, ": this option cannot be a setting of a crawl; give it on the command line");
  return CanonicalText(*spec, {&assignment});
}

EffectiveOptions::EffectiveOptions(OptionGroups groups, OptionGroups known)
    : groups_(std::move(groups)), known_(std::move(known)) {
  for (const AnyOptionGroup* group : groups_) {
    for (const OptionSpec& spec : group->options()) options_[spec.name].text = spec.default_text;
  }
}

Status EffectiveOptions::Apply(OptionSource source, const std::vector<OptionAssignment>& assignments) {
  std::map<std::string, std::vector<const OptionAssignment*>> by_name;
  for (const OptionAssignment& assignment : assignments) by_name[assignment.name].push_back(&assignment);
  for (const auto& [name, same_name] : by_name) {
    const OptionSpec* spec = FindOption(known_, name);
    if (spec == nullptr) spec = FindOption(groups_, name);
    if (spec == nullptr) return UnknownOption(same_name.front()->where, name, known_);
    ARROW_ASSIGN_OR_RAISE(const std::string text, CanonicalText(*spec, same_name));
    const auto effective = options_.find(name);
    if (effective != options_.end() && effective->second.source <= source) effective->second = {text, source};
  }
  return Status::OK();
}

Status EffectiveOptions::ApplySettings(const OptionTexts& settings, const std::string& where) {
  std::vector<OptionAssignment> assignments;
  for (const auto& [name, text] : settings) {
    const OptionAssignment assignment{name, text, where + ": " + name};
    if (FindOption(known_, name) == nullptr) {
      return Status::Invalid(where, ": this trawl does not know ", name,
                             "; use a newer trawl, or remove it:  trawl config set ", name, "=");
    }
    ARROW_RETURN_NOT_OK(CanonicalSetting(known_, assignment).status());
    assignments.push_back(assignment);
  }
  ARROW_RETURN_NOT_OK(Apply(OptionSource::kSettings, assignments));
  return Check();
}

void EffectiveOptions::FillIn(const OptionTexts& texts) {
  for (const auto& [name, text] : texts) options_.at(name).text = text;
}

Status EffectiveOptions::Check() const {
  const OptionTexts all = texts();
  for (const AnyOptionGroup* group : groups_) {
    const Status status = group->Check(all);
    if (!status.ok()) return UsageError(status.message());
  }
  return Status::OK();
}

OptionTexts EffectiveOptions::texts() const {
  OptionTexts out;
  for (const auto& [name, effective] : options_) out[name] = effective.text;
  return out;
}

std::string EnvironmentName(std::string_view option_name) {
  std::string out(kVariablePrefix);
  for (const char c : option_name) {
    out += c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return out;
}

Result<std::vector<OptionAssignment>> ReadEnvironment(const OptionGroups& known,
                                                      const std::vector<std::string>& environment) {
  std::map<std::string, std::string> option_of_variable;
  std::vector<std::string> variables;
  for (const AnyOptionGroup* group : known) {
    for (const OptionSpec& spec : group->options()) {
      variables.push_back(EnvironmentName(spec.name));
      option_of_variable[variables.back()] = spec.name;
    }
  }
  std::vector<OptionAssignment> out;
  for (const std::string& line : environment) {
    const std::string variable = line.substr(0, line.find('='));
    if (!variable.starts_with(kVariablePrefix)) continue;
    const auto option = option_of_variable.find(variable);
    if (option == option_of_variable.end()) {
      ARROW_RETURN_NOT_OK(CheckForeign(variable, known, variables));
      continue;
    }
    out.push_back({option->second, line.size() > variable.size() ? line.substr(variable.size() + 1) : "", variable});
  }
  return out;
}

Result<ResolvedOptions> ResolveOptions(const std::string& verb, const OptionGroups& groups, const OptionGroups& known,
                                       const OptionInputs& inputs) {
  ARROW_ASSIGN_OR_RAISE(CommandLine command_line, ParseCommandLine(verb, groups, inputs.arguments));
  ResolvedOptions resolved{EffectiveOptions(groups, known), std::move(command_line.positional)};
  ARROW_RETURN_NOT_OK(resolved.options.Apply(OptionSource::kCommandLine, command_line.assignments));
  ARROW_ASSIGN_OR_RAISE(const auto variables, ReadEnvironment(known, inputs.environment));
  ARROW_RETURN_NOT_OK(resolved.options.Apply(OptionSource::kEnvironment, variables));
  const OptionTexts texts = resolved.options.texts();
  const auto config = texts.find(kConfigOption);
  if (config != texts.end() && !config->second.empty()) {
    ARROW_ASSIGN_OR_RAISE(const auto in_file, ReadConfigFile(config->second, known));
    ARROW_RETURN_NOT_OK(resolved.options.Apply(OptionSource::kConfigFile, in_file));
  }
  ARROW_RETURN_NOT_OK(resolved.options.Check());
  return resolved;
}

}  // namespace trawl
