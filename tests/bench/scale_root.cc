// Makes the crawls that scripts/scale measures: roots of any size that every verb accepts (tests/support/crawl/made_crawl.h).
//
//   scale_root FOLDER URLS [SEED]     makes the crawl: urls, hosts, robots, seeds, outlinks. What follows from these
//                                     (digests, fingerprints, patterns, ranks) the verbs themselves make
//   scale_root FOLDER --answer [SEED] fetches and parses the oldest open segment, without any network: writes what the two
//                                     steps would have written for its lists. REQUIRES: the same seed as before
//
// Equal arguments make equal rows. Two threads; memory as MadeCrawl says, and some 100 MB for the writers.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/documents/sealed_json.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/link_list.h"
#include "formats/rows/link_row.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/seed_host_row.h"
#include "formats/url/key.h"
#include "jobs/stats/totals.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/run_writer.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/made_crawl.h"
#include "tests/support/values/mix.h"

namespace trawl {
namespace {

constexpr size_t kThreads = 2;
constexpr int64_t kSeedEvery = 1'000;  // hosts
// The body of an answer: real ones are larger, and are measured by themselves.
constexpr int kBodyWords = 40;
constexpr TimeMs kAnsweredMs = MadeCrawl::kNowMs + kHourMs;

// -- tables ---------------------------------------------------------------------------------------------------------------

// Writes a run in parts of hosts, one for each thread. `write(first host, end, writer, thread)`.
template <typename Row, typename Write>
void WriteTable(Store* store, const MadeCrawl& crawl, Manifest* next, Write&& write) {
  const std::string run = std::string("20260831T000000Z-made-") + Row::kTable;
  RunRecord record = {.table = Row::kTable, .schema = Row::kVersion, .job = run};
  std::array<std::vector<FileReceipt>, kThreads> files;
  std::vector<std::jthread> threads;
  RowFileOptions options;
  if constexpr (requires { Row::kBatchRows; }) options.batch_rows = Row::kBatchRows;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      RunWriter<Row> writer(store, RunFolder(Row::kTable, run), "m" + std::to_string(i) + "-0", options);
      const auto border = [&](size_t part) {
        return crawl.hosts() * static_cast<int64_t>(part) / static_cast<int64_t>(kThreads);
      };
      write(border(i), border(i + 1), &writer, i);
      files[i] = Check(writer.Finish());
    });
  }
  threads.clear();
  for (const auto& part : files) record.files.insert(record.files.end(), part.begin(), part.end());
  next->tables[Row::kTable] = {Check(WriteRunRecord(store, run, record))};
  std::printf("%s: %lld rows, %lld bytes\n", Row::kTable, static_cast<long long>(next->tables[Row::kTable][0].rows),
              static_cast<long long>(next->tables[Row::kTable][0].bytes));
  std::fflush(stdout);
}

void WriteUrls(Store* store, const MadeCrawl& crawl, Manifest* next) {
  std::array<Totals, kThreads> totals;
  WriteTable<UrlRow>(store, crawl, next, [&](int64_t host, int64_t end, RunWriter<UrlRow>* writer, size_t thread) {
    for (; host < end; ++host) {
      for (int64_t page = crawl.FirstPage(host); page < crawl.FirstPage(host + 1); ++page) {
        const UrlRow row = crawl.UrlRowOf(host, page);
        ++totals[thread].states[TextOf(row.state)];
        totals[thread].bodies += HasBody(row) ? 1 : 0;
        Check(writer->Append(row));
      }
    }
  });
  Totals sum;
  for (const Totals& part : totals) {
    for (const auto& [state, count] : part.states) sum.states[state] += count;
    sum.bodies += part.bodies;
  }
  next->totals = sum;
}

