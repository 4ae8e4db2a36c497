#include "jobs/policy/advice.h"

#include <algorithm>
#include <iterator>

namespace trawl {

namespace {

constexpr std::string_view kTrue = "=true";

// The option that lifts a refusal, as trawl config set takes it; empty where none does.
std::string OptionAgainst(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAddressRefused:
      return "fetch.allow_private=true";
    case Outcome::kHeaderLimit:
      return "fetch.max_headers=SIZE";
    case Outcome::kRedirectLimit:
      return "fetch.max_hops=N";
    case Outcome::kTlsFailed:
      return "fetch.ca_file=FILE";
    case Outcome::kRobotsDeferred:
      return "robots.on_unreachable=allow";
    default:
      return "";
  }
}

bool IsWanted(const UrlRow& row) {
  switch (row.outcome) {
    case Outcome::kNone:
    case Outcome::kFetched:
    case Outcome::kNotModified:
    case Outcome::kRedirect:
      return row.state == UrlState::kUnfetched || row.state == UrlState::kFetched ||
             row.state == UrlState::kRedirected || row.state == UrlState::kDuplicate;
    default:
      return false;
  }
}

// The verbs that work on a crawl, longer names before those that they begin with. Messages only speak of gc, as of what
// took something away.
constexpr std::string_view kVerbs[] = {
    "check url",     "compact",       "config get",   "crawl",        "doctor",        "export",      "fetch",
    "generate",      "graph",         "health",       "jobs kill",    "jobs status",   "jobs",        "parse",
    "readdb dump",   "readdb get",    "readdb hosts", "readdb stats", "readseg dump",  "readseg get", "readseg list",
    "reparse",       "report",        "rounds",       "round",        "segments list", "serve",       "settle",
    "snapshot list", "snapshot show", "updatedb",     "watch"};
// Without an argument after them these do nothing: a message that has none only speaks of them.
constexpr std::string_view kVerbsWithArguments[] = {
    "archive", "config set", "host", "inject", "page", "remove", "score", "segments abandon", "sitemaps", "urls set"};

bool IsWordCharacter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/'; }

template <size_t N>
std::string_view OneOf(const std::string_view (&verbs)[N], std::string_view text) {
  const auto begins = [text](std::string_view verb) {
    return text.starts_with(verb) && (text.size() == verb.size() || !IsWordCharacter(text[verb.size()]));
  };
  const auto found = std::find_if(std::begin(verbs), std::end(verbs), begins);
  return found == std::end(verbs) ? std::string_view() : *found;
}

// Whether the text begins with a blank and a word that no sentence has: "--retry", "'http://…'", "URL", "a.b=1".
bool BeginsWithArgument(std::string_view text) {
  if (!text.starts_with(' ')) return false;
  const std::string_view word = text.substr(1, text.find(' ', 1) - 1);
  return std::any_of(word.begin(), word.end(), [](char c) { return (c < 'a' || c > 'z') && c != ',' && c != ')'; });
}

// The verb of the command that the text begins with; empty where it is no command.
std::string_view VerbAt(std::string_view text) {
  if (const std::string_view verb = OneOf(kVerbs, text); !verb.empty()) return verb;
  const std::string_view verb = OneOf(kVerbsWithArguments, text);
  return BeginsWithArgument(text.substr(verb.size())) ? verb : std::string_view();
}

}  // namespace

std::string ShellWord(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string WithRoot(std::string_view message, std::string_view root) {
  constexpr std::string_view kProgram = "trawl ";
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:";
  if (root.empty()) return std::string(message);
  const bool is_plain = root.find_first_not_of(kPlain) == std::string_view::npos;
  const std::string option = " --root " + (is_plain ? std::string(root) : ShellWord(root));
  std::string out;
  while (!message.empty()) {
    const size_t at = message.find(kProgram);
    const size_t verb_at = at == std::string_view::npos ? message.size() : at + kProgram.size();
    const bool is_word = at != std::string_view::npos && (at == 0 || !IsWordCharacter(message[at - 1]));
    const std::string_view verb = is_word ? VerbAt(message.substr(verb_at)) : std::string_view();
    out += message.substr(0, verb_at);
    out += verb;
    message.remove_prefix(verb_at + verb.size());
    if (!verb.empty() && !message.starts_with(" --root")) out += option;
  }
  return out;
}

std::string WithRootAndUrl(std::string message, std::string_view root, std::string_view url) {
  constexpr std::string_view kCommand = "trawl urls set ", kPlace = "trawl urls set URL ";
  const std::string named = std::string(kCommand) + ShellWord(url) + " ";
  for (size_t at = message.find(kPlace); at != std::string::npos; at = message.find(kPlace, at + named.size())) {
    message.replace(at, kPlace.size(), named);
  }
  return WithRoot(message, root);
}

std::string AdviceFor(const UrlRow& row) {
  if (IsDropped(row)) return "trawl urls set URL --undrop brings it back";
  if (row.state == UrlState::kDenied) return "trawl urls set URL --retry asks for its robots.txt again now";
  if (IsWanted(row)) return "";
  const std::string option = OptionAgainst(row.outcome);
  if (option.empty()) return "trawl urls set URL --retry asks for it now";
  const std::string outcome = TextOf(row.outcome);
  const bool is_flag = option.ends_with(kTrue);
  return "--" + (is_flag ? option.substr(0, option.size() - kTrue.size()) : option) + " lifts this (trawl config set " +
         option + " for good); then trawl urls set --outcome " + outcome + " --retry asks for all of them now";
}

}  // namespace trawl
