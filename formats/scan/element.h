// A start tag as every reader of a page hands it on, and what takes it: HtmlEvents.
//
// Attributes are read on demand: a reader that looks at bytes hands over values as they are written, and Find replaces
// their references when somebody asks. An object belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "formats/markup/tags.h"

namespace trawl {

struct HtmlAttribute {
  // Lower case.
  std::string_view name;
  std::string_view value;
  // Whether `value` stands as it is written and may have references.
  bool is_written = false;
};

// Replaces references as gumbo does. Strings live until Clear and are used again then.
class HtmlReferences {
 public:
  std::string_view Replace(std::string_view written);
  // Both together, in lower case.
  std::string_view Name(std::string_view front, std::string_view name);
  void Clear() { used_ = 0; }
  // Whether a reference was met whose replacement is not known; the text is then not what gumbo would make of it.
  bool is_unsure() const { return is_unsure_; }
  void ForgetDoubts() { is_unsure_ = false; }

 private:
  std::string& Next();

  std::deque<std::string> strings_;
  size_t used_ = 0;
  bool is_unsure_ = false;
};

// A set of names by length and first letter: whether a tag may have an attribute is mostly known without looking.
constexpr uint32_t HtmlNameBit(std::string_view name) {
  return name.empty() ? 1 : uint32_t{1} << ((static_cast<uint32_t>(name.front()) + name.size() * 7) & 31);
}

struct HtmlElement {
  HtmlTagTraits traits;
  // Each name once, unless the reader is the flat scan.
  mutable std::vector<HtmlAttribute> attributes;
  // The bits of all names; a reader that does not collect them leaves all set.
  uint32_t names = ~uint32_t{0};
  // For values as they are written.
  HtmlReferences* references = nullptr;

  // Null where there is none; of several the first. Lives as long as the tag.
  const std::string_view* Find(std::string_view name) const {
    return (names & HtmlNameBit(name)) == 0 ? nullptr : Search(name);
  }
  std::string_view Get(std::string_view name) const {
    const std::string_view* value = Find(name);
    return value == nullptr ? std::string_view() : *value;
  }

 private:
  const std::string_view* Search(std::string_view name) const;
};

// What became of an element's content.
enum class HtmlShown : uint8_t {
  kYes,
  kHidden,  // links and meta elements count, text does not
  kInert,   // nothing counts: the reader leaves the content out
};

// Takes a page in the order of the document.
class HtmlEvents {
 public:
  virtual ~HtmlEvents() = default;
  // Every element that is opened is closed, in reverse order, with what Open answered.
  virtual HtmlShown Open(const HtmlElement& element) = 0;
  // Attributes that a second <html> or <body> adds to the first, which is open; no language is among them.
  virtual void More(const HtmlElement& attributes) = 0;
  virtual void Close(const HtmlTagTraits& traits, HtmlShown shown) = 0;
  // References replaced.
  virtual void Text(std::string_view utf8) = 0;
};

}  // namespace trawl
