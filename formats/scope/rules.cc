#include "formats/scope/rules.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "arrow/status.h"
#include "formats/text/ascii.h"
#include "formats/text/lines.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The hosts of a section. Empty means all hosts.
struct Section {
  std::string host;
  bool with_hosts_below = false;  // the host is a registrable domain
};

bool Covers(const Section& section, std::string_view host) {
  if (section.host.empty() || host == section.host) return true;
  return section.with_hosts_below && host.ends_with(section.host) && host.size() > section.host.size() &&
         host[host.size() - section.host.size() - 1] == '.';
}

struct Rule {
  bool accepts = false;
  uint32_t line = 0;
  std::string text;
  Section section;
  std::unique_ptr<re2::RE2> expression;
};

re2::RE2::Options ExpressionOptions() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return options;
}

Result<std::unique_ptr<re2::RE2>> Compile(std::string_view pattern) {
  if (pattern.find("&&[") != std::string_view::npos) return Status::Invalid("intersections of classes cannot be run");
  auto expression = std::make_unique<re2::RE2>(re2::StringPiece(pattern.data(), pattern.size()), ExpressionOptions());
  if (!expression->ok()) {
    return Status::Invalid(expression->error(),
                           " (back references and look-around cannot be run; loops in paths are found without a rule)");
  }
  return expression;
}

// All expressions as one set, which finds all matches in a single pass. With six rules it takes 300 ns, where testing
// one after the other takes 550; with a hundred rules 180 instead of 6,500. Null where the set would be too large.
std::unique_ptr<re2::RE2::Set> CompileTogether(const std::vector<Rule>& rules) {
  auto set = std::make_unique<re2::RE2::Set>(ExpressionOptions(), re2::RE2::UNANCHORED);
  for (const Rule& rule : rules) {
    if (set->Add(rule.expression->pattern(), nullptr) < 0) return nullptr;
  }
  return !rules.empty() && set->Compile() ? std::move(set) : nullptr;
}

}  // namespace

struct UrlRules::Rules {
  std::string file;
  std::vector<Rule> rules;
  std::unique_ptr<re2::RE2::Set> together;

  // The first rule that matches, found with the set. Nothing where the set cannot say (it ran out of memory).
  std::optional<const Rule*> FindTogether(re2::StringPiece url, std::string_view host, const TakesLine& takes) const {
    if (together == nullptr) return std::nullopt;
    std::vector<int> matching;
    re2::RE2::Set::ErrorInfo error = {};
    if (!together->Match(url, &matching, &error)) {
      return error.kind == re2::RE2::Set::kNoError ? std::optional<const Rule*>(nullptr) : std::nullopt;
    }
    const Rule* first = nullptr;
    for (const int index : matching) {
      const Rule& rule = rules[static_cast<size_t>(index)];
      if ((first == nullptr || &rule < first) && Covers(rule.section, host) && takes(rule.line)) first = &rule;
    }
    return first;
  }

  const Rule* FindOneByOne(re2::StringPiece url, std::string_view host, const TakesLine& takes) const {
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
      return Covers(rule.section, host) && takes(rule.line) &&
             rule.expression->Match(url, 0, url.size(), re2::RE2::UNANCHORED, nullptr, 0);
    });
    return found == rules.end() ? nullptr : &*found;
  }
};

UrlRules::UrlRules(std::unique_ptr<Rules> rules) : rules_(std::move(rules)) {}
UrlRules::UrlRules(UrlRules&&) noexcept = default;
UrlRules& UrlRules::operator=(UrlRules&&) noexcept = default;
UrlRules::~UrlRules() = default;

Result<UrlRules> UrlRules::Parse(std::string_view text, std::string file, const PublicSuffixes& suffixes) {
  auto rules = std::make_unique<Rules>();
  rules->file = std::move(file);
  Section section;
  TextLines lines(text);
  const auto refusal = [&](const auto&... what) {
    return Status::Invalid(rules->file, ":", lines.number(), ": ", what...);
  };
  for (std::string_view line; lines.Next(&line);) {
    if (line.empty() || line.front() == '#' || line.front() == ' ') continue;
    if (line.front() == '<') {
      section = Section();
    } else if (line.front() == '>') {
      section.host = std::string(TrimBytes(line.substr(1), " \t"));
      if (section.host.empty()) return refusal("'>' needs a host or a domain");
      section.with_hosts_below = suffixes.RegistrableDomain(section.host) == section.host;
    } else if (line.front() == '+' || line.front() == '-') {
      Result<std::unique_ptr<re2::RE2>> expression = Compile(line.substr(1));
      if (!expression.ok()) return refusal("\"", line.substr(0, 200), "\": ", expression.status().message());
      rules->rules.push_back({line.front() == '+', lines.number(), std::string(line), section, *std::move(expression)});
    } else {
      return refusal("\"", line.substr(0, 200), "\" begins with none of '+', '-', '>', '<', '#'");
    }
  }
  rules->together = CompileTogether(rules->rules);
  return UrlRules(std::move(rules));
}

UrlRules::Verdict UrlRules::Check(std::string_view url, std::string_view host) const {
  return CheckSome(url, host, [](uint32_t) { return true; });
}

UrlRules::Verdict UrlRules::CheckSome(std::string_view url, std::string_view host, const TakesLine& takes) const {
  const re2::StringPiece text(url.data(), url.size());
  const std::optional<const Rule*> together = rules_->FindTogether(text, host, takes);
  const Rule* rule = together ? *together : rules_->FindOneByOne(text, host, takes);
  return rule == nullptr ? Verdict() : Verdict{rule->accepts, rule->line, rule->text};
}

const std::string& UrlRules::file() const { return rules_->file; }
size_t UrlRules::size() const { return rules_->rules.size(); }

}  // namespace trawl
