// A start tag as every reader of a page hands it on, and HtmlEvents, the interface that takes it.
//
// Attributes are read on demand: a reader of bytes hands over values as they are written, and Find replaces their
// references when somebody asks. An object belongs to one thread.
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
  // Whether `value` is as the page writes it, so that it may have references.
  bool is_written = false;
};

// Replaces references as gumbo does. The strings live until Clear and are then used again.
class HtmlReferences {
 public:
  std::string_view Replace(std::string_view written);
  // `front` and `name` together, in lower case.
  std::string_view Name(std::string_view front, std::string_view name);
  void Clear() { used_ = 0; }
  // Whether a reference was met whose replacement is not known. The text is then not what gumbo would make of it.
  bool is_unsure() const { return is_unsure_; }
  void ForgetDoubts() { is_unsure_ = false; }

 private:
  std::string& Next();

  std::deque<std::string> strings_;
  size_t used_ = 0;
  bool is_unsure_ = false;
};

// A name's bit in a set of names, by its length and first letter. The set mostly tells without a search that a tag does
// not have an attribute.
constexpr uint32_t HtmlNameBit(std::string_view name) {
  return name.empty() ? 1 : uint32_t{1} << ((static_cast<uint32_t>(name.front()) + name.size() * 7) & 31);
}

struct HtmlElement {
  HtmlTagTraits traits;
  // Each name occurs once, unless the reader is the flat scan.
  mutable std::vector<HtmlAttribute> attributes;
  // The bits of all names. A reader that does not collect them leaves all bits set.
  uint32_t names = ~uint32_t{0};
  // Replaces the references in values that are as written.
  HtmlReferences* references = nullptr;

  // Null if the tag has no such attribute. If it has several, the first counts. The value lives as long as the tag.
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

// How an element's content counts.
enum class HtmlShown : uint8_t {
  kYes,
  kHidden,  // links and meta elements count, text does not
  kInert,   // nothing counts: the reader leaves the content out
};

// Receives a page in the order of the document.
class HtmlEvents {
 public:
  virtual ~HtmlEvents() = default;
  // Every element that is opened is closed, in reverse order, with the value that Open returned; or Gone takes its place.
  virtual HtmlShown Open(const HtmlElement& element) = 0;
  // Attributes that a second <html> or <body> adds to the first, which is still open. A language is never among them.
  virtual void More(const HtmlElement& attributes) = 0;
  virtual void Close(const HtmlTagTraits& traits, HtmlShown shown) = 0;
  // An open element will not be closed, and nothing more stands in it. `above`: the number of open elements that were opened
  // after it. It is inline, is shown, and has no attribute of microdata or RDFa.
  virtual void Gone(size_t above) = 0;
  // The references in `utf8` are replaced.
  virtual void Text(std::string_view utf8) = 0;
};

}  // namespace trawl
