#include "tests/support/crawl/fetch_scene.h"

#include <cstdlib>
#include <fstream>

#include "jobs/fetch/fetch.h"
#include "jobs/policy/scope.h"
#include "runtime/job/local_runner.h"
#include "runtime/root/segment_data.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;

FetchScene::FetchScene(TestWeb& web) : root_(folder_.path() + "/crawl") {
  auto store = OpenStore(root_, {.sync = false});
  if (!store.ok()) std::abort();
  store_ = std::move(*store);
  options.allow_private = true;
  options.delay_ms = 0;
  options.ca_file = web.ca_file();
  options.hosts_file = folder_.path() + "/hosts";
  std::ofstream(options.hosts_file) << web.HostsFileText();
  now_ms = lists.now_ms;
}

Result<OpenSegment> FetchScene::Open(const std::vector<FetchListContent>& contents) {
  lists.segment = last_segment = "seg-" + std::to_string(++segments_);
  return OpenFetchSegment(store(), contents, lists);
}

Result<JobResult> FetchScene::Fetch(const OpenSegment& segment) {
  LocalRunner runner({.threads = 2, .attempts = 1});
  JobEnvironment environment;
  environment.store = store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = now_ms;
  environment.version = "test";
  environment.options = FetchOptionGroup().Print(options);
  environment.options.merge(RobotsOptionGroup().Print(robots));
  environment.options.merge(ScopeOptionGroup().Print({.scope = UrlScope::kAny}));
  return RunJob(environment, FetchRequest(store(), ChoiceOf(segment)));
}

Result<JobResult> FetchScene::FetchUrls(const std::vector<std::string>& urls) {
  ARROW_ASSIGN_OR_RAISE(const OpenSegment segment, Open({{.urls = ListedUrls(urls)}}));
  return Fetch(segment);
}

std::map<std::string, FetchRow> FetchScene::Rows() {
  return LastFetchRows(store(), last_segment).ValueOr(std::map<std::string, FetchRow>());
}

FetchRow FetchScene::RowOf(const std::string& url) { return Rows()[ListedUrl(url).key]; }

template <typename Row>
std::vector<Row> FetchScene::Dataset() {
  const auto record = ReadStep(store(), last_segment, kFetchStep);
  if (!record.ok() || !*record) return {};
  return ReadDataset<Row>(store(), last_segment, **record).ValueOr(std::vector<Row>());
}
template std::vector<FetchRow> FetchScene::Dataset();
template std::vector<ContentRow> FetchScene::Dataset();
template std::vector<HostRow> FetchScene::Dataset();
template std::vector<RobotsRow> FetchScene::Dataset();

std::vector<std::string> FetchScene::Arguments() {
  return {"fetch",
          "--root",
          root_,
          "--segment",
          last_segment,
          "--scope",
          "any",
          "--fetch.allow_private",
          "--fetch.hosts_file",
          options.hosts_file,
          "--fetch.ca_file",
          options.ca_file,
          "--fetch.delay_ms",
          std::to_string(options.delay_ms),
          "--now",
          FormatTimestamp(now_ms),
          "--json"};
}

}  // namespace trawl