void WriteHosts(Store* store, const MadeCrawl& crawl, Manifest* next) {
  WriteTable<HostRow>(store, crawl, next, [&](int64_t host, int64_t end, RunWriter<HostRow>* writer, size_t) {
    for (; host < end; ++host) Check(writer->Append(crawl.HostRowOf(host)));
  });
  WriteTable<RobotsRow>(store, crawl, next, [&](int64_t host, int64_t end, RunWriter<RobotsRow>* writer, size_t) {
    for (; host < end; ++host) {
      if (crawl.IsVisited(host)) Check(writer->Append(crawl.RobotsRowOf(host)));
    }
  });
  WriteTable<SeedHostRow>(store, crawl, next, [&](int64_t host, int64_t end, RunWriter<SeedHostRow>* writer, size_t) {
    for (; host < end; ++host) {
      if (host % kSeedEvery == 0)
        Check(writer->Append({.key = crawl.HostPart(host), .added_ms = MadeCrawl::kNowMs - 30 * kDayMs}));
    }
  });
}

void WriteOutlinks(Store* store, const MadeCrawl& crawl, Manifest* next) {
  WriteTable<OutlinksRow>(store, crawl, next, [&](int64_t host, int64_t end, RunWriter<OutlinksRow>* writer, size_t) {
    LinkListWriter list;
    OutlinksRow row;
    for (; host < end; ++host) {
      for (int64_t page = crawl.FirstPage(host); page < crawl.FirstPage(host + 1); ++page) {
        if (!crawl.IsAsked(host, page)) continue;
        const UrlRow url = crawl.UrlRowOf(host, page);
        if (url.state != UrlState::kFetched) continue;
        list.Clear();
        crawl.ForEachLink(
            host, Mix(static_cast<uint64_t>(page)), false,
            [&](const std::string& key, const std::string& text) { list.Add({.key = key, .how = "a", .text = text}); });
        row.key = url.key;
        row.fetched_ms = url.fetched_ms;
        row.links = row.listed = list.links();
        row.list.assign(list.bytes());
        Check(writer->Append(row));
      }
    }
  });
}

void Make(const std::string& folder, int64_t urls, uint64_t seed) {
  const auto store = Check(OpenStore(folder, {.sync = false}));
  Manifest first;
  first.normal_form = "standard";
  first.unicode = "17.0";
  first.published_ms = MadeCrawl::kNowMs - 30 * kDayMs;
  const Snapshot present = Check(CreateCrawl(store.get(), first));
  if (present.manifest.number != 0) Check(arrow::Status::Invalid(folder, " is a crawl already"));
  const MadeCrawl crawl(urls, seed);
  Manifest next = NextManifest(present, "20260831T000000Z-made-0", "made", MadeCrawl::kNowMs);
  next.settings = {{"urls.scope", "any"}, {"fetch.contact", "https://scale.example/"}};
  WriteUrls(store.get(), crawl, &next);
  WriteHosts(store.get(), crawl, &next);
  WriteOutlinks(store.get(), crawl, &next);
  Check(PublishSnapshot(store.get(), next).status());
  std::printf("hosts: %lld\n", static_cast<long long>(crawl.hosts()));
}

// -- a round --------------------------------------------------------------------------------------------------------------

template <typename Row>
class DatasetWriter {
 public:
  DatasetWriter(Store* store, const std::string& segment)
      : writer_(store, DatasetFolder(segment, Row::kTable), "m0-0", OptionsOf()) {}
  void Append(const Row& row) { Check(writer_.Append(row)); }
  void Finish(StepRecord* record) {
    record->schemas[Row::kTable] = Row::kVersion;
    record->tasks[0].files[Row::kTable] = Check(writer_.Finish());
    std::printf("%s: %lld rows\n", Row::kTable, static_cast<long long>(writer_.rows()));
  }

 private:
  static RowFileOptions OptionsOf() {
    // One file: places of bodies name it.
    return {.sorted = false, .file_bytes = int64_t{1} << 40, .file_rows = int64_t{1} << 40};
  }
  RunWriter<Row> writer_;
};

