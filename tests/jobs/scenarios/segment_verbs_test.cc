// The verbs over segments and hosts, by the binary: generate, segments, readseg, host.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "formats/digests/digest.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr char kNow[] = "2026-01-01T00:00:00Z";
constexpr int64_t kNowMs = 1'767'225'600'000;

std::vector<Json> Lines(const BinaryResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::vector<Json> lines;
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line);) {
    const auto json = ParseJson(line);
    EXPECT_OK(json);
    if (json.ok()) lines.push_back(*json);
  }
  return lines;
}

std::string LastLine(const std::string& text) {
  const std::string cut = text.substr(0, text.find_last_not_of('\n') + 1);
  return cut.substr(cut.rfind('\n') + 1);
}

TEST(GenerateVerb, PrintsTheIdLastAndIsRepeatable) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  ASSERT_EQ(Trawl({"inject", "--root", root, "--now", kNow, "https://a.test/", "https://b.test/x", "https://c.test/"})
                .exit_code,
            0);
  const auto generate = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"generate", "--root", root, "--now", kNow};
    all.insert(all.end(), more.begin(), more.end());
    return Trawl(all);
  };
  const BinaryResult dry = generate({"--dry_run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_NE(dry.out.find("3 pages of 3 hosts"), std::string::npos) << dry.out;
  const Json round = AnswerOf(generate({"--dry_run", "--json"}));
  EXPECT_EQ(round["urls"], 3);
  EXPECT_EQ(round["hosts"], 3);
  EXPECT_EQ(round["expected_ms"], 1000);
  EXPECT_EQ(round["expected_bytes"], 3 * 65536);

  const BinaryResult first = generate({"--top_n", "1"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const std::string id = LastLine(first.out);
  EXPECT_TRUE(id.starts_with("20260101T000000Z-")) << id;
  const BinaryResult again = generate({"--segment", id});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(LastLine(again.out), id);
  EXPECT_EQ(AnswerOf(generate({"--segment", id, "--json"}))["changed"], false);
  const Json second = AnswerOf(generate({"--segment", "mine", "--json"}));
  EXPECT_EQ(second["segment"], "mine");
  EXPECT_EQ(second["changed"], true);
  EXPECT_EQ(second["urls"], 2);
  EXPECT_EQ(generate({"--segment", "../x"}).exit_code, 2);

  const BinaryResult nothing = generate({});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_NE(nothing.err.find("2026-01-02T00:00:00Z"), std::string::npos) << nothing.err;
  EXPECT_EQ(nothing.out, "");
  const BinaryResult idle = generate({"--idle_exit", "0", "--json"});
  EXPECT_EQ(idle.exit_code, 0);
  const auto json = ParseJson(idle.out);
  ASSERT_OK(json);
  EXPECT_TRUE((*json)["segment"].is_null());
  EXPECT_EQ((*json)["next_due"], "2026-01-02T00:00:00Z");
  EXPECT_EQ((*json)["left_out"]["held"], 3);
}

TEST(GenerateVerb, AsManyListsAsThreadsOrFetchersAndNeverMoreThanDomains) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  std::vector<std::string> inject = {"inject", "--root", root, "--now", kNow};
  for (int i = 0; i < 6; ++i) inject.push_back("https://d" + std::to_string(i) + ".test/");
  ASSERT_EQ(Trawl(inject).exit_code, 0);
  std::string more_urls;
  for (int i = 0; i < 600; ++i) more_urls += "https://d" + std::to_string(i % 6) + ".test/" + std::to_string(i) + "\n";
  std::ofstream(folder.path() + "/seeds") << more_urls;
  const auto lists = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"generate", "--root", root, "--now", kNow, "--dry_run", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return AnswerOf(Trawl(all))["lists"].size();
  };
  EXPECT_EQ(lists({"--threads", "3"}), 1U) << "six URLs are not worth more";
  ASSERT_EQ(Trawl({"inject", "--root", root, "--now", kNow, folder.path() + "/seeds"}).exit_code, 0);
  EXPECT_EQ(lists({"--threads", "3"}), 3U);
  EXPECT_EQ(lists({"--threads", "3", "--fetchers", "4"}), 4U);
  EXPECT_EQ(lists({"--fetchers", "100"}), 6U);
}

TEST(SegmentsVerb, ListsStatesAndAbandons) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("com,a)/")}));
  for (const char* id : {"opened", "fetched", "gone"}) ASSERT_OK(crawl.Open(id));
  ASSERT_OK(crawl.Finish("fetched", {}));
  ASSERT_OK(crawl.Close("gone", SegmentEnd::kApplied));
  const auto list = [&](const std::string& now) {
    std::map<std::string, Json> by_id;
    for (const Json& line : Lines(Trawl({"segments", "list", "--root", crawl.root(), "--json", "--now", now}))) {
      by_id[line["segment"].get<std::string>()] = line;
    }
    return by_id;
  };
  auto segments = list(kNow);
  EXPECT_EQ(segments["opened"]["state"], "open");
  EXPECT_EQ(segments["opened"]["opened"], kNow);
  EXPECT_EQ(segments["opened"]["until"], "2026-01-02T00:00:00Z");
  EXPECT_EQ(segments["fetched"]["state"], "parsed");
  EXPECT_EQ(segments["gone"]["state"], "applied");
  EXPECT_EQ(list("2026-01-02T00:00:00Z")["opened"]["state"], "expired");

  const auto abandon = [&](const std::string& id) {
    return Trawl({"segments", "abandon", id, "--root", crawl.root(), "--json", "--now", kNow});
  };
  EXPECT_EQ(AnswerOf(abandon("opened"))["changed"], true);
  EXPECT_EQ(AnswerOf(abandon("opened"))["changed"], false);
  EXPECT_EQ(abandon("gone").exit_code, 2);
  EXPECT_EQ(abandon("never").exit_code, 2);
  EXPECT_EQ(list(kNow)["opened"]["state"], "abandoned");
}

