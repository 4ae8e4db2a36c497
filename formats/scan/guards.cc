#include "formats/scan/guards.h"

#include "formats/markup/cost.h"
#include "formats/markup/limits.h"

namespace trawl {
namespace {

// Upper bounds of gumbo's requests: a node with the vector of its children, an attribute with its copies, and each byte
// of text in a buffer that doubles and in the copy of that buffer.
constexpr uint64_t kBytesPerNode = 256;
constexpr uint64_t kBytesPerAttribute = 256;
constexpr uint64_t kBytesPerByte = 8;
constexpr uint64_t kRequestsPerToken = 24;
constexpr uint64_t kRequestsPerAttribute = 16;
// At or below these sizes the meter charges nothing (markup/arena.cc).
constexpr uint64_t kFreeDepth = 80;
constexpr uint64_t kFreeFormatting = 20;
constexpr uint64_t kFreeAttributes = 16;
// The highest cost in the look at the tags (markup/cost.cc): per open element for each tag, and per pair of a root's
// attributes.
constexpr uint64_t kCostPerStart = 3;
constexpr uint64_t kCostPerEnd = 14;
constexpr uint64_t kCostPerComparison = 13;

// The capacity for `items` of a vector that begins with `first` and doubles.
uint64_t Capacity(uint64_t first, uint64_t items) {
  uint64_t capacity = first;
  while (capacity < items) capacity *= 2;
  return capacity;
}

uint64_t MostWork(const HtmlWork& work, uint64_t bytes) {
  uint64_t depth = Capacity(10, work.most_open + 2);
  uint64_t formatting = Capacity(5, work.most_formatting + 2);
  if (depth <= kFreeDepth) depth = 0;
  if (formatting <= kFreeFormatting) formatting = 0;
  const uint64_t requests = (work.tokens + work.nodes) * kRequestsPerToken + work.attributes * kRequestsPerAttribute;
  const uint64_t asked = bytes * kBytesPerByte + (work.tokens + work.nodes) * kBytesPerNode + work.attributes * 64;
  uint64_t charge = requests * (depth / 4 + formatting / 4) + asked * depth / 8;
  if (work.most_attributes > kFreeAttributes) charge += work.attributes * work.most_attributes * 4;
  charge += work.attributes * work.most_attributes * formatting * 8;
  if (work.has_foreign) charge += work.attributes * 160;
  return charge;
}

}  // namespace

void HtmlWork::CountStart(uint8_t tag, bool is_shallow, bool has_one_name) {
  look_ += open_ * kCostPerStart;
  if (is_shallow) return;
  ++open_;
  if (has_one_name) ++begun_[tag];
}

void HtmlWork::CountEnd(uint8_t tag) {
  look_ += open_ * kCostPerEnd;
  if (begun_[tag] == 0) return;
  --begun_[tag];
  --open_;
}

HtmlWild GuardThatMightRefuse(const HtmlWork& work, std::string_view html) {
  const uint64_t bytes = html.size();
  if (bytes > kMostHtmlBytes) return HtmlWild::kMemory;
  if (work.most_open > kMostOpenElements) return HtmlWild::kDepth;
  const uint64_t memory =
      (64 << 10) + bytes * kBytesPerByte + work.nodes * kBytesPerNode + work.attributes * kBytesPerAttribute;
  if (memory > MostHtmlMemory(bytes)) return HtmlWild::kMemory;
  const uint64_t most_work = MostHtmlWork(bytes);
  if (MostWork(work, bytes) > most_work) return HtmlWild::kWork;
  // The look at the tags takes tags at their word. It is needed only where enough tags are there to cost much.
  const uint64_t look = work.look() + work.root_bytes * work.root_bytes * kCostPerComparison;
  if (!work.is_odd && !work.has_foreign && look < most_work) return HtmlWild::kNot;
  return EstimateHtmlCost(html, most_work).work > most_work ? HtmlWild::kDepth : HtmlWild::kNot;
}

}  // namespace trawl
