#include "jobs/near/rows.h"

#include <charconv>
#include <cstdio>

#include "jobs/near/near.h"

namespace trawl {

using arrow::Status;

namespace {

bool HexOf(std::string_view digits, uint64_t* value) {
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, *value, 16);
  return error == std::errc() && at == end;
}

}  // namespace

std::string QuarterKey(uint64_t fingerprint, int quarter, uint64_t digest) {
  char key[kQuarterKeyBytes + 1];
  std::snprintf(key, sizeof key, "%d%04x)%012llx%016llx", quarter & 3, QuarterOf(fingerprint, quarter),
                static_cast<unsigned long long>(RestOf(fingerprint, quarter)), static_cast<unsigned long long>(digest));
  return key;
}

std::optional<QuarterPlace> QuarterPlaceOf(std::string_view key) {
  if (key.size() != kQuarterKeyBytes || key[5] != ')' || key[0] < '0' || key[0] >= '0' + kQuarters) return std::nullopt;
  QuarterPlace place = {.quarter = key[0] - '0'};
  uint64_t value = 0, rest = 0;
  if (!HexOf(key.substr(1, 4), &value) || !HexOf(key.substr(6, 12), &rest) || !HexOf(key.substr(18), &place.digest)) {
    return std::nullopt;
  }
  place.fingerprint = JoinQuarter(place.quarter, static_cast<uint16_t>(value), rest);
  return place;
}

Status BeginningOf(std::string_view content, uint64_t* digest) {
  if (content.size() == 64 && HexOf(content.substr(0, 16), digest)) return Status::OK();
  return Status::Invalid("\"", content.substr(0, 100), "\" is not a content digest of 64 digits");
}

FingerprintRow StandingOfNear(const FingerprintRow& near) {
  const ContentPlace place = ContentPlaceOf(near.key);
  FingerprintRow standing = near;
  standing.key = StandingKey(place.page);
  standing.content = place.content;
  return standing;
}

std::string TurnOf(std::string_view order, std::string_view content) {
  std::string turn;
  turn.reserve(order.size() + content.size() + 8);
  turn.push_back('\0');  // the keys of a shuffle do not begin with FF FF FF
  for (const char c : order) {
    turn.push_back(c);
    if (c == '\0') turn.push_back('\1');
  }
  turn.append("\0\0", 2).append(content);
  return turn;
}

}  // namespace trawl
