// The memory of one gumbo parse, and the meter on its work: for tree.cc, and for its callers, who own the arena.
//
// gumbo has no limits of its own. Several of its steps take time in proportion to the depth of the page, to the number
// of open formatting elements or to the number of a tag's attributes. gumbo asks for memory at every token, so the
// meter stands here. The meter charges each request by the sizes of those lists, and it knows these sizes because gumbo
// grows the lists by requests too. When a limit is reached, a jump out of the allocator ends the parse. One charged
// unit is about a nanosecond. The meter charges only the cost beyond gumbo's linear cost: an ordinary page is charged
// nothing.
//
// The arena hands out memory from blocks and never walks back through them. The end of a parse costs nothing, however
// deep the tree is.
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
  // The page has SVG or MathML: gumbo then compares each attribute with some seventy names.
  bool has_foreign_content = false;
};

class HtmlArena {
 public:
  HtmlArena() = default;
  HtmlArena(const HtmlArena&) = delete;
  HtmlArena& operator=(const HtmlArena&) = delete;
  ~HtmlArena();

  // Takes back all memory that was handed out. Keeps a little of it for the next page.
  void Reset(const ArenaLimits& limits);

  // REQUIRES for both: setjmp(*jump()) has been called by a function that has not returned.
  void* Allocate(size_t bytes);
  void Free(void* pointer);

  // Ends the parse: setjmp returns a second time, and exit() tells why.
  [[noreturn]] void Leave(ArenaExit why);
  ArenaExit exit() const { return exit_; }
  std::jmp_buf* jump() { return &jump_; }

 private:
  struct Header;
  struct FreeBlock;
  // A vector of gumbo's: the address of its items, and the number of items for which it has room.
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
