// The memory of one gumbo parse, and the meter on its work: for html_tree.cc alone.
//
// gumbo has no limits of its own, and several of its steps cost time in proportion to how deep the page is nested, how
// many formatting elements are open or how many attributes a tag has. It asks for memory at every token, so the meter
// stands here: each request is charged by the sizes of those lists, which are known because gumbo grows them by
// requests too. A limit that is reached ends the parse by a jump out of the allocator. One charged unit is about a
// nanosecond, and only what goes beyond gumbo's linear cost is charged: an ordinary page is charged nothing.
//
// Memory is handed out from blocks and never walked back: ending a parse, however deep its tree, costs nothing.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace trawl {

enum class ArenaExit { kNone, kDepth, kWork, kMemory, kAssertion };

struct ArenaLimits {
  size_t max_bytes = 0;
  uint64_t max_work = 0;
  // SVG or MathML is in the page: gumbo compares each attribute with some seventy names then.
  bool has_foreign_content = false;
};

class HtmlArena {
 public:
  HtmlArena() = default;
  HtmlArena(const HtmlArena&) = delete;
  HtmlArena& operator=(const HtmlArena&) = delete;
  ~HtmlArena();

  // Takes back everything that was handed out. Keeps a little of it for the next page.
  void Reset(const ArenaLimits& limits);

  // REQUIRES for both: setjmp(*jump()) has been called by a function that has not returned.
  void* Allocate(size_t bytes);
  void Free(void* pointer);

  // Ends the parse: setjmp returns a second time, and exit() says why.
  [[noreturn]] void Leave(ArenaExit why);
  ArenaExit exit() const { return exit_; }
  std::jmp_buf* jump() { return &jump_; }

 private:
  struct Header;
  struct FreeBlock;
  // A vector of gumbo's: where its items are, and for how many there is room.
  struct Watched {
    void* items = nullptr;
    size_t capacity = 0;
  };

  void* Place(size_t bytes);
  void* PlaceLarge(size_t bytes);
  void NewChunk();
  void CountBytes(size_t bytes);
  void Charge(size_t bytes);
  void WatchFirstRequests(void* pointer, size_t bytes);
  void FollowGrowth(const void* freed);

  static constexpr size_t kClasses = 65;

  ArenaLimits limits_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  size_t chunks_used_ = 0;
  char* next_ = nullptr;
  char* end_ = nullptr;
  FreeBlock* free_[kClasses] = {};
  std::vector<void*> large_;
  size_t bytes_ = 0;
  uint64_t work_ = 0;
  size_t requests_ = 0;
  Watched open_elements_;
  Watched formatting_elements_;
  void* last_pointer_ = nullptr;
  size_t last_bytes_ = 0;
  uint64_t attributes_in_tag_ = 0;
  ArenaExit exit_ = ArenaExit::kNone;
  std::jmp_buf jump_;
};

}  // namespace trawl