TEST(HostVerb, ShowsBlocksAndSetsDelays) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  ASSERT_EQ(Trawl({"inject", "--root", root, "https://a.test/"}).exit_code, 0);
  const auto host = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"host", "--root", root, "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return Trawl(all);
  };
  EXPECT_EQ(AnswerOf(host({"A.test"}))["blocked"], false);
  EXPECT_EQ(AnswerOf(host({"a.test", "--block", "--delay_ms", "0", "--per_day", "7"}))["changed"], true);
  EXPECT_EQ(AnswerOf(host({"a.test", "--block"}))["changed"], false);
  Json row = AnswerOf(host({"https://a.test/x"}));
  EXPECT_EQ(row["host"], "a.test");
  EXPECT_EQ(row["blocked"], true);
  EXPECT_EQ(row["operator_delay_ms"], 0);
  EXPECT_EQ(row["operator_pages_a_day"], 7);
  EXPECT_EQ(Trawl({"generate", "--root", root}).exit_code, 1);
  AnswerOf(host({"a.test", "--unblock", "--delay_ms", "5s"}));
  EXPECT_EQ(AnswerOf(host({"a.test"}))["operator_delay_ms"], 5000);
  AnswerOf(host({"a.test", "--usual"}));
  row = AnswerOf(host({"a.test"}));
  EXPECT_TRUE(row["operator_delay_ms"].is_null());
  EXPECT_TRUE(row["operator_pages_a_day"].is_null());
  EXPECT_EQ(Trawl({"generate", "--root", root}).exit_code, 0);
  EXPECT_EQ(host({"a.test", "--block", "--unblock"}).exit_code, 2);
  EXPECT_EQ(host({"http://["}).exit_code, 2);
}

