#include "jobs/rounds/failures.h"

#include <algorithm>
#include <set>

#include "formats/url/key.h"
#include "jobs/policy/advice.h"
#include "jobs/sums/guessed_sitemap.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// What the outcome means to whoever gave the URL; empty where the outcome says it.
std::string HintOf(const FetchRow& row) {
  const auto says = [&row](const char* outcome) {
    return TextOf(row.outcome) == outcome || row.reason.find(outcome) != std::string::npos;
  };
  if (says("dns_failed")) return "no such host; is its name spelled right?";
  if (says("connect_failed")) return "the server refuses the connection, or none is there";
  if (row.outcome == Outcome::kTypeRefused) return "its type is not one that is crawled";
  if (row.outcome == Outcome::kServerError || row.status >= 500) return "the server answers with errors only";
  return "";
}

}  // namespace

namespace {

std::string OptionAdviceFor(Outcome outcome) {
  UrlRow row;
  row.state = UrlState::kRefused;
  row.outcome = outcome;
  const std::string advice = AdviceFor(row);
  return advice.starts_with("--") ? advice : "";
}

}  // namespace

std::string FailureText(const FetchRow& row) {
  std::string what = TextOf(row.outcome) + (row.status > 0 ? " " + std::to_string(row.status) : "");
  if (!row.reason.empty()) what += ": " + row.reason;
  const std::string hint = HintOf(row);
  return hint.empty() ? what : hint + " (" + what + ")";
}

Result<std::vector<FailedUrl>> ReadFailures(Store* store, const StepRecord& fetched) {
  struct Told {
    FailedUrl url;
    FetchOrder order;
  };
  std::vector<Told> told;
  const auto take = [&told](const FetchRow& row) {
    if (IsNoSitemap(row)) return Status::OK();
    const FetchOrder order = {row.fetched_ms, row.requests};
    auto same = std::find_if(told.begin(), told.end(), [&row](const Told& one) { return one.url.key == row.key; });
    if (same == told.end() && told.size() == kFailuresTold) return Status::OK();
    if (same != told.end() && !IsLater(order, same->order)) return Status::OK();
    if (same == told.end()) same = told.insert(told.end(), Told());
    *same = {{row.key, TextOf(row.outcome), row.status, FailureText(row), OptionAdviceFor(row.outcome)}, order};
    return Status::OK();
  };
  for (const FileReceipt& file : fetched.FilesOf(FetchRow::kTable)) {
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(
        store, fetched.segment, FetchRow::kTable, file, take,
        {.columns = {"key", "outcome", "reason", "status", "fetched_ms", "requests"}, .batch_rows = kNarrowBatchRows}));
  }
  std::vector<FailedUrl> failures;
  for (Told& one : told) failures.push_back(std::move(one.url));
  return failures;
}

Json ToJson(const std::vector<FailedUrl>& failures) {
  Json json = Json::array();
  for (const FailedUrl& failed : failures) {
    std::string url;
    if (!WriteUrlOfKey(failed.key, &url)) url = failed.key;
    json.push_back({{"url", url}, {"outcome", failed.outcome}, {"status", failed.status}, {"reason", failed.reason}});
    if (!failed.advice.empty()) json.back()["advice"] = failed.advice;
  }
  return json;
}

std::string ReadableFailures(const std::vector<FailedUrl>& failures) {
  std::string text;
  for (const Json& failed : ToJson(failures)) {
    text += "  " + failed["url"].get<std::string>() + ": " + failed["reason"].get<std::string>() + "\n";
  }
  std::set<std::string> advices;
  for (const FailedUrl& failed : failures) {
    if (!failed.advice.empty() && advices.insert(failed.advice).second) text += "  " + failed.advice + "\n";
  }
  return text;
}

}  // namespace trawl
