// trawl archive over rounds in which pages change, stay, are not modified and come back to an older content: what a reader of
// the WARC files gets for each visit is what the server sent then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/documents/sealed_json.h"
#include "formats/sitemap/gzip.h"
#include "formats/warc/names.h"
#include "formats/warc/reader.h"
#include "jobs/archive/stored_files.h"
#include "runtime/job/plan.h"
#include "runtime/process/own_process.h"
#include "runtime/root/layout.h"
#include "runtime/store/store.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

namespace fs = std::filesystem;
using arrow::Status;
using ::testing::HasSubstr;

constexpr const char* kRounds[] = {"2026-01-01T01:00:00Z", "2026-02-01T00:00:00Z", "2026-12-01T00:00:00Z"};

std::string Long(const std::string& word) {
  std::string text = "<title>" + word + "</title><p>";
  for (int i = 0; i < 200; ++i) text += word + " " + std::to_string(i) + " ";
  return text;
}

// Bodies in messages.
std::string Short(const std::string& body) {
  return body.empty() ? "" : body.substr(0, 32) + " and so on, " + ToHex(Hash64(body));
}

// What the page says when it is asked for the n-th time.
std::string BodyOf(const std::string& path, int number) {
  if (path == "/same") return Long("same");
  if (path == "/etag") return Long("etag");
  if (path == "/changes") return Long("version " + std::to_string(number));
  if (path == "/back") return Long(number == 2 ? "other" : "first");
  if (path == "/twin1" || path == "/twin2") return Long("twin");
  if (path == "/gzip") return Long("coded");
  if (path == "/empty") return "";
  if (path == "/header") return Long("not to be kept");
  if (path == "/meta") return "<meta name=robots content=noarchive>" + Long("not to be kept either");
  if (path == "/over") return "<meta name=robots content='unavailable_after: 2026-01-15T00:00:00Z'>" + Long("over");
  return "";
}
constexpr const char* kPaths[] = {"/same", "/etag",  "/changes", "/back", "/twin1", "/twin2",
                                  "/gzip", "/empty", "/header",  "/meta", "/over"};

TestHandler Site() {
  return [](const TestRequest& request) {
    TestPage page;
    if (request.path == "/robots.txt") {
      return AnswerWith({.content_type = "text/plain", .body = "User-agent: *\nDisallow: /none\n"}, request);
    }
    if (request.path == "/moved") return AnswerWith(RedirectTo("/same"), request);
    if (std::find(std::begin(kPaths), std::end(kPaths), request.path) == std::end(kPaths)) {
      return AnswerWith(NotFound(), request);
    }
    page.body = BodyOf(request.path, request.number);
    if (request.path == "/etag") page.etag = "\"one\"";
    if (request.path == "/header") page.headers.emplace_back("X-Robots-Tag", "noarchive");
    if (request.path == "/gzip") page.coding = "gzip";
    if (request.path == "/gzip") page.chunked = true;
    return AnswerWith(page, request);
  };
}

// A record, with what replay tools look at.
struct Record {
  WarcRecord record;
  std::string payload;
};

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// All records below the folder, by id.
std::map<std::string, Record> RecordsOf(const std::string& directory) {
  std::map<std::string, Record> records;
  for (const auto& entry : fs::recursive_directory_iterator(directory + "/crawl-data")) {
    if (!entry.path().string().ends_with(".warc.gz")) continue;
    const std::string file = ReadText(entry.path());
    std::string block;
    WarcReader reader(SourceOf(file), {.take_block = [&block](std::string_view piece) { block += piece; }});
    while (true) {
      Record one;
      block.clear();
      const auto more = reader.Next(&one.record);
      EXPECT_OK(more.status());
      if (!more.ok() || !*more) break;
      EXPECT_EQ(one.record.fault, "") << entry.path() << " at " << one.record.offset;
      one.payload = block.substr(one.record.http_head.size());
      const std::string id(one.record.Get("WARC-Record-ID"));
      EXPECT_TRUE(records.emplace(id, std::move(one)).second) << "the id " << id << " came twice";
      if (::testing::Test::HasFailure()) return records;
    }
  }
  return records;
}

