#include "jobs/policy/advice.h"

#include <string_view>

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
      return row.state == UrlState::kUnfetched || row.state == UrlState::kFetched || row.state == UrlState::kRedirected;
    default:
      return false;
  }
}

}  // namespace

std::string AdviceFor(const UrlRow& row) {
  if (IsDropped(row)) return "trawl urls set URL --undrop brings it back";
  if (IsWanted(row)) return "";
  const std::string option = OptionAgainst(row.outcome);
  if (option.empty()) return "trawl urls set URL --retry asks for it now";
  const std::string outcome = TextOf(row.outcome);
  const bool is_flag = option.ends_with(kTrue);
  return "--" + (is_flag ? option.substr(0, option.size() - kTrue.size()) : option) + " lifts this (trawl config set " +
         option + " for good); then trawl urls set --outcome " + outcome + " --retry asks for all of them now";
}

}  // namespace trawl
