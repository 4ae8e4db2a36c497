#include "formats/html/dump.h"

#include <gumbo.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "arrow/status.h"
#include "formats/markup/arena.h"
#include "formats/markup/markup.h"
#include "formats/markup/rename.h"
#include "formats/markup/tree.h"

namespace trawl {
namespace {

using arrow::Result;
using arrow::Status;

std::string_view View(const GumboStringPiece& piece) { return {piece.data, piece.length}; }

// The name as the tag writes it, with U+FFFD for NUL.
std::string WrittenName(const GumboElement& element) {
  std::string_view tag = View(element.original_tag);
  if (tag.starts_with('<')) tag.remove_prefix(1);
  std::string name;
  for (const char c : tag.substr(0, tag.find_first_of(" \t\n\f\r/>"))) {
    if (c == '\0') {
      name += "\xEF\xBF\xBD";
    } else {
      name.push_back(AsciiLower(c));
    }
  }
  return name;
}

std::string NameOf(const GumboElement& element) {
  if (element.tag_namespace == GUMBO_NAMESPACE_SVG && element.original_tag.length > 0) {
    const std::string written = WrittenName(element);
    const GumboStringPiece piece = {written.data(), written.size()};
    const char* cased = gumbo_normalize_svg_tagname(&piece);
    return cased != nullptr ? cased : written;
  }
  return element.tag == GUMBO_TAG_UNKNOWN ? WrittenName(element) : gumbo_normalized_tagname(element.tag);
}

// SVG attributes whose spelling gumbo still corrects, although the standard no longer does.
bool IsNoLongerCased(std::string_view name) {
  return name == "contentScriptType" || name == "contentStyleType" || name == "externalResourcesRequired" ||
         name == "filterRes";
}

std::string NameOf(const GumboAttribute& attribute) {
  const std::string name = attribute.name;
  switch (attribute.attr_namespace) {
    case GUMBO_ATTR_NAMESPACE_XLINK:
      return "xlink " + name;
    case GUMBO_ATTR_NAMESPACE_XML:
      return name == "base" ? "xml:base" : "xml " + name;
    case GUMBO_ATTR_NAMESPACE_XMLNS:
      return "xmlns " + name;
    default:
      return IsNoLongerCased(name) ? AsciiLower(name) : name;
  }
}

class Dumper {
 public:
  explicit Dumper(const HtmlRenaming& renaming) : renaming_(renaming) {}

  void Document(const GumboDocument& document, std::string_view html) {
    const size_t doctype_at = document.has_doctype ? DoctypeOffset(document, html) : 0;
    bool is_written = !document.has_doctype;
    for (unsigned i = 0; i < document.children.length; ++i) {
      const auto* child = static_cast<const GumboNode*>(document.children.data[i]);
      const bool is_before = child->type == GUMBO_NODE_COMMENT && child->v.text.start_pos.offset < doctype_at;
      if (!is_written && !is_before) {
        Doctype(document);
        is_written = true;
      }
      Tree(*child, 0);
    }
    if (!is_written) Doctype(document);
  }

  void Children(const GumboVector& children, size_t depth) {
    for (unsigned i = 0; i < children.length; ++i) Tree(*static_cast<const GumboNode*>(children.data[i]), depth);
    FlushText(depth);
  }

  std::string Take() {
    if (!dump_.empty()) dump_.pop_back();
    return std::move(dump_);
  }

 private:
  // gumbo keeps the doctype apart from the nodes around it. It is the first doctype that is not inside a comment.
  static size_t DoctypeOffset(const GumboDocument& document, std::string_view html) {
    size_t at = 0;
    for (unsigned i = 0; i < document.children.length; ++i) {
      const auto* child = static_cast<const GumboNode*>(document.children.data[i]);
      if (child->type != GUMBO_NODE_COMMENT) break;
      const size_t start = child->v.text.start_pos.offset;
      const std::string_view between = html.substr(std::min(at, html.size()), start > at ? start - at : 0);
      if (AsciiLower(between).find("<!doctype") != std::string::npos) return at;
      at = start + child->v.text.original_text.length;
    }
    return at;
  }