// The files that others read, and their bytes; without documents of the archive's own.
std::map<std::string, std::string> FilesOf(const std::string& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    files[fs::relative(entry.path(), directory)] = ReadText(entry.path());
  }
  return files;
}

std::vector<std::string> NamesOf(const std::map<std::string, std::string>& files) {
  std::vector<std::string> names;
  for (const auto& [name, text] : files) names.push_back(name);
  return names;
}

class Archive : public ::testing::Test {
 protected:
  Archive() {
    web_.web().AddHost("a.test", Site());
    web_.Start();
    std::vector<std::string> seeds = {"--now", CrawledWeb::kNow, "http://a.test/gone", "http://a.test/moved"};
    for (const char* const path : kPaths) seeds.push_back(std::string("http://a.test") + path);
    web_.Object(web_.Arguments("inject", "c", seeds));
  }
  void Round(int round) {
    const BinaryResult result = web_.Run(
        web_.Arguments("round", "c",
                       {"--now", kRounds[round], "--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file",
                        web_.hosts_file(), "--urls.scope", "any", "--urls.depth", "0", "--fetch.retries", "0"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  void ThreeRounds() {
    for (int round = 0; round < 3; ++round) Round(round);
  }
  BinaryResult Run(const std::string& folder, const std::string& name, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {directory(folder), "--name", name, "--now", "2027-01-01T00:00:00Z"});
    return web_.Run(web_.Arguments("archive", "c", more));
  }
  Json Ask(const std::string& folder, const std::string& name, const std::vector<std::string>& more = {}) const {
    const BinaryResult result = Run(folder, name, more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ParseJson(result.out).ValueOr(Json());
  }
  std::string directory(const std::string& folder) const { return web_.root(folder); }
  void ExpectSound(const std::string& folder) const {
    const BinaryResult result = web_.Run(web_.Arguments("archive", "c", {directory(folder), "--verify"}));
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  }

  // The payloads of a page's captures in the order of time, as a reader resolves them: a revisit has its original's.
  std::vector<std::string> Visits(const std::map<std::string, Record>& records, const std::string& path) const {
    std::map<std::string, std::string> by_date;
    for (const auto& [id, one] : records) {
      const std::string_view type = one.record.type();
      if (one.record.target_uri() != "http://a.test" + path || (type != "response" && type != "revisit")) continue;
      std::string& payload = by_date[std::string(one.record.Get("WARC-Date"))];
      EXPECT_EQ(payload, "") << "two captures at once";
      payload = type == "response" ? one.payload : Resolved(records, one);
    }
    std::vector<std::string> payloads;
    for (const auto& [date, payload] : by_date) payloads.push_back(Short(payload));
    return payloads;
  }

  static std::string Resolved(const std::map<std::string, Record>& records, const Record& revisit) {
    const auto original = records.find(std::string(revisit.record.Get("WARC-Refers-To")));
    if (original == records.end()) {
      ADD_FAILURE() << revisit.record.target_uri() << " refers to a record that is not there";
      return "";
    }
    const WarcRecord& there = original->second.record;
    EXPECT_EQ(there.type(), "response");
    EXPECT_EQ(revisit.record.Get("WARC-Refers-To-Target-URI"), there.target_uri());
    EXPECT_EQ(revisit.record.Get("WARC-Refers-To-Date"), there.Get("WARC-Date"));
    if (revisit.record.Get("WARC-Profile") == kWarcSamePayload) {
      EXPECT_EQ(revisit.record.Get("WARC-Payload-Digest"), there.Get("WARC-Payload-Digest")) << "to the letter";
    } else {
      EXPECT_EQ(revisit.record.Get("WARC-Profile"), kWarcNotModified);
      EXPECT_EQ(revisit.record.block_bytes, 0) << "a head would be replayed as an empty 304";
    }
    return original->second.payload;
  }

  void ExpectEveryVisit(const std::map<std::string, Record>& records) const {
    for (const char* const path : {"/same", "/etag", "/changes", "/back", "/twin1", "/twin2", "/gzip", "/empty"}) {
      SCOPED_TRACE(path);
      std::vector<std::string> bodies;
      for (int number = 1; number <= 3; ++number) bodies.push_back(Short(BodyOf(path, number)));
      EXPECT_EQ(Visits(records, path), bodies);
    }
    for (const char* const path : {"/header", "/meta", "/over"}) EXPECT_TRUE(Visits(records, path).empty()) << path;
  }

  CrawledWeb web_;
};

TEST_F(Archive, EachVisitIsWhatTheServerSaid) {
  ThreeRounds();
  const Json report = Ask("out", "N1", {"--text"});
  EXPECT_EQ(report["captures"]["warc"].get<int>() + report["skipped"]["noarchive"].get<int>() +
                report["skipped"]["unavailable_after"].get<int>(),
            11 * 3 - 2)
      << "of eleven pages, less two answers of 304: " << report.dump();
  EXPECT_EQ(report["skipped"]["noarchive"], 6);
  EXPECT_EQ(report["skipped"]["unavailable_after"], 3);
  EXPECT_EQ(report["captures"]["crawldiagnostics"].get<int>() >= 4, true) << "two 304, and a 404 and a redirect";
  EXPECT_GE(report["captures"]["robotstxt"], 1);
  const auto records = RecordsOf(directory("out"));
  ExpectEveryVisit(records);
  ExpectSound("out");

  std::map<std::string, int> profiles;
  for (const auto& [id, one] : records) {
    if (one.record.type() == "revisit") ++profiles[std::string(one.record.Get("WARC-Profile"))];
  }
  // Of /same two, of /gzip two, of /back one, of the twins five.
  EXPECT_EQ(profiles[kWarcSamePayload], 10);
  EXPECT_EQ(profiles[kWarcNotModified], 2);
  EXPECT_TRUE(fs::exists(directory("out") + "/_SUCCESS"));
  EXPECT_GE(report["records"]["conversion"], 5);
}

TEST(ArchivedRobots, EachAnswerOnTheWayIsARecordAndWhatServesTwoHostsIsOne) {
  CrawledWeb web;
  const TestPage rules = {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /no\n"};
  for (const char* const host : {"a.test", "b.test"}) {
    web.web().AddHost(host,
                      ServePages({{"/robots.txt", RedirectTo("http://shared.test/1", 301)}, {"*", {.body = host}}}));
  }
  web.web().AddHost("shared.test", ServePages({{"/1", RedirectTo("/2", 307)}, {"/2", rules}}));
  web.Start();
  web.Object(web.Arguments("inject", "c", {"--now", CrawledWeb::kNow, "http://a.test/", "http://b.test/"}));
  const BinaryResult round =
      web.Run(web.Arguments("round", "c",
                            {"--now", kRounds[0], "--fetch.allow_private", "--fetch.delay_ms", "0",
                             "--fetch.hosts_file", web.hosts_file(), "--urls.scope", "any", "--urls.depth", "0"}));
  ASSERT_EQ(round.exit_code, 0) << round.err;
  const Json report =
      ParseJson(web.Run(web.Arguments("archive", "c", {web.root("out"), "--name", "N"})).out).ValueOr(Json());
  EXPECT_EQ(report["captures"]["robotstxt"], 4) << report.dump();
  std::map<std::string, std::string> seen;
  for (const auto& [id, one] : RecordsOf(web.root("out"))) {
    const std::string url(one.record.target_uri());
    if (one.record.type() != "response" || url.ends_with("test/")) continue;
    EXPECT_TRUE(seen.emplace(url, one.record.http_head.substr(9, 3) + " " + one.payload).second) << url << " twice";
  }
  const std::map<std::string, std::string> expected = {{"http://a.test/robots.txt", "301 "},
                                                       {"http://b.test/robots.txt", "301 "},
                                                       {"http://shared.test/1", "307 "},
                                                       {"http://shared.test/2", "200 " + rules.body}};
  EXPECT_EQ(seen, expected);
}

// As browsers read the type.
TEST(ArchivedHeads, AListOfTypesIsReadAndACodingThatIsNoNameStays) {
  CrawledWeb web;
  web.web().AddHost("a.test", [](const TestRequest& request) {
    if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
    TestPage page = {.content_type = "text/html, text/html", .body = "<p>list"};
    if (request.path == "/coding") page = {.body = "<p>coding", .headers = {{"Content-Encoding", "gz\xfcip"}}};
    return AnswerWith(page, request);
  });
  web.Start();
  web.Object(web.Arguments("inject", "c", {"--now", CrawledWeb::kNow, "http://a.test/list", "http://a.test/coding"}));
  const BinaryResult round =
      web.Run(web.Arguments("round", "c",
                            {"--now", kRounds[0], "--fetch.allow_private", "--fetch.delay_ms", "0",
                             "--fetch.hosts_file", web.hosts_file(), "--urls.scope", "any", "--urls.depth", "0"}));
  ASSERT_EQ(round.exit_code, 0) << round.err;
  ASSERT_EQ(web.Run(web.Arguments("archive", "c", {web.root("out"), "--name", "N"})).exit_code, 0);
  std::string lines;
  for (const auto& [name, bytes] : FilesOf(web.root("out"))) {
    if (name.find("/cdx-") == std::string::npos) continue;
    Gunzip(bytes, [&lines](std::string_view piece) { return lines += piece, true; });
  }
  EXPECT_THAT(lines, HasSubstr("{\"url\": \"http://a.test/list\", \"mime\": \"text/html\""));
  std::string head;
  for (const auto& [id, one] : RecordsOf(web.root("out"))) {
    if (one.record.target_uri() == "http://a.test/coding" && one.record.type() == "response")
      head = one.record.http_head;
  }
  EXPECT_THAT(head, HasSubstr("X-Crawler-Content-Encoding: gz\xfcip\r\n")) << "as it was sent";
  EXPECT_THAT(head, HasSubstr("\r\nContent-Encoding: gz\xef\xbf\xbdip\r\n"));
}

TEST_F(Archive, LaterSegmentsGetANameOfTheirOwnAndReferToTheFirst) {
  Round(0);
  Round(1);
  const Json first = Ask("out", "N1");
  Round(2);
  const Json again = Ask("out", "N1");
  EXPECT_EQ(again["changed"], false) << "a finished name is never extended";
  EXPECT_EQ(again["segments"], first["segments"]);
  const Json second = Ask("out", "N2");
  EXPECT_EQ(second["segments"].size(), 1u);
  EXPECT_EQ(Run("out", "N3").exit_code, 1) << "nothing is left";
  ExpectEveryVisit(RecordsOf(directory("out")));
  ExpectSound("out");
  EXPECT_THAT(Run("out", "N1", {"--overwrite"}).err, HasSubstr("records of N2 may refer to those of N1"));

  const BinaryResult other = Run("out", "N2", {"--level", "9"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("--level was '6', not '9'"));
  EXPECT_EQ(Run("out", "N4", {"--segments", first["segments"][0].get<std::string>()}).exit_code, 2);
}

TEST_F(Archive, BodiesOfSegmentsThatAreNotInTheFolderAreWrittenWhereTheyAreFirstNeeded) {
  ThreeRounds();
  const Json all = Ask("all", "N1");
  const std::string last = all["segments"].back();
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--segments", last}, {"--since", "2026-11-01T00:00:00Z"}}) {
    const std::string folder = "of" + more[0];
    EXPECT_EQ(Ask(folder, "N", more)["segments"], Json::array({last}));
    const auto records = RecordsOf(directory(folder));
    for (const char* const path : {"/same", "/changes", "/back", "/twin1", "/twin2", "/gzip", "/empty"}) {
      EXPECT_EQ(Visits(records, path), std::vector<std::string>({Short(BodyOf(path, 3))})) << path;
    }
    EXPECT_EQ(Visits(records, "/etag"), std::vector<std::string>({""})) << "a 304 that nothing stands for";
    ExpectSound(folder);
  }
}

TEST_F(Archive, RevisitsAndSubsetsAreWrittenAsAskedFor) {
  ThreeRounds();
  Ask("full", "N", {"--revisits", "never", "--digest", "sha256"});
  const auto records = RecordsOf(directory("full"));
  for (const auto& [id, one] : records) EXPECT_NE(one.record.type(), "revisit");
  for (const char* const path : {"/same", "/changes", "/back", "/twin1", "/twin2", "/gzip"}) {
    std::vector<std::string> bodies;
    for (int number = 1; number <= 3; ++number) bodies.push_back(Short(BodyOf(path, number)));
    EXPECT_EQ(Visits(records, path), bodies) << path;
  }
  ExpectSound("full");

  const Json warc = Ask("warc", "N", {"--subsets", "warc", "--respect", "none"});
  EXPECT_EQ(warc["captures"]["crawldiagnostics"], 0);
  EXPECT_EQ(warc["captures"]["robotstxt"], 0);
  EXPECT_EQ(warc["captures"]["warc"], 11 * 3 - 2);
  ExpectSound("warc");
  // The robots.txt of the same segments can still go into another name.
  EXPECT_GE(Ask("warc", "R", {"--subsets", "robotstxt"})["captures"]["robotstxt"], 1);
  ExpectSound("warc");
}

TEST_F(Archive, TheSameCommandGivesTheSameBytesHoweverFarItCameBefore) {
  ThreeRounds();
  const std::vector<std::string> options = {"--text", "--warc_size", "1MiB"};
  Ask("one", "N", options);
  const auto expected = FilesOf(directory("one"));
  for (const char* const threads : {"1", "8"}) {
    std::vector<std::string> more = options;
    more.insert(more.end(), {"--threads", threads, "--now", "2027-03-01T00:00:00Z", "--partitions", threads});
    Ask(std::string("threads") + threads, "N", more);
    auto files = FilesOf(directory(std::string("threads") + threads));
    // What the first job hands on is cut as its partitions are.
    const auto is_handed_on = [](const auto& file) {
      return file.first.starts_with("_trawl/N/revisits") || file.first == "_trawl/N/bodies.json";
    };
    std::erase_if(files, is_handed_on);
    auto others = expected;
    std::erase_if(others, is_handed_on);
    EXPECT_EQ(NamesOf(files), NamesOf(others));
    EXPECT_TRUE(files == others) << threads;
  }

  // A run that ended early lacks what it had not come to: everything from some document on.
  const std::vector<std::vector<std::string>> lost = {
      {"_SUCCESS"},
      {"_SUCCESS", "_trawl/N/end.json"},
      {"_SUCCESS", "_trawl/N/end.json", "cc-index", "_trawl/N/index.json"},
      {"_SUCCESS", "_trawl/N/end.json", "_trawl/N/part-00001.json", "_archive.json"},
      {"_SUCCESS", "_trawl/N/end.json", "_trawl/N/captures", "cc-index"},
      {"_SUCCESS", "_trawl/N/end.json", "crawl-data/N/warc.paths.gz", "_trawl/N/originals"},
      {"_SUCCESS", "_trawl/N/end.json", "_trawl/N/bodies.json", "_trawl/N/part-00000.json"},
      {"_SUCCESS", "_trawl/N/end.json", "_trawl/N/part-00000.json", "crawl-data", "_trawl/N/revisits"},
  };
  for (const auto& names : lost) {
    SCOPED_TRACE(names.back());
    for (const std::string& name : names) fs::remove_all(directory("one") + "/" + name);
    Ask("one", "N", options);
    const auto files = FilesOf(directory("one"));
    EXPECT_EQ(NamesOf(files), NamesOf(expected));
    EXPECT_TRUE(files == expected);
  }
  ExpectSound("one");

  // What is anything but whole is found.
  std::string file;
  for (const auto& [name, text] : expected) {
    if (name.ends_with(".warc.gz")) file = directory("one") + "/" + name;
  }
  const std::string text = ReadText(file);
  std::ofstream(file, std::ios::binary) << text.substr(0, text.size() - 20);
  const BinaryResult cut = web_.Run(web_.Arguments("archive", "c", {directory("one"), "--verify"}));
  EXPECT_EQ(cut.exit_code, 3);
  EXPECT_THAT(cut.out, HasSubstr("offset"));
}

TEST_F(Archive, BodiesThatAreGoneAreCountedAndOnesThatWereMovedAreFound) {
  ThreeRounds();
  web_.Object(web_.Arguments("compact", "c", {"--bodies", "--now", "2027-01-01T00:00:00Z"}));
  web_.Object(
      web_.Arguments("gc", "c", {"--keep_snapshots", "1", "--keep_time", "0s", "--now", "2028-06-01T00:00:00Z"}));
  Ask("moved", "N");
  const auto moved = RecordsOf(directory("moved"));
  EXPECT_EQ(Visits(moved, "/same").back(), Short(BodyOf("/same", 3)));
  ExpectSound("moved");

  // An archive runs on: the plan of its first job stays as long as its process lives.
  const auto store = OpenStore(web_.root("c")).ValueOrDie();
  Plan plan = {.job = "20270101T000000Z-archive_bodies-0a1b2c3d", .verb = "archive_bodies", .snapshot = 1};
  plan.process = OwnProcess();
  plan.facts["segments"] = Ask("moved", "N")["segments"];
  for (const std::string& path : {PlanPath(plan.job), ReportPath(plan.job)}) {
    ASSERT_OK(store->CreateExclusive(path, SealJson(ToJson(plan))));
  }
  const std::vector<std::string> gc = {"--bodies_older_than", "1d", "--now", "2028-06-01T00:00:00Z"};
  EXPECT_EQ(web_.Object(web_.Arguments("gc", "c", gc))["body_files"], 0);
  ASSERT_OK(store->Remove(PlanPath(plan.job)));
  EXPECT_GT(web_.Object(web_.Arguments("gc", "c", gc))["body_files"], 0);
  const Json gone = Ask("gone", "N");
  EXPECT_GT(gone["skipped"]["no_body"], 10);
  ExpectSound("gone");
}

// What a damaged folder says, and the way out of it.
class DamagedArchive : public Archive {
 protected:
  DamagedArchive() {
    Round(0);
    Ask("out", "N1");
    Round(1);
  }
  BinaryResult Verify() const { return web_.Run(web_.Arguments("archive", "c", {directory("out"), "--verify"})); }
  Json Verdict() const { return ParseJson(Verify().out).ValueOr(Json()); }
  // The first file below a folder of the archive that has this in its path.
  std::string File(const std::string& part) const {
    for (const auto& [name, text] : FilesOf(directory("out"))) {
      if (name.find(part) != std::string::npos) return directory("out") + "/" + name;
    }
    ADD_FAILURE() << "no " << part;
    return "";
  }
  static void Flip(const std::string& path) {
    std::string text = ReadText(path);
    text[text.size() / 2] ^= 1;
    std::ofstream(path, std::ios::binary) << text;
  }
};

TEST_F(DamagedArchive, OriginalsAreVerifiedAndCanBeWrittenAgainWhileNoFinishedNameNeedsThem) {
  for (const char* const folder : {"originals", "captures"}) {
    const std::string path = File(std::string("_trawl/N1/") + folder);
    const std::string text = ReadText(path);
    Flip(path);
    const Json flipped = Verdict();
    EXPECT_EQ(flipped["valid"], false);
    ASSERT_EQ(flipped["faults"].size(), 1u) << flipped.dump();
    EXPECT_THAT(flipped["faults"][0].get<std::string>(), HasSubstr(fs::path(path).filename()));
    EXPECT_EQ(flipped["damaged"], Json::array({"N1"}));
    fs::remove(path);
    EXPECT_THAT(Verdict()["faults"].dump(), HasSubstr("is missing"));
    std::ofstream(path, std::ios::binary) << text;
  }
  ExpectSound("out");

  for (const auto& [name, text] : FilesOf(directory("out"))) {
    if (name.starts_with("_trawl/N1/originals")) Flip(directory("out") + "/" + name);
  }
  const BinaryResult second = Run("out", "N2");
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_THAT(second.err, HasSubstr("_trawl/N1/originals/part-"));
  EXPECT_THAT(second.err, ::testing::Not(HasSubstr("{"))) << "a sentence, not the plan's JSON";
  EXPECT_THAT(second.err, HasSubstr(directory("out") + " --name N1 --overwrite"));
  EXPECT_EQ(Run("out", "N2").exit_code, 3) << "it cannot finish";
  Ask("out", "N1", {"--overwrite"});
  Ask("out", "N2");
  ExpectSound("out");
}

TEST_F(DamagedArchive, BodiesThatAreWrittenAgainNeedNoOriginals) {
  fs::remove_all(directory("out") + "/_trawl/N1/originals");
  EXPECT_THAT(Run("out", "N2").err, HasSubstr("N2 would refer to records that are gone"));
  Ask("out", "N2", {"--overwrite", "--revisits", "never"});
  Ask("out", "N1", {"--overwrite"});
  ExpectSound("out");
}

TEST_F(DamagedArchive, MissingRecordsAreSaidByEveryCommandThatNeedsThem) {
  fs::remove(File("/warc/N1"));
  const BinaryResult again = Run("out", "N1");
  EXPECT_EQ(again.exit_code, 3);
  EXPECT_THAT(again.err, HasSubstr("N1 is finished, but 1 file of N1 is not as it was written"));
  EXPECT_THAT(again.err, HasSubstr("--verify"));
  EXPECT_EQ(Run("out", "N2").exit_code, 3);
  EXPECT_EQ(Run("out", "N1", {"--verify"}).exit_code, 2) << "the folder is verified, not a name";
}

TEST_F(DamagedArchive, OneDamagedFileIsOneFault) {
  Ask("out", "N2");
  const std::string file = File("/warc/N1");
  fs::resize_file(file, fs::file_size(file) / 2);
  const Json verdict = Verdict();
  EXPECT_EQ(verdict["faults"].size(), 1u) << verdict["faults"].dump();
  EXPECT_GT(verdict["lost_references"], 0);
  fs::remove(file);
  EXPECT_EQ(Verdict()["faults"].size(), 1u);
  EXPECT_THAT(web_.Run({"archive", directory("out"), "--verify"}).out, HasSubstr("later names refer to it"))
      << "what would be refused is no advice";
}

TEST_F(DamagedArchive, ANameWithoutItsDocumentsIsSaidFirstWithTheWayOut) {
  Ask("out", "N2");
  const std::string own = directory("out") + "/_trawl", name = own + "/N1", kept = directory("kept");
  fs::rename(name, kept);
  const Json verdict = Verdict();
  EXPECT_EQ(verdict["valid"], false);
  EXPECT_EQ(verdict["lost"], Json::array({"N1"}));
  ASSERT_EQ(verdict["faults"].size(), 3u) << verdict["faults"].dump() << ": it, and the two documents at the top";
  EXPECT_EQ(verdict["faults"][0], "crawl-data/N1: is not checked, for _trawl/N1 is missing");
  EXPECT_GT(verdict["lost_references"], 0);
  EXPECT_THAT(web_.Run({"archive", directory("out"), "--verify"}).out, HasSubstr("copy _trawl/N1 back, too"));
  fs::rename(kept, name);
  ExpectSound("out");

  fs::rename(own, kept);
  for (const BinaryResult& told : {Verify(), Run("out", "N3")}) {
    EXPECT_EQ(told.exit_code, 3);
    EXPECT_THAT(told.err, HasSubstr("_archive.json and crawl-data/, but _trawl/ is missing"));
    EXPECT_THAT(told.err, HasSubstr("copy _trawl/ back, too"));
  }
  fs::rename(kept, own);
  ExpectSound("out");
}

TEST(ArchiveAdvice, IsGivenWhereTheDiskIsFullAlone) {
  const Status full = WithAdviceOnSpace(Status::IOError("task r0-0: writing /w/x: No space left on device"));
  EXPECT_THAT(full.message(), HasSubstr("/w/x: No space left on device; free space, then run the same command again"));
  EXPECT_EQ(WithAdviceOnSpace(Status::IOError("another")).message(), "another");
  EXPECT_EQ(ArchiveCommand("warcs", "N1", "--overwrite"), "trawl archive ./warcs --name N1 --overwrite");
}

TEST_F(DamagedArchive, DocumentsAtTheTopAreVerifiedAndMadeAgain) {
  for (const char* const name : {"_SUCCESS", "_archive.json"}) {
    fs::remove(directory("out") + "/" + name);
    EXPECT_EQ(Verify().exit_code, 3) << name;
    std::ofstream(directory("out") + "/" + name) << "{}";
    EXPECT_THAT(Verdict()["faults"].dump(), HasSubstr(name));
    EXPECT_EQ(Ask("out", "N1")["changed"], false);
    ExpectSound("out");
  }
}

TEST_F(DamagedArchive, WhereNothingIsFinishedNothingIsValid) {
  for (const char* const name : {"_SUCCESS", "_trawl/N1/end.json"}) fs::remove(directory("out") + "/" + name);
  const BinaryResult unfinished = Verify();
  EXPECT_EQ(unfinished.exit_code, 3);
  EXPECT_EQ(ParseJson(unfinished.out).ValueOr(Json())["unfinished"], Json::array({"N1"}));
  for (const char* const folder : {"nowhere", "c"}) {
    const BinaryResult none = web_.Run(web_.Arguments("archive", "c", {directory(folder), "--verify"}));
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr("nothing to verify"));
  }
}

TEST_F(Archive, WhatIsNoArchiveStays) {
  Round(0);
  fs::create_directories(directory("other"));
  std::ofstream(directory("other") + "/mine") << "mine";
  EXPECT_EQ(Run("other", "N").exit_code, 2);
  EXPECT_EQ(Run("c/inside", "N").exit_code, 2) << "gc would take it for garbage";
  for (const char* const name : {"", "a/b", "../x", "_x", ".x"}) EXPECT_EQ(Run("out", name).exit_code, 2) << name;
  EXPECT_EQ(Run("out", "N", {"--segments", "s-that-is-not-there"}).exit_code, 2);
  EXPECT_FALSE(fs::exists(directory("out")));
}

// A kill between the making of one folder and of the next.
TEST_F(Archive, AFolderOfWhichOnlyTheBeginningWasMadeIsGoneOnWith) {
  Round(0);
  for (const char* const folder : {"_trawl", "_trawl/N", "_trawl/M"}) {
    fs::create_directories(directory("out") + "/" + folder);
    EXPECT_EQ(Ask("out", "N")["changed"], true) << folder;
    ExpectSound("out");
    fs::remove_all(directory("out"));
  }
}

}  // namespace
}  // namespace trawl
