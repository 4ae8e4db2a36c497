#include "formats/markup/cost_names.h"

#include "formats/markup/markup.h"

namespace trawl {
namespace {

// The names that matter here are not longer than this.
constexpr size_t kLongestName = 32;

}  // namespace

uint64_t PackedNameAt(std::string_view html, size_t at) {
  uint64_t packed = 0;
  for (size_t i = at; i < html.size() && i < at + kLongestName && IsAsciiLetter(html[i]); ++i) {
    packed = packed << 8 | static_cast<uint8_t>(AsciiLower(html[i]));
  }
  return packed;
}

bool DeepensNothing(uint64_t name) {
  switch (name) {
    case Packed("area"):
    case Packed("base"):
    case Packed("br"):
    case Packed("col"):
    case Packed("embed"):
    case Packed("hr"):
    case Packed("img"):
    case Packed("image"):
    case Packed("input"):
    case Packed("link"):
    case Packed("meta"):
    case Packed("param"):
    case Packed("source"):
    case Packed("track"):
    case Packed("wbr"):
    case Packed("frame"):
    case Packed("keygen"):
    case Packed("p"):
    case Packed("li"):
    case Packed("dd"):
    case Packed("dt"):
    case Packed("tr"):
    case Packed("td"):
    case Packed("th"):
    case Packed("tbody"):
    case Packed("thead"):
    case Packed("tfoot"):
    case Packed("option"):
    case Packed("colgroup"):
    case Packed("html"):
    case Packed("head"):
    case Packed("body"):
    case Packed("a"):
    case Packed("nobr"):
    case Packed("button"):
    case Packed("form"):
      return true;
    default:
      return false;
  }
}

bool MergesAttributes(uint64_t name) { return name == Packed("html") || name == Packed("body"); }

bool IsForeign(uint64_t name) { return name == Packed("svg") || name == Packed("math"); }

// The names are the last eight letters of the part before a hyphen.
bool IsIntegrationPoint(uint64_t name) {
  switch (name) {
    case Packed("gnobject"):
    case Packed("desc"):
    case Packed("title"):
    case Packed("notation"):
    case Packed("mi"):
    case Packed("mo"):
    case Packed("mn"):
    case Packed("ms"):
    case Packed("mtext"):
      return true;
    default:
      return false;
  }
}

std::string_view RawTextName(uint64_t name) {
  switch (name) {
    case Packed("script"):
      return "script";
    case Packed("style"):
      return "style";
    case Packed("textarea"):
      return "textarea";
    default:
      return {};
  }
}

bool LeavesForeignContent(uint64_t name, std::string_view tag) {
  switch (name) {
    case Packed("b"):
    case Packed("big"):
    case Packed("blockquote"):
    case Packed("body"):
    case Packed("br"):
    case Packed("center"):
    case Packed("code"):
    case Packed("dd"):
    case Packed("div"):
    case Packed("dl"):
    case Packed("dt"):
    case Packed("em"):
    case Packed("embed"):
    case Packed("h"):
    case Packed("head"):
    case Packed("hr"):
    case Packed("i"):
    case Packed("img"):
    case Packed("li"):
    case Packed("listing"):
    case Packed("menu"):
    case Packed("meta"):
    case Packed("nobr"):
    case Packed("ol"):
    case Packed("p"):
    case Packed("pre"):
    case Packed("ruby"):
    case Packed("s"):
    case Packed("small"):
    case Packed("span"):
    case Packed("strong"):
    case Packed("strike"):
    case Packed("sub"):
    case Packed("sup"):
    case Packed("table"):
    case Packed("tt"):
    case Packed("u"):
    case Packed("ul"):
    case Packed("var"):
      return true;
    case Packed("font"):
      // The rule asks for an attribute color, face or size. Other attributes do no harm here.
      return tag.find_first_of(" \t\n\f\r/") != std::string_view::npos;
    default:
      return false;
  }
}

}  // namespace trawl
