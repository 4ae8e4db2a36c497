#include "runtime/process/free_memory.h"

#include <malloc.h>

#include "arrow/memory_pool.h"

namespace trawl {

void GiveBackFreeMemory() {
  arrow::default_memory_pool()->ReleaseUnused();
  malloc_trim(0);
}

}  // namespace trawl