TEST(HostVerb, ClearForgetsByKindWhatIsHeldAgainstAHost) {
  SegmentFixture crawl;
  HostRow row;
  row.key = "com,a";
  row.suspected_trap = true;
  row.discovered = 90'000;
  row.fetched = 101;
  row.breaker = BreakerState::kOpen;
  row.breaker_until_ms = kNever;
  row.failures_in_a_row = 9;
  row.not_before_ms = kNever;
  row.throttle_factor = 3;
  row.blocked = true;
  row.pages = 5;
  ASSERT_OK(crawl.Put<HostRow>({row}));
  const auto clear = [&crawl](const std::string& kinds) {
    return Trawl({"host", "a.com", "--clear", kinds, "--root", crawl.root(), "--json"});
  };
  AnswerOf(clear("breaker"));
  HostRow expected = row;
  expected.breaker = BreakerState::kClosed;
  expected.breaker_until_ms = 0;
  expected.failures_in_a_row = 0;
  EXPECT_EQ(crawl.Find<HostRow>("com,a"), expected) << "the trap stays a trap";
  AnswerOf(clear("trap,throttle"));
  expected.suspected_trap = false;
  expected.trap_cleared = true;
  expected.cleared_discovered = 90'000;
  expected.cleared_fetched = 101;
  expected.not_before_ms = 0;
  expected.throttle_factor = 0;
  EXPECT_EQ(crawl.Find<HostRow>("com,a"), expected);
  EXPECT_TRUE(expected.blocked) << "that is the operator's own word";
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"host", "a.com", "--clear"},
                                                {"host", "--clear", "a.com"},
                                                {"host", "a.com", "--clear", ""}}) {
    std::vector<std::string> arguments = wrong;
    arguments.insert(arguments.begin() + 1, {"--root", crawl.root()});
    const BinaryResult refused = Trawl(arguments);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("breaker, trap, slow, throttle, patterns or all"), std::string::npos) << refused.err;
  }
}

// A segment with a page that was asked twice, one that failed and one that was not parsed again.
class ReadsegTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<UrlRow> urls = {Due("com,a)/"), Due("com,a)/gone"), Due("com,b)/same"), Due("com,b)/never")};
    ASSERT_OK(crawl_.Put<UrlRow>(urls));
    // Real lists, so that what was not reached is known.
    ASSERT_OK(crawl_.Generate("s1", kNowMs));

    FetchRow failed = FetchOf(urls[0], Outcome::kServerError, 503, kNowMs + 1000);
    failed.url = "https://a.com/";
    FetchRow page = FetchOf(urls[0], Outcome::kFetched, 200, kNowMs + 31'000);
    page.url = "https://a.com/";
    page.requests = 2;
    page.bytes = 11;
    page.truncated = Truncation::kSize;
    page.response_headers = "HTTP/1.1 200 OK\r\nX-Odd: \xff\r\n\r\n";
    page.first_byte_ms = 17;
    page.began_ms = kNowMs + 30'000;
    page.http_version = "2";
    page.tls_version = "TLSv1.3";
    page.robots_line = 3;
    page.robots_rule = "Allow: /";
    page.body_digest = Sha256Of("<p>Hello</p>");
    page.content_file = "m0-0-0.orc";
    page.content_row = 0;
    FetchRow gone = FetchOf(urls[1], Outcome::kGone, 410, kNowMs + 2000);
    gone.reason = "410 Gone";
    FetchRow same = FetchOf(urls[2], Outcome::kFetched, 200, kNowMs + 3000);
    ContentRow content;
    content.key = "com,a)/";
    content.fetched_ms = page.fetched_ms;
    content.body = "<p>Hello</p>";
    content.body_digest = page.body_digest;
    ParseRow parsed;
    parsed.key = "com,a)/";
    parsed.fetched_ms = page.fetched_ms;
    parsed.title = "A page";
    parsed.text = "Hello\nyou";
    parsed.noindex = true;
    ASSERT_OK(crawl_.Finish("s1", {.fetch = {failed, gone, page, same}, .parse = {parsed}, .content = {content}}));
  }

  static UrlRow Due(const std::string& key) { return UnfetchedRow(key); }

  BinaryResult Readseg(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "readseg");
    arguments.insert(arguments.end(), {"--root", crawl_.root(), "--json", "--now", kNow});
    return Trawl(arguments);
  }

  SegmentFixture crawl_;
};

