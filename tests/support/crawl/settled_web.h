// A crawl of generated pages whose rows the test writes itself, as updatedb would, and what a comparison of all pages with
// all others says of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/settle/settle.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/local_runner.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {

inline constexpr int64_t kStartMs = 1'767'225'600'000;

// A fetched page of a content. `body`: tells bodies of one content apart.
inline UrlRow PageOf(const std::string& url, const std::string& content, const std::string& body = "b") {
  UrlRow row;
  row.key = *KeyOfUrl(url);
  row.state = UrlState::kFetched;
  row.outcome = Outcome::kFetched;
  row.status = 200;
  row.parser = kParserVersion;
  row.discovered_ms = kStartMs;
  row.fetched_ms = kStartMs;
  row.interval_ms = 10 * kDayMs;
  row.due_ms = kStartMs + row.interval_ms;
  row.bytes = 1000;
  row.content_digest = Sha256Of(content);
  row.body_digest = Sha256Of(content + "/" + body);
  row.body_segment = row.parse_segment = "s0";
  row.body_file = row.parse_file = "of-" + ToHex(Hash64(url + content + body)) + ".orc";
  return row;
}

struct SettleHow {
  int threads = 1, partitions = 1;
  bool all = false;
  // Called before the snapshot is published, the first time.
  std::function<void()> meanwhile = {};
  OptionTexts options = {};
};

inline arrow::Result<Settled> SettleOn(Store* store, const SettleHow& how = {}) {
  LocalRunner runner({.threads = how.threads, .memory_bytes = 64 << 20, .attempts = 1});
  JobEnvironment environment;
  environment.store = store;
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = kStartMs;
  environment.version = "test";
  environment.options = how.options;
  environment.options["job.partitions"] = std::to_string(how.partitions);
  environment.options["threads"] = std::to_string(how.threads);
  environment.options.merge(SettleOptionTexts());
  bool is_first = true;
  const auto run = [&](const JobRequest& request) {
    JobRequest disturbed = request;
    disturbed.apply = [&](const Plan& plan, const JobOutput& output, Manifest* next) {
      if (is_first && how.meanwhile) how.meanwhile();
      is_first = false;
      return request.apply(plan, output, next);
    };
    return RunJob(environment, disturbed);
  };
  return Settle(store, environment.options, {.all = how.all}, StopToken(), run);
}

// The key of the page that stands for each page which does not stand for itself, by comparing all with all.
std::map<std::string, std::string> DuplicatesByComparing(const std::vector<UrlRow>& rows);

// Whether settle joins two pages that stand for their contents, at distance 3 and with the second look.
bool AreNear(const UrlRow& a, const UrlRow& b);
// The same of the pages whose text is nearly that of another, where all is decided anew.
std::map<std::string, std::string> NearOnesByComparing(const std::vector<UrlRow>& rows);

std::vector<UrlRow> AllUrls(Store* store);
std::string DigestOfTable(Store* store, bool of_urls);

// Pages in groups, which change from round to round.
class ChangingWeb {
 public:
  explicit ChangingWeb(uint32_t seed, int pages, int groups);

  // What updatedb writes in the next round; `present`: the rows as they are.
  std::vector<UrlRow> NextRound(const std::map<std::string, UrlRow>& present);
  // The digest of the body that lies in a file.
  const std::map<std::string, std::string>& bodies() const { return bodies_; }

 private:
  std::string UrlOf(int page) const;
  void Fetch(int page, const UrlRow* before, UrlRow* row);
  int Draw(int most) { return static_cast<int>(random_() % static_cast<uint32_t>(most)); }

  std::mt19937 random_;
  const int pages_, groups_;
  int round_ = 0;
  std::map<std::string, std::string> bodies_;
};

}  // namespace trawl
