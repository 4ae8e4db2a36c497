// Input: a block of JSON-LD, and a page with microdata, RDFa and meta elements. What nlohmann reads is not repaired and
// means the same; a normal form stays as it is; both readers of the page take the same items.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/documents/json.h"
#include "formats/structured/json_block.h"
#include "formats/structured/structured.h"
#include "formats/text/utf8.h"
#include "tests/support/html/difference.h"

namespace {

void Check(bool holds, const char* rule) {
  if (holds) return;
  std::fprintf(stderr, "broken rule: %s\n", rule);
  std::abort();
}

// Whether nlohmann can be asked: it calls itself for every level when it destroys a value.
bool IsShallow(std::string_view text) {
  int depth = 0, most = 0;
  for (const char c : text) {
    depth += c == '[' || c == '{' ? 1 : 0;
    most = depth > most ? depth : most;
  }
  return most <= trawl::kMostItemDepth;
}

void CheckBlock(std::string_view utf8) {
  const trawl::JsonBlock block = trawl::ReadJsonBlock(utf8);
  Check(block.value.has_value() == block.problem.empty(), "a block has a value or a problem");
  if (block.value) {
    const std::string json = trawl::JsonOf(*block.value);
    Check(json.find('\n') == std::string::npos && trawl::ValidUtf8Prefix(json) == json.size(), "one line of UTF-8");
    if (json.size() <= trawl::kMostBlockBytes) {
      const trawl::JsonBlock again = trawl::ReadJsonBlock(json);
      Check(again.value && again.repaired.empty() && trawl::JsonOf(*again.value) == json, "a normal form is stable");
    }
  }
  if (!IsShallow(utf8)) return;
  const nlohmann::json other = nlohmann::json::parse(utf8, nullptr, false);
  // nlohmann skips a byte order mark in front, which RFC 8259 (section 8.1) does not ask for.
  if (other.is_discarded() || utf8.starts_with("\xEF\xBB\xBF")) return;
  Check(block.value && block.repaired.empty(), "a valid block is read as it is");
  Check(nlohmann::json::parse(trawl::JsonOf(*block.value), nullptr, false) == other, "a valid block means the same");
}

void CheckPage(std::string_view utf8) {
  trawl::HtmlWild wild;
  const std::string difference = trawl::DifferenceBetweenReaders(utf8, {}, &wild);
  if (!difference.empty()) std::fprintf(stderr, "%s\n", difference.c_str());
  Check(difference.empty(), "both readers take the same");
  const trawl::HtmlPage page = trawl::HtmlParser().Parse(utf8);
  const trawl::StructuredPage read =
      trawl::ReadStructured(page.structured, {nullptr, "http://a.test/2025/01/02/", 1'767'268'800'000});
  Check(read.items.size() <= trawl::kMostPageItems + 1, "a thousand items");
  size_t bytes = 0;
  for (const trawl::PageItem& item : read.items) {
    Check(item.json.empty() != item.problem.empty(), "an item has JSON or a problem");
    bytes += item.json.size();
    if (item.json.empty() || item.json.size() > trawl::kMostBlockBytes) continue;
    const trawl::JsonBlock block = trawl::ReadJsonBlock(item.json);
    Check(block.repaired.empty() &&
              (block.value ? trawl::JsonOf(*block.value) == item.json : block.problem.starts_with("more than")),
          "an item is in normal form");
  }
  Check(bytes <= trawl::kMostPageItemBytes, "8 MiB of items");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  CheckBlock(trawl::RepairedUtf8(body));
  std::string storage;
  CheckPage(trawl::DecodeToUtf8(body, trawl::SniffCharset(body, {}).encoding, &storage));
  return 0;
}
