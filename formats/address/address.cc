#include "formats/address/address.h"

#include <algorithm>
#include <charconv>

namespace trawl {

namespace {

constexpr int kGroups = 8;

std::optional<std::array<uint8_t, 4>> ParseQuad(std::string_view text) {
  std::array<uint8_t, 4> bytes = {};
  for (int i = 0; i < 4; ++i) {
    const size_t end = i < 3 ? text.find('.') : text.size();
    if (end == std::string_view::npos || end == 0 || end > 3) return std::nullopt;
    const std::string_view number = text.substr(0, end);
    if (number.size() > 1 && number[0] == '0') return std::nullopt;
    unsigned value = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || stop != number.data() + number.size() || value > 255) return std::nullopt;
    bytes[static_cast<size_t>(i)] = static_cast<uint8_t>(value);
    text.remove_prefix(i < 3 ? end + 1 : end);
  }
  return bytes;
}

// The groups on one side of "::". The last one may be a dotted quad where `quad_allowed`. -1 where they are malformed.
int ParseGroups(std::string_view text, bool quad_allowed, std::array<uint16_t, kGroups>& groups) {
  int count = 0;
  while (!text.empty()) {
    const size_t colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    if (colon == std::string_view::npos && quad_allowed && group.find('.') != std::string_view::npos) {
      const auto quad = ParseQuad(group);
      if (!quad || count > kGroups - 2) return -1;
      groups[static_cast<size_t>(count++)] = static_cast<uint16_t>((*quad)[0] << 8 | (*quad)[1]);
      groups[static_cast<size_t>(count++)] = static_cast<uint16_t>((*quad)[2] << 8 | (*quad)[3]);
      return count;
    }
    unsigned value = 0;
    const auto [stop, error] = std::from_chars(group.data(), group.data() + group.size(), value, 16);
    if (group.empty() || group.size() > 4 || group[0] == '-' || error != std::errc() ||
        stop != group.data() + group.size() || count == kGroups) {
      return -1;
    }
    groups[static_cast<size_t>(count++)] = static_cast<uint16_t>(value);
    if (colon == std::string_view::npos) return count;
    text.remove_prefix(colon + 1);
    if (text.empty()) return -1;
  }
  return count;
}

std::optional<std::array<uint8_t, 16>> ParseV6(std::string_view text) {
  std::array<uint16_t, kGroups> head = {}, tail = {};
  const size_t gap = text.find("::");
  if (gap == std::string_view::npos) {
    if (ParseGroups(text, true, head) != kGroups) return std::nullopt;
  } else {
    const int front = ParseGroups(text.substr(0, gap), false, head);
    const int back = ParseGroups(text.substr(gap + 2), true, tail);
    if (front < 0 || back < 0 || front + back >= kGroups) return std::nullopt;
    std::copy(tail.begin(), tail.begin() + back, head.end() - back);
  }
  std::array<uint8_t, 16> bytes = {};
  for (size_t i = 0; i < kGroups; ++i) {
    bytes[2 * i] = static_cast<uint8_t>(head[i] >> 8);
    bytes[2 * i + 1] = static_cast<uint8_t>(head[i]);
  }
  return bytes;
}

// RFC 5952 section 4: lower case, no leading zeros, "::" for the first longest run of two or more zero groups.
std::string PrintV6(const std::array<uint8_t, 16>& bytes) {
  std::array<unsigned, kGroups> groups;
  for (size_t i = 0; i < kGroups; ++i) groups[i] = static_cast<unsigned>(bytes[2 * i] << 8 | bytes[2 * i + 1]);
  size_t run_start = kGroups, run_length = 1;
  for (size_t i = 0; i < kGroups; ++i) {
    size_t length = 0;
    while (i + length < kGroups && groups[i + length] == 0) ++length;
    if (length > run_length) {
      run_start = i;
      run_length = length;
    }
  }
  std::string text;
  for (size_t i = 0; i < kGroups;) {
    if (i == run_start) {
      text += "::";
      i += run_length;
      continue;
    }
    if (!text.empty() && text.back() != ':') text += ':';
    char digits[4];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, groups[i], 16).ptr);
    ++i;
  }
  return text;
}

}  // namespace

IpAddress IpAddress::V4(std::array<uint8_t, 4> bytes) {
  IpAddress address;
  std::copy(bytes.begin(), bytes.end(), address.bytes_.begin());
  return address;
}

IpAddress IpAddress::V6(const std::array<uint8_t, 16>& bytes) {
  IpAddress address;
  address.is_v6_ = true;
  address.bytes_ = bytes;
  return address;
}

std::optional<IpAddress> IpAddress::Parse(std::string_view text) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
    const auto bytes = ParseV6(text.substr(1, text.size() - 2));
    return bytes ? std::optional(V6(*bytes)) : std::nullopt;
  }
  if (text.find(':') != std::string_view::npos) {
    const auto bytes = ParseV6(text);
    return bytes ? std::optional(V6(*bytes)) : std::nullopt;
  }
  const auto quad = ParseQuad(text);
  return quad ? std::optional(V4(*quad)) : std::nullopt;
}

std::string IpAddress::ToString() const {
  if (is_v6_) return PrintV6(bytes_);
  return std::to_string(bytes_[0]) + '.' + std::to_string(bytes_[1]) + '.' + std::to_string(bytes_[2]) + '.' +
         std::to_string(bytes_[3]);
}

std::string IpAddress::ToUrlHost() const { return is_v6_ ? '[' + ToString() + ']' : ToString(); }

}  // namespace trawl
