// The part of front.h that makes answers safe for browsers.
#include <algorithm>
#include <array>

#include "formats/text/ascii.h"
#include "jobs/serve/front.h"
#include "jobs/web/web.h"

namespace trawl {

namespace {

std::string* Find(ServerAnswer* answer, std::string_view name) {
  const auto found = std::find_if(answer->headers.begin(), answer->headers.end(),
                                  [name](const auto& field) { return EqualsIgnoringAsciiCase(field.first, name); });
  return found == answer->headers.end() ? nullptr : &found->second;
}

void AddMissing(ServerAnswer* answer, const std::string& name, const std::string& value) {
  if (Find(answer, name) == nullptr) answer->headers.emplace_back(name, value);
}

void Set(ServerAnswer* answer, const std::string& name, const std::string& value) {
  std::string* const present = Find(answer, name);
  if (present == nullptr) {
    answer->headers.emplace_back(name, value);
  } else {
    *present = value;
  }
}

// Types that a browser neither runs nor shows as a document with scripts.
constexpr std::array<std::string_view, 6> kTameTypes = {"application/json",
                                                        "application/problem+json",
                                                        "application/octet-stream",
                                                        "application/openapi+json",
                                                        "text/plain",
                                                        "text/csv"};

}  // namespace

void AddSafety(ServerAnswer* answer) {
  AddMissing(answer, "X-Content-Type-Options", "nosniff");
  AddMissing(answer, "Referrer-Policy", "no-referrer");
  AddMissing(answer, "Cross-Origin-Resource-Policy", "same-origin");
  AddMissing(answer, "Content-Security-Policy", kPagePolicy);
  AddMissing(answer, "Cache-Control", "no-store");
}

void DisarmApiAnswer(ServerAnswer* answer) {
  if (answer->body.empty()) return;
  const std::string* const given = Find(answer, "Content-Type");
  const std::string_view type = given == nullptr ? std::string_view() : std::string_view(*given);
  const std::string bare = AsciiLower(TrimBytes(type.substr(0, type.find(';')), " \t"));
  if (std::find(kTameTypes.begin(), kTameTypes.end(), bare) != kTameTypes.end()) return;
  Set(answer, "Content-Type", "application/octet-stream");
  Set(answer, "Content-Security-Policy", "sandbox; default-src 'none'");
  AddMissing(answer, "Content-Disposition", "attachment");
}

}  // namespace trawl
