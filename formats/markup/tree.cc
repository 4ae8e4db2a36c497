#include "formats/markup/tree.h"

#include <gumbo.h>

#include <cstdio>
#include <cstdlib>

#include "formats/markup/arena.h"
#include "formats/markup/cost.h"
#include "formats/markup/limits.h"

namespace trawl {
namespace {

// The parse in progress on this thread, for __assert_fail below.
thread_local HtmlArena* arena_under_way = nullptr;

void* Allocate(void* arena, size_t bytes) { return static_cast<HtmlArena*>(arena)->Allocate(bytes); }
void Free(void* arena, void* pointer) { static_cast<HtmlArena*>(arena)->Free(pointer); }

// Returns null if the parse was left. Nothing here may need a destructor, because the jump runs no destructors.
const GumboOutput* GuardedParse(const GumboOptions* options, const char* bytes, size_t size, HtmlArena* arena) {
  if (setjmp(*arena->jump()) != 0) return nullptr;
  return gumbo_parse_with_options(options, bytes, size);
}

HtmlTreeState StateOf(ArenaExit exit) {
  switch (exit) {
    case ArenaExit::kNone:
      return HtmlTreeState::kComplete;
    case ArenaExit::kDepth:
      return HtmlTreeState::kTooDeep;
    case ArenaExit::kWork:
      return HtmlTreeState::kTooMuchWork;
    case ArenaExit::kMemory:
      return HtmlTreeState::kTooMuchMemory;
    case ArenaExit::kAssertion:
      break;
  }
  return HtmlTreeState::kParserGaveUp;
}

}  // namespace

HtmlTree ParseHtmlTree(std::string_view utf8, const HtmlTreeOptions& tree_options, HtmlArena* arena) {
  if (utf8.size() > kMostHtmlBytes) return {nullptr, HtmlTreeState::kTooMuchMemory};
  const uint64_t max_work = MostHtmlWork(utf8.size());
  const HtmlCost cost = EstimateHtmlCost(utf8, max_work);
  if (cost.work > max_work) return {nullptr, HtmlTreeState::kTooDeep};
  const size_t max_bytes = MostHtmlMemory(utf8.size());
  arena->Reset({max_bytes, max_work, cost.has_foreign_content});

  GumboOptions options = kGumboDefaultOptions;
  options.allocator = Allocate;
  options.deallocator = Free;
  options.userdata = arena;
  options.max_errors = 0;  // gumbo copies the stack of open elements for each error that it records
  if (tree_options.fragment_tag != HtmlTreeOptions::kNoFragment) {
    options.fragment_context = static_cast<GumboTag>(tree_options.fragment_tag);
    options.fragment_namespace = static_cast<GumboNamespaceEnum>(tree_options.fragment_namespace);
  }
  arena_under_way = arena;
  // gumbo looks at the first byte even of an empty page.
  const GumboOutput* output = GuardedParse(&options, utf8.empty() ? "" : utf8.data(), utf8.size(), arena);
  arena_under_way = nullptr;
  return {output, StateOf(arena->exit())};
}

}  // namespace trawl

// gumbo is distributed with its assertions compiled in, and some pages make an assertion fail
// ("<table><svg><desc><![CDATA[x]]> " is one). That would end the whole process. This definition takes precedence over
// the C library's. While gumbo works on this thread, a failed assertion ends that parse as a limit does. Any other
// failed assertion ends the process as usual.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the C library's name is meant.
extern "C" [[noreturn]] void __assert_fail(const char* assertion, const char* file, unsigned int line,
                                           const char* function) noexcept {
  if (trawl::arena_under_way != nullptr) trawl::arena_under_way->Leave(trawl::ArenaExit::kAssertion);
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, assertion);
  std::abort();
}
