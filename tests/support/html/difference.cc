#include "tests/support/html/difference.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "formats/content/main_text.h"
#include "formats/html/urls.h"
#include "formats/structured/structured.h"

namespace trawl {
namespace {

std::string Shown(const std::string& text) { return text; }
std::string Shown(const HtmlLink& link) {
  return std::string(LinkKindName(link.kind)) + " href='" + link.href + "' text='" + link.text + "' rel='" + link.rel +
         "' language='" + link.language + "' type='" + link.media_type + "'";
}

template <typename Number>
std::string Shown(Number number) {
  return std::to_string(number);
}

bool AreSame(const HtmlLink& a, const HtmlLink& b) { return Shown(a) == Shown(b); }

class Comparison {
 public:
  template <typename Value>
  void Field(const char* name, const Value& scanned, const Value& tree) {
    if (scanned == tree || !difference_.empty()) return;
    difference_ = std::string(name) + ":\n  scan: " + Shown(scanned) + "\n  tree: " + Shown(tree);
  }

  void Links(const char* name, const std::vector<HtmlLink>& scanned, const std::vector<HtmlLink>& tree) {
    for (size_t i = 0; i < std::min(scanned.size(), tree.size()); ++i) {
      if (!AreSame(scanned[i], tree[i])) return Field(name, Shown(scanned[i]), Shown(tree[i]));
    }
    Field(name, scanned.size(), tree.size());
  }

  std::string Take() { return std::move(difference_); }

 private:
  std::string difference_;
};

std::string ShownOutline(const PageOutline& outline) {
  if (!outline.is_whole()) return "none";
  std::string shown;
  for (const OutlineNode& node : outline.nodes()) {
    for (const uint32_t number : {node.parent, node.end, node.text_begin, node.text_end}) {
      shown += std::to_string(static_cast<int32_t>(number)) + " ";
    }
    shown += std::to_string(static_cast<int>(node.part)) + " " + std::to_string(node.signs) + "\n";
  }
  return shown;
}

std::string Shown(const std::optional<Refresh>& refresh) {
  return refresh ? std::to_string(refresh->delay_s) + " " + refresh->url : "none";
}

std::string ShownDirectives(const RobotsDirectives& robots) {
  std::string shown;
  for (const bool asked : {robots.noindex, robots.nofollow, robots.noarchive, robots.nosnippet, robots.noimageindex,
                           robots.notranslate, robots.noai, robots.noimageai}) {
    shown += asked ? '1' : '0';
  }
  return shown + " " + std::to_string(robots.unavailable_after_ms.value_or(-1));
}

// What becomes of the structured data: the statements, and each item.
std::vector<std::string> ShownStructured(const HtmlPage& page) {
  constexpr char kUrl[] = "http://example.com/a";
  const arrow::Result<BaseUrl> base = BaseOfPage(page, kUrl, "UTF-8");
  const StructuredPage read = ReadStructured(page.structured, {base.ok() ? &*base : nullptr, kUrl, 1'767'268'800'000});
  const PageStatements& says = read.statements;
  std::vector<std::string> shown = {std::to_string(says.published_ms) + says.published_from + " " +
                                    std::to_string(says.modified_ms) + says.modified_from + " " + says.author + " " +
                                    says.headline + " " + says.image + " " + says.site_name + " " + says.schema_types +
                                    " " + says.og_type};
  for (const PageItem& item : read.items) {
    shown.push_back(std::string(ItemSyntaxName(item.syntax)) + " " + std::to_string(item.block) + " " +
                    std::to_string(item.position) + " " + item.repaired + " " + item.problem + " " + item.json);
  }
  return shown;
}

}  // namespace

std::string DifferenceOf(const HtmlPage& scanned, const HtmlPage& tree) {
  Comparison comparison;
  comparison.Links("links", scanned.links, tree.links);
  comparison.Links("resources", scanned.resources, tree.resources);
  comparison.Field("title", scanned.title, tree.title);
  comparison.Field("text", scanned.text, tree.text);
  comparison.Field("has_base", scanned.has_base, tree.has_base);
  comparison.Field("base_href", scanned.base_href, tree.base_href);
  comparison.Field("language", scanned.language, tree.language);
  comparison.Field("description", scanned.description, tree.description);
  comparison.Field("robots", ShownDirectives(scanned.robots), ShownDirectives(tree.robots));
  comparison.Field("refresh", Shown(scanned.refresh), Shown(tree.refresh));
  comparison.Field("tdm_reservation", scanned.tdm_reservation, tree.tdm_reservation);
  comparison.Field("tdm_policy", scanned.tdm_policy, tree.tdm_policy);
  comparison.Field("amphtml_href", scanned.amphtml_href, tree.amphtml_href);
  comparison.Field("scripts", scanned.script_hints.scripts, tree.script_hints.scripts);
  comparison.Field("application_root", scanned.script_hints.application_root, tree.script_hints.application_root);
  comparison.Field("asks_for_script", scanned.script_hints.asks_for_script, tree.script_hints.asks_for_script);
  comparison.Field("cuts.links", scanned.cuts.links, tree.cuts.links);
  comparison.Field("cuts.resources", scanned.cuts.resources, tree.cuts.resources);
  comparison.Field("cuts.text_bytes", scanned.cuts.text_bytes, tree.cuts.text_bytes);
  const std::vector<std::string> items = ShownStructured(scanned), others = ShownStructured(tree);
  for (size_t i = 0; i < std::min(items.size(), others.size()); ++i)
    comparison.Field("structured", items[i], others[i]);
  comparison.Field("items", items.size(), others.size());
  comparison.Field("outline", ShownOutline(scanned.outline), ShownOutline(tree.outline));
  comparison.Field("main_text", MainContentOf(scanned.outline, scanned.text).text,
                   MainContentOf(tree.outline, tree.text).text);
  comparison.Field("tree", std::string(HtmlTreeStateName(HtmlTreeState::kComplete)),
                   std::string(HtmlTreeStateName(tree.tree)));
  return comparison.Take();
}

std::string DifferenceBetweenReaders(std::string_view utf8, const HtmlOptions& options, HtmlWild* wild) {
  const HtmlPage scanned = HtmlParser(options).Parse(utf8);
  *wild = scanned.wild;
  if (!scanned.read_by_scan) return {};
  HtmlOptions with_tree = options;
  with_tree.reader = HtmlReading::kTree;
  return DifferenceOf(scanned, HtmlParser(with_tree).Parse(utf8));
}

}  // namespace trawl