// Answers a list, page by page.
class Answers {
 public:
  Answers(Store* store, const MadeCrawl& crawl, const std::string& segment)
      : store_(store),
        crawl_(crawl),
        segment_(segment),
        fetches_(store, segment),
        contents_(store, segment),
        hosts_(store, segment),
        robots_(store, segment),
        parses_(store, segment),
        links_(store, segment) {}

  void Answer(const UrlRow& listed) {
    const uint64_t random = Mix(Hash64(listed.key));
    FetchRow row;
    row.key = listed.key;
    row.url = RequestUrl(listed);
    row.fetched_ms = kAnsweredMs + answers_++ % kHourMs;
    row.began_ms = row.fetched_ms - 100;
    row.requests = 1;
    row.depth = listed.depth;
    row.score = listed.score;
    row.first_byte_ms = 80;
    row.total_ms = 100;
    row.address = "192.0.2.1";
    row.http_version = "1.1";
    row.response_headers = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: nginx\r\n\r\n";
    row.request_headers = "GET / HTTP/1.1\r\nUser-Agent: trawl\r\nAccept-Encoding: gzip, br\r\n\r\n";
    EncodeRow(listed, &row.listed);
    // Of a hundred answers 90 have a page, five have none, and five hosts fail.
    row.outcome = random % 100 < 90 ? Outcome::kFetched : random % 100 < 95 ? Outcome::kGone : Outcome::kServerError;
    row.status = random % 100 < 90 ? 200 : random % 100 < 95 ? 404 : 503;
    if (row.outcome == Outcome::kFetched) Page(listed, random, &row);
    fetches_.Append(row);
  }
  void Answer(const HostRow& listed) {
    HostRow row = listed;
    row.answered_ms = kAnsweredMs + kHourMs;
    row.response_ms = 100;
    hosts_.Append(row);
  }
  void Answer(const RobotsRow& listed) {
    if (listed.fetched_ms > 0) return;
    RobotsRow row = listed;
    row.outcome = Outcome::kGone;
    row.status = 404;
    row.fetched_ms = kAnsweredMs;
    row.due_ms = kAnsweredMs + kDayMs;
    robots_.Append(row);
  }

  void Finish(const StepRecord& lists) {
    StepRecord fetch = RecordOf(lists, kFetchStep, "fetch"), parse = RecordOf(lists, kParseStep, "parse");
    fetches_.Finish(&fetch);
    contents_.Finish(&fetch);
    hosts_.Finish(&fetch);
    robots_.Finish(&fetch);
    fetch.counters = {{"pages", pages_}, {"requests", answers_}, {"bytes", bytes_}, {"wire_bytes", bytes_}};
    Put(fetch);
    parses_.Finish(&parse);
    links_.Finish(&parse);
    parse.counters = {{"pages", pages_}};
    Put(parse);
  }

 private:
  static StepRecord RecordOf(const StepRecord& lists, const char* step, const std::string& job) {
    return {.segment = lists.segment,
            .step = step,
            .job = "20260901T010000Z-" + job + "-00000000",
            .snapshot = lists.snapshot,
            .now_ms = kAnsweredMs,
            .tasks = {StepTask()}};
  }
  void Put(const StepRecord& record) {
    Check(store_->CreateExclusive(DatasetRecordPath(segment_, record.step), SealJson(ToJson(record))).status());
  }

  void Page(const UrlRow& listed, uint64_t random, FetchRow* row) {
    ContentRow body = {.key = row->key,
                       .url = row->url,
                       .fetched_ms = row->fetched_ms,
                       .content_type = "text/html; charset=utf-8",
                       .headers = row->response_headers};
    body.body = "<!doctype html><title>" + MadeCrawl::Words(random, 4, ' ') + "</title><p>";
    for (uint64_t i = 0; i < kBodyWords; i += 5) body.body += MadeCrawl::Words(Mix(random + i), 5, ' ') + "\n";
    body.body_digest = Sha256Of(body.body);
    body.depth = listed.depth;
    body.score = listed.score;
    body.first_parse = listed.parser == 0;
    body.began_ms = row->began_ms;
    row->content_type = body.content_type;
    row->bytes = row->wire_bytes = static_cast<int64_t>(body.body.size());
    row->body_digest = body.body_digest;
    row->body_sha1 = Sha1Of(body.body);
    row->content_file = "m0-0-0.orc";
    row->content_row = pages_++;
    bytes_ += row->bytes;
    contents_.Append(body);
    Parse(body, random);
  }

