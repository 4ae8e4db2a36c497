#include "jobs/wacz/pages.h"

#include <map>
#include <string_view>
#include <tuple>

#include "formats/documents/json.h"
#include "jobs/wacz/selection.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

namespace {

bool IsPage(const CaptureRow& capture) {
  const std::string& type = capture.mime_detected.empty() ? capture.mime : capture.mime_detected;
  return capture.status == 200 && (type == "text/html" || type == "application/xhtml+xml");
}

// "3f2504e0-…" of "<urn:uuid:3f2504e0-…>".
std::string_view BareId(std::string_view id) {
  constexpr std::string_view kUrn = "<urn:uuid:";
  return id.starts_with(kUrn) && id.ends_with('>') ? id.substr(kUrn.size(), id.size() - kUrn.size() - 1) : id;
}

}  // namespace

std::string PageTime(int64_t time_ms) { return FormatTimestamp(time_ms - time_ms % 1000); }

PageList PagesOf(const std::vector<CaptureRow>& captures, const std::string& prefix) {
  std::map<std::string_view, const CaptureRow*> last;
  for (const CaptureRow& capture : captures) {
    if (!IsPage(capture) || !HasPrefix(capture.url, prefix)) continue;
    const CaptureRow*& known = last[capture.url];
    const auto order = [](const CaptureRow& row) { return std::tie(row.began_ms, row.record_id); };
    if (known == nullptr || order(*known) < order(capture)) known = &capture;
  }
  // A revisit's row has no title of its own where nobody parsed it: the record of the same payload has it.
  std::map<std::string_view, std::string_view> titles;
  for (const CaptureRow& capture : captures) {
    if (!capture.digest.empty() && !capture.title.empty()) titles.try_emplace(capture.digest, capture.title);
  }
  PageList list;
  list.text = DumpJson({{"format", "json-pages-1.0"}, {"id", "pages"}, {"title", "All Pages"}}) + "\n";
  const CaptureRow* main = nullptr;
  for (const auto& [url, page] : last) {
    Json line = {{"id", BareId(page->record_id)}, {"url", url}, {"ts", PageTime(page->began_ms)}};
    std::string_view title = page->title;
    if (const auto same = titles.find(page->digest); title.empty() && same != titles.end()) title = same->second;
    if (!title.empty()) line["title"] = title;
    list.text += DumpJson(line) + "\n";
    const bool is_prefix = url == prefix;
    if (main == nullptr || is_prefix || (main->url != prefix && url.size() < main->url.size())) main = page;
  }
  list.pages = static_cast<int64_t>(last.size());
  if (main != nullptr) {
    list.main_url = main->url;
    list.main_ms = main->began_ms;
  }
  return list;
}

}  // namespace trawl