  void Line(size_t depth, std::string_view text) {
    dump_.append("| ");
    dump_.append(2 * depth, ' ');
    dump_.append(text);
    dump_.push_back('\n');
  }

  void Doctype(const GumboDocument& document) {
    std::string line = "<!DOCTYPE " + std::string(document.name);
    if (*document.public_identifier != '\0' || *document.system_identifier != '\0') {
      line += std::string(" \"") + document.public_identifier + "\" \"" + document.system_identifier + "\"";
    }
    Line(0, line + ">");
  }

  // Texts that stand side by side are one text in the standard's tree.
  void FlushText(size_t depth) {
    if (!text_.empty()) Line(depth, "\"" + text_ + "\"");
    text_.clear();
  }

  void Element(const GumboElement& element, size_t depth) {
    std::string name = renaming_.NameAt(View(element.original_tag).data());
    if (name.empty()) name = NameOf(element);
    if (element.tag_namespace == GUMBO_NAMESPACE_SVG) name = "svg " + name;
    if (element.tag_namespace == GUMBO_NAMESPACE_MATHML) name = "math " + name;
    Line(depth, "<" + name + ">");
    std::vector<std::string> attributes;
    for (unsigned i = 0; i < element.attributes.length; ++i) {
      const auto* attribute = static_cast<const GumboAttribute*>(element.attributes.data[i]);
      attributes.push_back(NameOf(*attribute) + "=\"" + attribute->value + "\"");
    }
    std::sort(attributes.begin(), attributes.end());
    for (const std::string& attribute : attributes) Line(depth + 1, attribute);
  }

  // Recursion is safe because the guards keep the tree shallow.
  void Tree(const GumboNode& node, size_t depth) {
    switch (node.type) {
      case GUMBO_NODE_TEXT:
      case GUMBO_NODE_WHITESPACE:
      case GUMBO_NODE_CDATA:
        text_ += node.v.text.text;
        return;
      case GUMBO_NODE_COMMENT:
        FlushText(depth);
        return Line(depth, std::string("<!-- ") + node.v.text.text + " -->");
      default:
        FlushText(depth);
        Element(node.v.element, depth);
    }
    if (node.type == GUMBO_NODE_TEMPLATE) Line(++depth, "content");
    Children(node.v.element.children, depth + 1);
  }

  const HtmlRenaming& renaming_;
  std::string dump_;
  std::string text_;
};

Result<HtmlTreeOptions> TreeOptions(const std::string& fragment) {
  HtmlTreeOptions options;
  if (fragment.empty()) return options;
  std::string_view name = fragment;
  if (name.starts_with("svg ")) {
    options.fragment_namespace = GUMBO_NAMESPACE_SVG;
    name.remove_prefix(4);
  } else if (name.starts_with("math ")) {
    options.fragment_namespace = GUMBO_NAMESPACE_MATHML;
    name.remove_prefix(5);
  }
  if (name.empty()) return Status::Invalid("a fragment's context is 'NAME', 'svg NAME' or 'math NAME'");
  options.fragment_tag = gumbo_tagn_enum(name.data(), static_cast<unsigned>(name.size()));
  return options;
}

}  // namespace

Result<std::string> DumpHtmlTree(std::string_view utf8, const HtmlDumpOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const HtmlTreeOptions tree_options, TreeOptions(options.fragment));
  const HtmlRenaming renaming(utf8, options.scripting);
  HtmlArena arena;
  const HtmlTree tree = ParseHtmlTree(renaming.html(), tree_options, &arena);
  if (tree.output == nullptr) return Status::CapacityError("the tree is refused: ", HtmlTreeStateName(tree.state));
  Dumper dumper(renaming);
  if (tree_options.fragment_tag == HtmlTreeOptions::kNoFragment) {
    dumper.Document(tree.output->document->v.document, renaming.html());
  } else {
    dumper.Children(tree.output->root->v.element.children, 0);
  }
  return dumper.Take();
}

}  // namespace trawl