  void Parse(const ContentRow& body, uint64_t random) {
    ParseRow row;
    row.key = body.key;
    row.url = body.url;
    row.fetched_ms = body.fetched_ms;
    row.media_type = "text/html";
    row.charset = "UTF-8";
    row.charset_source = "http";
    row.title = MadeCrawl::Words(random, 4, ' ');
    row.text = body.body.substr(body.body.find("<p>") + 3);
    row.language = "und";
    row.tree = "complete";
    row.body_digest = body.body_digest;
    const MadeContent content = crawl_.ContentOf(random);
    row.content_digest = content.digest;
    row.simhash = content.simhash;
    row.has_simhash = true;
    row.text_sketch = content.sketch;
    const int64_t host = crawl_.FindHost(HostPartOfKey(body.key));
    LinkRow link;
    link.key = body.key;
    link.how = "a";
    link.enters = true;
    link.counts = body.first_parse;
    link.depth = body.depth + 1;
    link.score = body.score;
    crawl_.ForEachLink(std::max<int64_t>(host, 0), random, true, [&](const std::string& key, const std::string& text) {
      link.to = key;
      link.text = text;
      links_.Append(link);
      ++row.links;
    });
    parses_.Append(row);
  }

  Store* const store_;
  const MadeCrawl& crawl_;
  const std::string segment_;
  DatasetWriter<FetchRow> fetches_;
  DatasetWriter<ContentRow> contents_;
  DatasetWriter<HostRow> hosts_;
  DatasetWriter<RobotsRow> robots_;
  DatasetWriter<ParseRow> parses_;
  DatasetWriter<LinkRow> links_;
  int64_t answers_ = 0, pages_ = 0, bytes_ = 0;
};

template <typename Row>
void AnswerAll(Store* store, const StepRecord& lists, const std::string& dataset, Answers* answers) {
  for (const FileReceipt& file : lists.FilesOf(dataset)) {
    Check(ForEachDatasetRow<Row>(store, lists.segment, dataset, file, [&](const Row& row) {
      answers->Answer(row);
      return arrow::Status::OK();
    }));
  }
}

void AnswerSegment(const std::string& folder, uint64_t seed) {
  const auto store = Check(OpenStore(folder, {.sync = false}));
  const Manifest manifest = Check(ReadPresent(store.get())).manifest;
  if (manifest.open_segments.empty()) Check(arrow::Status::Invalid(folder, " has no open segment"));
  const OpenSegment& segment = manifest.open_segments.front();
  const Manifest made = Check(ReadSnapshot(store.get(), 1)).manifest;
  const MadeCrawl crawl(made.tables.at(UrlRow::kTable).front().rows, seed);
  const StepRecord lists = Check(ReadLists(store.get(), segment.id, segment.job, segment.lists));
  Answers answers(store.get(), crawl, segment.id);
  AnswerAll<UrlRow>(store.get(), lists, "fetchlist", &answers);
  AnswerAll<HostRow>(store.get(), lists, "fetchlist_hosts", &answers);
  AnswerAll<RobotsRow>(store.get(), lists, "fetchlist_robots", &answers);
  answers.Finish(lists);
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  const uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (argc >= 3 && std::string(argv[2]) == "--answer") {
    trawl::AnswerSegment(argv[1], seed);
  } else if (const long long urls = argc >= 3 ? std::atoll(argv[2]) : 0; urls >= 1'000) {
    trawl::Make(argv[1], urls, seed);
  } else {
    std::fprintf(stderr, "usage: scale_root FOLDER URLS|--answer [SEED]    (URLS: 1000 or more)\n");
    return 2;
  }
  return 0;
}
