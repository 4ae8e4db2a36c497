// A budget for what one C library object allocates: expat takes allocation functions, but hands them no context, so the
// budget in force is a thread's for the time of a call. Used by xml_stream.cc alone.
#pragma once

#include <cstddef>

namespace trawl {

struct MemoryBudget {
  size_t limit_bytes = 0;
  size_t used_bytes = 0;
};

// While it lives, the functions below draw on `budget` in this thread.
class MemoryBudgetScope {
 public:
  explicit MemoryBudgetScope(MemoryBudget* budget);
  ~MemoryBudgetScope();
  MemoryBudgetScope(const MemoryBudgetScope&) = delete;
  MemoryBudgetScope& operator=(const MemoryBudgetScope&) = delete;

 private:
  MemoryBudget* outer_;
};

// malloc, realloc and free within the budget in force: null where it is used up. What one allocates only they may free.
// REQUIRES: a MemoryBudgetScope, the same budget for a block's whole life.
void* BudgetAllocate(size_t bytes);
void* BudgetReallocate(void* block, size_t bytes);
void BudgetFree(void* block);

}  // namespace trawl