TEST_F(ReadsegTest, DumpHasALineAUrl) {
  std::map<std::string, Json> by_url;
  const std::vector<Json> lines = Lines(Readseg({"dump", "s1"}));
  EXPECT_EQ(lines.size(), 4U);
  for (const Json& line : lines) by_url[line["url"].get<std::string>()] = line;
  const Json& page = by_url["https://a.com/"];
  EXPECT_EQ(page["status"], 200) << "the last time counts";
  EXPECT_EQ(page["outcome"], "fetched");
  EXPECT_EQ(page["bytes"], 11);
  EXPECT_EQ(page["truncated"], "size");
  EXPECT_EQ(page["requests"], 2);
  EXPECT_EQ(page["fetched_at"], "2026-01-01T00:00:31Z");
  EXPECT_EQ(by_url["https://a.com/gone"]["reason"], "gone: 410 Gone");
  EXPECT_EQ(by_url["https://b.com/never"]["outcome"], "not_reached");
  EXPECT_TRUE(by_url["https://b.com/never"]["status"].is_null());
  EXPECT_EQ(Readseg({"dump", "s2"}).exit_code, 2);
}

TEST_F(ReadsegTest, DumpShowsTextsAndWritesBodies) {
  const std::string bodies = crawl_.root() + "/bodies";
  for (const Json& line : Lines(Readseg({"dump", "--text", "--body", bodies, "s1"}))) {
    const bool is_page = line["url"] == "https://a.com/";
    if (line["outcome"] == "not_reached") continue;
    EXPECT_EQ(line["text"], is_page ? Json("Hello\nyou") : Json());
    EXPECT_EQ(line["title"], is_page ? Json("A page") : Json());
    EXPECT_EQ(line["body_file"],
              is_page ? Json(bodies + "/" + ToHex(std::string_view(Sha256Of("<p>Hello</p>")))) : Json());
  }
  std::string body;
  std::getline(std::ifstream(bodies + "/" + ToHex(std::string_view(Sha256Of("<p>Hello</p>")))), body, '\0');
  EXPECT_EQ(body, "<p>Hello</p>");
}

TEST_F(ReadsegTest, GetShowsEveryRequestWithHeadersTimesAndThePage) {
  const std::vector<Json> lines = Lines(Readseg({"get", "https://A.com:443/"}));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["status"], 503);
  EXPECT_TRUE(lines[0]["parse"].is_null());
  EXPECT_EQ(lines[1]["segment"], "s1");
  EXPECT_EQ(lines[1]["response_headers"], "HTTP/1.1 200 OK\r\nX-Odd: \xef\xbf\xbd\r\n\r\n");
  EXPECT_EQ(lines[1]["first_byte_ms"], 17);
  EXPECT_EQ(lines[1]["began_at"], "2026-01-01T00:00:30Z");
  EXPECT_EQ(lines[1]["http_version"], "2");
  EXPECT_EQ(lines[1]["tls_version"], "TLSv1.3");
  EXPECT_TRUE(lines[1]["dns_ms"].is_null());
  EXPECT_EQ(lines[1]["robots_line"], 3);
  EXPECT_EQ(lines[1]["robots_rule"], "Allow: /");
  EXPECT_EQ(lines[1]["parse"]["title"], "A page");
  EXPECT_EQ(lines[1]["parse"]["directives"], Json::array({"noindex"}));
  EXPECT_EQ(Readseg({"get", "https://b.com/never"}).exit_code, 1);
}

TEST_F(ReadsegTest, ListCountsDatasets) {
  const std::vector<Json> lines = Lines(Readseg({"list"}));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["state"], "parsed");
  EXPECT_EQ(lines[0]["datasets"]["fetchlist"]["rows"], 4);
  EXPECT_EQ(lines[0]["datasets"]["fetch"]["rows"], 4);
  EXPECT_EQ(lines[0]["datasets"]["content"]["rows"], 1);
}

}  // namespace
}  // namespace trawl
