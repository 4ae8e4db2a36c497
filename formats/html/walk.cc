#include "formats/html/walk.h"

#include <gumbo.h>

#include <deque>
#include <string>
#include <vector>

#include "formats/text/utf8.h"

namespace trawl {
namespace {

struct OpenNode {
  const GumboNode* node;
  unsigned next_child = 0;
  HtmlTagTraits traits;
  HtmlPageBuilder::Shown shown = HtmlPageBuilder::Shown::kYes;
};

bool IsElement(const GumboNode& node) { return node.type == GUMBO_NODE_ELEMENT || node.type == GUMBO_NODE_TEMPLATE; }

const GumboVector& ChildrenOf(const GumboNode& node) {
  return node.type == GUMBO_NODE_DOCUMENT ? node.v.document.children : node.v.element.children;
}

std::string_view WrittenName(const GumboElement& element) {
  std::string_view tag(element.original_tag.data, element.original_tag.length);
  if (tag.starts_with('<')) tag.remove_prefix(1);
  return tag.substr(0, tag.find_first_of(" \t\n\f\r/>"));
}

HtmlTagTraits TraitsOf(const GumboElement& element) {
  HtmlTagTraits traits =
      element.tag == GUMBO_TAG_UNKNOWN ? TraitsOfName(WrittenName(element)) : TraitsOfTag(element.tag);
  if (element.tag_namespace == GUMBO_NAMESPACE_HTML) return traits;
  return ForeignTraits(traits);
}

// gumbo's numbers overflow: "&#999999999999999;" becomes bytes that are not UTF-8.
std::string_view Sound(std::string_view text, std::string* repaired) {
  if (ValidUtf8Prefix(text) == text.size()) return text;
  AppendRepairedUtf8(text, repaired);
  return *repaired;
}

// Converts one element at a time to the form that the builder takes.
class ElementReader {
 public:
  // The result lives until the next call.
  const HtmlElement& Read(const GumboElement& from) {
    element_.traits = TraitsOf(from);
    element_.attributes.clear();
    repaired_.clear();
    for (unsigned i = 0; i < from.attributes.length; ++i) {
      const auto* attribute = static_cast<const GumboAttribute*>(from.attributes.data[i]);
      std::string_view value = attribute->value;
      if (ValidUtf8Prefix(value) != value.size()) value = Sound(value, &repaired_.emplace_back());
      element_.attributes.push_back({attribute->name, value});
    }
    return element_;
  }

 private:
  HtmlElement element_;
  std::deque<std::string> repaired_;
};

}  // namespace

void WalkHtmlTree(const GumboNode* root, HtmlPageBuilder* builder) {
  std::vector<OpenNode> open;
  open.push_back({root, 0, {}, HtmlPageBuilder::Shown::kYes});
  ElementReader reader;
  std::string repaired;
  while (!open.empty()) {
    OpenNode& top = open.back();
    const GumboVector& children = ChildrenOf(*top.node);
    if (top.next_child == children.length || top.shown == HtmlPageBuilder::Shown::kInert) {
      if (IsElement(*top.node)) builder->Close(top.traits, top.shown);
      open.pop_back();
      continue;
    }
    const auto* child = static_cast<const GumboNode*>(children.data[top.next_child++]);
    if (IsElement(*child)) {
      const HtmlElement& element = reader.Read(child->v.element);
      const HtmlPageBuilder::Shown shown = builder->Open(element);
      open.push_back({child, 0, element.traits, shown});
    } else if (child->type != GUMBO_NODE_COMMENT) {
      repaired.clear();
      builder->Text(Sound(child->v.text.text, &repaired));
    }
  }
}

}  // namespace trawl
