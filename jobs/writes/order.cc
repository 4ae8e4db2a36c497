#include "jobs/writes/order.h"

#include <algorithm>
#include <iterator>

#include "formats/digests/digest.h"

namespace trawl {

namespace {

// What a map's node costs beside its texts.
constexpr size_t kPairBytes = 96;

bool IsOfName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

bool HasControls(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

bool HasBlankEdges(const std::string& text) { return !text.empty() && (text.front() == ' ' || text.back() == ' '); }

std::string HexDigest(const std::string& text) { return ToHex(Sha256Of(text)); }

}  // namespace

std::string FaultOfMetadata(const std::string& name, const std::string& value) {
  constexpr const char* kMeant[] = {"score", "interval", "priority", "tier", "kind"};
  if (name.empty()) return "a name has at least one character";
  if (std::find(std::begin(kMeant), std::end(kMeant), name) != std::end(kMeant)) {
    return "'" + name + "' means something in a list of seeds; take another name";
  }
  if (!std::all_of(name.begin(), name.end(), IsOfName)) return "a name has letters, digits, '_', '.' and '-' alone";
  if (HasControls(value)) return "a value has no control characters";
  if (HasBlankEdges(value)) return "a value does not begin or end with a blank";
  return "";
}

const char* NameOf(const Order& order) {
  constexpr const char* kNames[] = {"seeds", "host", "drop", "kill"};
  static_assert(std::size(kNames) == std::variant_size_v<Order>);
  return kNames[order.index()];
}

size_t SizeOf(const Order& order) {
  size_t size = sizeof(Order);
  if (const auto* seeds = std::get_if<SeedOrder>(&order)) {
    size_t pairs = 0;
    for (const auto& [name, value] : seeds->metadata) pairs += kPairBytes + name.size() + value.size();
    // The pairs stand in the line of each URL.
    for (const std::string& url : seeds->urls) size += sizeof(std::string) + url.size() + pairs;
  } else if (const auto* host = std::get_if<HostOrder>(&order)) {
    size += host->policy.target.key.size() + host->policy.change.reason.value_or("").size();
  } else if (const auto* drop = std::get_if<DropOrder>(&order)) {
    size += drop->key.size();
  }
  return size;
}

OrderName MakeOrderName(const std::string& idempotency_key, const std::string& method, const std::string& target,
                        const std::string& body) {
  if (idempotency_key.empty()) return {};
  return {.key = HexDigest(idempotency_key), .fingerprint = HexDigest(method + " " + target + "\n" + body)};
}

}  // namespace trawl
