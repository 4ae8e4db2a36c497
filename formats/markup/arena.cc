#include "formats/markup/arena.h"

#include <gumbo.h>

#include <algorithm>
#include <cstdlib>

namespace trawl {
namespace {

constexpr size_t kChunkBytes = 256 << 10;
// The chunks that stay for the next page: enough for most pages.
constexpr size_t kChunksKept = 16;
// A page that needs more chunks than these is huge. Its further chunks are so large that the C library gives each one
// back to the system by itself. Smaller chunks would lie among memory that lives longer, and would stay.
constexpr size_t kHugeChunkBytes = 2 << 20;
constexpr size_t kGranule = 8;
// A larger block gets memory of its own, so that buffers that grow by doubling give back the memory that they leave.
constexpr size_t kLargeBytes = 32 << 10;
// The largest request whose size fits the header of a block.
constexpr size_t kMaxRequestBytes = UINT32_MAX;

// gumbo 0.10 asks for the items of its stack of open elements in its tenth request, and for the items of its list of
// active formatting elements in its eleventh. These are ten and five pointers; a test pins both. If another version
// asks otherwise, the watch finds other sizes there and stays off. Then only the limits on memory and the depth scan
// are left.
constexpr size_t kOpenElementsRequest = 10;
constexpr size_t kFormattingRequest = 11;
constexpr size_t kOpenElementsFirst = 10;
constexpr size_t kFormattingFirst = 5;

// No page for people is deeper; browsers stop at 512.
constexpr size_t kMaxDepth = 2560;
// Up to these sizes a list is part of gumbo's ordinary cost.
constexpr size_t kFreeDepth = 80;
constexpr size_t kFreeFormatting = 20;
constexpr size_t kFreeAttributes = 16;
// Measured: the cost of one attribute in foreign content, less the part that the limit on the whole work allows for.
constexpr uint64_t kForeignAttributeWork = 150;

}  // namespace

// Stands in front of every block.
struct HtmlArena::Header {
  uint32_t bytes;  // size of the request
  uint32_t large;  // index in large_ plus one, or 0
};

struct HtmlArena::FreeBlock {
  FreeBlock* next;
};

HtmlArena::~HtmlArena() {
  for (void* block : large_) std::free(block);
}

void HtmlArena::Reset(const ArenaLimits& limits) {
  limits_ = limits;
  for (void* block : large_) std::free(block);
  large_.clear();
  if (chunks_.size() > kChunksKept) chunks_.resize(kChunksKept);
  chunks_used_ = 0;
  next_ = end_ = nullptr;
  std::fill(std::begin(free_), std::end(free_), nullptr);
  bytes_ = 0;
  work_ = 0;
  requests_ = 0;
  open_elements_ = formatting_elements_ = {};
  last_pointer_ = nullptr;
  last_bytes_ = 0;
  attributes_in_tag_ = 0;
  exit_ = ArenaExit::kNone;
}

void HtmlArena::Leave(ArenaExit why) {
  exit_ = why;
  std::longjmp(jump_, 1);
}

void HtmlArena::CountBytes(size_t bytes) {
  bytes_ += bytes;
  if (bytes_ > limits_.max_bytes) Leave(ArenaExit::kMemory);
}

void HtmlArena::NewChunk() {
  const size_t bytes = chunks_used_ < kChunksKept ? kChunkBytes : kHugeChunkBytes;
  if (chunks_used_ == chunks_.size()) chunks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
  next_ = chunks_[chunks_used_++].get();
  end_ = next_ + bytes;
}

void* HtmlArena::PlaceLarge(size_t bytes) {
  auto* header = static_cast<Header*>(std::malloc(sizeof(Header) + bytes));
  if (header == nullptr) Leave(ArenaExit::kMemory);
  large_.push_back(header);
  *header = {static_cast<uint32_t>(bytes), static_cast<uint32_t>(large_.size())};
  return header + 1;
}

void* HtmlArena::Place(size_t bytes) {
  const size_t size_class = (bytes + kGranule - 1) / kGranule;
  if (size_class < kClasses && free_[size_class] != nullptr) {
    FreeBlock* block = free_[size_class];
    free_[size_class] = block->next;
    (reinterpret_cast<Header*>(block) - 1)->bytes = static_cast<uint32_t>(bytes);
    return block;
  }
  const size_t needed = sizeof(Header) + std::max<size_t>(size_class, 1) * kGranule;
  CountBytes(needed);
  if (bytes > kLargeBytes) return PlaceLarge(bytes);
  if (static_cast<size_t>(end_ - next_) < needed) NewChunk();
  auto* header = reinterpret_cast<Header*>(next_);
  next_ += needed;
  *header = {static_cast<uint32_t>(bytes), 0};
  return header + 1;
}

void HtmlArena::WatchFirstRequests(void* pointer, size_t bytes) {
  if (requests_ == kOpenElementsRequest && bytes == kOpenElementsFirst * sizeof(void*)) {
    open_elements_ = {pointer, kOpenElementsFirst};
  }
  if (requests_ == kFormattingRequest && bytes == kFormattingFirst * sizeof(void*)) {
    formatting_elements_ = {pointer, kFormattingFirst};
  }
}

// A vector grows in three steps: it requests more memory, copies its items and returns its old memory.
void HtmlArena::FollowGrowth(const void* freed) {
  for (Watched* list : {&open_elements_, &formatting_elements_}) {
    if (list->items != freed || last_bytes_ <= list->capacity * sizeof(void*)) continue;
    *list = {last_pointer_, last_bytes_ / sizeof(void*)};
    if (list->capacity > kMaxDepth) Leave(ArenaExit::kDepth);
  }
}

void HtmlArena::Charge(size_t bytes) {
  const uint64_t depth = open_elements_.capacity > kFreeDepth ? open_elements_.capacity : 0;
  const uint64_t formatting = formatting_elements_.capacity > kFreeFormatting ? formatting_elements_.capacity : 0;
  uint64_t charge = depth / 4 + formatting / 4;
  if (bytes == sizeof(GumboNode)) {
    attributes_in_tag_ = 0;
  } else if (bytes == sizeof(GumboAttribute)) {
    // gumbo compares the attribute with each one before it and, in a formatting element, with those of each open one.
    ++attributes_in_tag_;
    if (attributes_in_tag_ > kFreeAttributes) charge += attributes_in_tag_ * 4;
    charge += attributes_in_tag_ * formatting * 8;
    if (limits_.has_foreign_content) charge += kForeignAttributeWork;
  } else {
    // This may be a text, and gumbo searches the stack for each of its characters.
    charge += bytes * depth / 8;
  }
  work_ += charge;
  if (work_ > limits_.max_work) Leave(ArenaExit::kWork);
}

void* HtmlArena::Allocate(size_t bytes) {
  if (bytes > kMaxRequestBytes) Leave(ArenaExit::kMemory);
  Charge(bytes);
  void* pointer = Place(bytes);
  if (++requests_ <= kFormattingRequest) WatchFirstRequests(pointer, bytes);
  last_pointer_ = pointer;
  last_bytes_ = bytes;
  return pointer;
}

void HtmlArena::Free(void* pointer) {
  if (pointer == nullptr) return;
  if (pointer == open_elements_.items || pointer == formatting_elements_.items) FollowGrowth(pointer);
  Header* header = static_cast<Header*>(pointer) - 1;
  if (header->bytes == sizeof(GumboAttribute)) attributes_in_tag_ = 0;
  if (header->large != 0) {
    bytes_ -= header->bytes;
    large_[header->large - 1] = nullptr;
    std::free(header);
    return;
  }
  const size_t size_class = std::max<size_t>((header->bytes + kGranule - 1) / kGranule, 1);
  if (size_class >= kClasses) return;
  auto* block = static_cast<FreeBlock*>(pointer);
  block->next = free_[size_class];
  free_[size_class] = block;
}

}  // namespace trawl
