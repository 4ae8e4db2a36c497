#include "formats/html/text.h"

#include <array>
#include <utility>

namespace trawl {
namespace {

enum CharacterClass : uint8_t { kWord, kSpace, kLineFeed, kMaybeNoBreakSpace };

constexpr std::array<uint8_t, 256> kClassOf = [] {
  std::array<uint8_t, 256> classes{};
  classes[' '] = classes['\t'] = classes['\r'] = classes['\f'] = kSpace;
  classes['\n'] = kLineFeed;
  classes[0xC2] = kMaybeNoBreakSpace;  // U+00A0 is C2 A0
  return classes;
}();

uint8_t ClassAt(std::string_view text, size_t at) { return kClassOf[static_cast<uint8_t>(text[at])]; }

// The length in bytes of the white space at `at`; 0 for a word.
size_t GapBytes(std::string_view text, size_t at) {
  switch (ClassAt(text, at)) {
    case kWord:
      return 0;
    case kMaybeNoBreakSpace:
      return at + 1 < text.size() && text[at + 1] == '\xA0' ? 2 : 0;
    default:
      return 1;
  }
}

// The end of a run of words with single spaces between them: the caller takes such a run at once.
size_t EndOfRun(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (GapBytes(text, at) == 0) {
      ++at;
    } else if (text[at] == ' ' && at + 1 < text.size() && GapBytes(text, at + 1) == 0) {
      at += 2;
    } else {
      break;
    }
  }
  return at;
}

size_t CharacterBoundary(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

void CollapsedText::Append(std::string_view utf8, bool line_feeds_break) {
  size_t at = 0;
  while (at < utf8.size()) {
    if (const size_t gap = GapBytes(utf8, at); gap > 0) {
      if (line_feeds_break && utf8[at] == '\n') Break();
      Space();
      at += gap;
      continue;
    }
    const size_t end = EndOfRun(utf8, at);
    AppendRun(utf8.substr(at, end - at));
    at = end;
  }
}

void CollapsedText::Space() {
  if (gap_ == Gap::kNone) gap_ = Gap::kSpace;
}

void CollapsedText::Break() { gap_ = Gap::kLine; }

void CollapsedText::AppendRun(std::string_view run) {
  const size_t needed = run.size() + 1;
  if (text_.size() + needed > max_bytes_) {
    // After a cut, nothing that follows may join the text before the cut.
    const size_t room = cut_bytes_ > 0 || text_.size() + 1 > max_bytes_ ? 0 : max_bytes_ - text_.size() - 1;
    size_t kept = CharacterBoundary(run, room);
    while (kept > 0 && run[kept - 1] == ' ') --kept;
    cut_bytes_ += run.size() - kept;
    run = run.substr(0, kept);
    if (run.empty()) return;
  }
  if (!text_.empty() && gap_ != Gap::kNone) text_.push_back(gap_ == Gap::kLine ? '\n' : ' ');
  gap_ = Gap::kNone;
  text_.append(run);
}

std::string CollapsedText::Take() {
  gap_ = Gap::kNone;
  return std::exchange(text_, std::string());
}

std::string Collapsed(std::string_view utf8, size_t max_bytes) {
  CollapsedText text(max_bytes);
  text.Append(utf8);
  return text.Take();
}

}  // namespace trawl
