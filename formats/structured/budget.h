// How much a page may make of what it has: an itemref may name an element a thousand times, and elements with texts may
// stand in one another. For the sources of formats/structured. One page, one thread.
#pragma once

#include <cstddef>

namespace trawl {

class ItemBudget {
 public:
  // False once it is used up.
  bool Visit() { return visits_ > 0 && --visits_ > 0; }
  bool Take(size_t bytes) {
    if (bytes > bytes_) bytes_ = 0;
    bytes_ -= bytes < bytes_ ? bytes : bytes_;
    return bytes_ > 0;
  }
  bool is_empty() const { return visits_ == 0 || bytes_ == 0; }

 private:
  // The looks at elements: ten for each of the elements that a reader keeps.
  size_t visits_ = 200'000;
  size_t bytes_ = 8 << 20;
};

}  // namespace trawl
