// A budget for the memory that one object of a C library allocates. expat takes allocation functions but passes them no
// context, so the budget belongs to a thread during a call. Only stream.cc uses it.
#pragma once

#include <cstddef>

namespace trawl {

struct MemoryBudget {
  size_t limit_bytes = 0;
  size_t used_bytes = 0;
};

// While this object lives, the functions below draw on `budget` in this thread.
class MemoryBudgetScope {
 public:
  explicit MemoryBudgetScope(MemoryBudget* budget);
  ~MemoryBudgetScope();
  MemoryBudgetScope(const MemoryBudgetScope&) = delete;
  MemoryBudgetScope& operator=(const MemoryBudgetScope&) = delete;

 private:
  MemoryBudget* outer_;
};

// malloc, realloc and free within the thread's budget; null where it is used up. A block must be freed by these
// functions. REQUIRES: a MemoryBudgetScope with the same budget for a block's whole life.
void* BudgetAllocate(size_t bytes);
void* BudgetReallocate(void* block, size_t bytes);
void BudgetFree(void* block);

}  // namespace trawl
