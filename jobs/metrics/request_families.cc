// Counters of requests: totals of the crawl, and the parts of open segments.
#include <set>

#include "formats/rows/outcome.h"
#include "jobs/metrics/families.h"
#include "jobs/sums/guessed_sitemap.h"

namespace trawl {

namespace {

LiveSums OpenSums(const MetricsInput& input) {
  LiveSums sums;
  if (input.live == nullptr) return sums;
  for (const LiveSegment& segment : input.live->segments) sums.Add(segment.sums);
  return sums;
}

double Of(int64_t number) { return static_cast<double>(number); }

// The outcomes that there are; a document cannot make more of them.
std::string KnownOutcome(const std::string& outcome) {
  static const std::set<std::string> known = [] {
    std::set<std::string> names = {std::string(kNoSitemapOutcome)};
    for (int i = 1; i <= static_cast<int>(Outcome::kDropped); ++i) names.insert(TextOf(static_cast<Outcome>(i)));
    return names;
  }();
  return known.contains(outcome) ? outcome : "other";
}

}  // namespace

std::vector<MetricFamily> FetchedFamilies(const MetricsInput& input) {
  const LiveSums open = OpenSums(input);
  MetricFamily pages = {"trawl_fetch_pages_total", MetricType::kCounter, "Pages whose bodies were stored", {}, {}};
  MetricFamily bytes = {"trawl_fetch_bytes_total", MetricType::kCounter, "Bytes of answers, decoded", {}, {}};
  MetricFamily wire = {"trawl_fetch_wire_bytes_total", MetricType::kCounter, "Bytes of answers, as they came", {}, {}};
  if (input.manifest != nullptr && input.manifest->totals) {
    const Totals& totals = *input.manifest->totals;
    const MetricLabels labels = {{"crawl", input.crawl}};
    pages.Add(Of(totals.pages + open.pages), labels);
    bytes.Add(Of(totals.bytes + open.bytes), labels);
    wire.Add(Of(totals.wire_bytes + open.wire_bytes), labels);
  }
  return {pages, bytes, wire};
}

std::vector<MetricFamily> RequestFamilies(const MetricsInput& input) {
  MetricFamily requests = {"trawl_fetch_requests_total",
                           MetricType::kCounter,
                           "Requests, and URLs that were settled without one, by outcome",
                           {},
                           {}};
  MetricFamily responses = {
      "trawl_fetch_responses_total", MetricType::kCounter, "Answers by the class of their status", {}, {}};
  MetricFamily times = {"trawl_fetch_response_seconds",
                        MetricType::kHistogram,
                        "Time from the beginning of a request to the end of its answer",
                        {},
                        {}};
  MetricFamily duplicates = {"trawl_fetch_duplicate_bodies_total",
                             MetricType::kCounter,
                             "Bodies that were equal to another one of their round",
                             {},
                             {}};
  if (input.ever == nullptr) return {requests, responses, times, duplicates};
  const LiveSums open = OpenSums(input);
  std::map<std::string, int64_t> outcomes, codes = {{"1xx", 0}, {"2xx", 0}, {"3xx", 0}, {"4xx", 0}, {"5xx", 0}};
  for (const auto* counts : {&input.ever->outcomes, &open.outcomes}) {
    for (const auto& [outcome, count] : *counts) outcomes[KnownOutcome(outcome)] += count;
  }
  for (const auto& [code, count] : input.ever->codes) {
    if (codes.contains(code)) codes[code] += count;
  }
  for (const auto& [status, count] : open.statuses) {
    const std::string code = ClassOfStatus(status);
    if (codes.contains(code)) codes[code] += count;
  }
  outcomes.try_emplace("fetched", 0);
  for (const auto& [outcome, count] : outcomes) {
    requests.Add(Of(count), {{"crawl", input.crawl}, {"outcome", outcome}});
  }
  for (const auto& [code, count] : codes) responses.Add(Of(count), {{"crawl", input.crawl}, {"code", code}});
  AnswerTimes answers = input.ever->answers;
  answers.Add(open.answers);
  MetricHistogram histogram = {.sum = Of(answers.sum_ms) / 1000};
  for (const int64_t bound_ms : AnswerTimes::kBoundsMs) histogram.bounds.push_back(Of(bound_ms) / 1000);
  histogram.counts.assign(answers.counts.begin(), answers.counts.end());
  AddHistogram(histogram, {{"crawl", input.crawl}}, &times);
  duplicates.Add(Of(input.ever->duplicates + open.duplicates), {{"crawl", input.crawl}});
  return {requests, responses, times, duplicates};
}

}  // namespace trawl
