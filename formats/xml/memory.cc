#include "formats/xml/memory.h"

#include <cstdlib>

namespace trawl {

namespace {

thread_local MemoryBudget* budget_in_force = nullptr;

// Each block's size stands before it, in a field that keeps the block aligned for any type.
constexpr size_t kHeaderBytes = alignof(std::max_align_t);
static_assert(kHeaderBytes >= sizeof(size_t));

size_t& SizeOf(void* raw) { return *static_cast<size_t*>(raw); }
void* RawOf(void* block) { return static_cast<char*>(block) - kHeaderBytes; }

bool Fits(size_t more_bytes) { return more_bytes <= budget_in_force->limit_bytes - budget_in_force->used_bytes; }

}  // namespace

MemoryBudgetScope::MemoryBudgetScope(MemoryBudget* budget) : outer_(budget_in_force) { budget_in_force = budget; }
MemoryBudgetScope::~MemoryBudgetScope() { budget_in_force = outer_; }

void* BudgetAllocate(size_t bytes) {
  if (!Fits(bytes)) return nullptr;
  void* raw = std::malloc(kHeaderBytes + bytes);
  if (raw == nullptr) return nullptr;
  SizeOf(raw) = bytes;
  budget_in_force->used_bytes += bytes;
  return static_cast<char*>(raw) + kHeaderBytes;
}

void* BudgetReallocate(void* block, size_t bytes) {
  if (block == nullptr) return BudgetAllocate(bytes);
  const size_t before = SizeOf(RawOf(block));
  if (bytes > before && !Fits(bytes - before)) return nullptr;
  void* raw = std::realloc(RawOf(block), kHeaderBytes + bytes);
  if (raw == nullptr) return nullptr;
  SizeOf(raw) = bytes;
  budget_in_force->used_bytes += bytes - before;
  return static_cast<char*>(raw) + kHeaderBytes;
}

void BudgetFree(void* block) {
  if (block == nullptr) return;
  budget_in_force->used_bytes -= SizeOf(RawOf(block));
  std::free(RawOf(block));
}

}  // namespace trawl
