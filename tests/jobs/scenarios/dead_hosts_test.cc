// Hosts without a name and ports where nobody listens, over days: they fail, fail, are gone, and take no list in between.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "runtime/process/file_descriptor.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/web/name_server.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The days of 2026-01 on which the test does something, at that hour.
std::string Day(int day, int hour = 0) {
  const auto two = [](int number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return "2026-01-" + two(day) + "T" + two(hour) + ":00:00Z";
}

class DeadHosts : public ::testing::Test {
 protected:
  static constexpr char kNoHost[] = "http://nohost.invalid/";
  static constexpr char kClosed[] = "http://closed.test/";

  void SetUp() override {
    web_.web().AddHost("good.test", ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "<p>good"}}}));
    web_.web().AddHost("dead.test", ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "<p>back"}}}));
    web_.web().AddHost("broken.test", ServePages({{"*", {.status = 503}}}));
    web_.Start("127.0.0.1:1 closed.test\n");
  }

  // Nobody listens at dead.test, or somebody does.
  void SetDead(bool is_dead) {
    std::string text = web_.web().HostsFileText();
    if (is_dead) text = "127.0.0.1:1 dead.test\n";
    std::ofstream(web_.hosts_file()) << text;
  }

  void Inject(std::vector<std::string> seeds, const std::vector<std::string>& settings = {}) {
    seeds.insert(seeds.begin(), {"--now", Day(1)});
    web_.Object(web_.Arguments("inject", "a", seeds));
    std::vector<std::string> all = {"--now",
                                    Day(1),
                                    "urls.scope=any",
                                    "fetch.allow_private=true",
                                    "fetch.delay_ms=0",
                                    "fetch.hosts_file=" + web_.hosts_file()};
    all.insert(all.end(), settings.begin(), settings.end());
    web_.Object(web_.Arguments("config set", "a", all));
  }

  // A round by single verbs; how many URLs its lists have, 0 where nothing is due.
  int64_t Round(const std::string& now) {
    const BinaryResult generate = web_.Run(web_.Arguments("generate", "a", {"--now", now}));
    if (generate.exit_code == 1) return 0;
    EXPECT_EQ(generate.exit_code, 0) << generate.err;
    for (const char* verb : {"fetch", "parse", "updatedb"}) {
      const BinaryResult step = web_.Run(web_.Arguments(verb, "a", {"--now", now}));
      EXPECT_EQ(step.exit_code, 0) << verb << ": " << step.err;
    }
    return ParseJson(generate.out).ValueOrDie()["urls"].get<int64_t>();
  }

  Json Get(const std::string& url, const std::string& now) const {
    return web_.Object(web_.Arguments("readdb get", "a", {"--now", now, "--explain", url}));
  }
  std::string StateOf(const std::string& url) const {
    return web_.Object(web_.Arguments("readdb get", "a", {url}))["state"];
  }
  std::string Explained(const std::string& url, const std::string& now) const {
    std::string text;
    const Json answer = Get(url, now);
    for (const Json& line : answer["explain"]) {
      text += line["about"].get<std::string>() + " " + line["text"].get<std::string>() + "\n";
    }
    return text;
  }
  std::map<std::string, int> States() const {
    std::map<std::string, int> states;
    for (const std::string& row : web_.Rows("a")) ++states[ParseJson(row).ValueOrDie()["state"]];
    return states;
  }

  CrawledWeb web_;
};

TEST_F(DeadHosts, FailFailAndAreGoneByVerbs) {
  Inject({kNoHost, kClosed});
  EXPECT_EQ(Round(Day(1)), 2);
  for (const char* url : {kNoHost, kClosed}) {
    EXPECT_EQ(StateOf(url), "failing");
    const std::string text = Explained(url, Day(1));
    EXPECT_THAT(text, HasSubstr("failed once"));
    EXPECT_THAT(text, HasSubstr("robots nobody is there to ask for robots.txt: "));
    EXPECT_THAT(text,
                HasSubstr("in 1 round; all URLs of its host are gone after 3 in a row (--refresh.failing_rounds)"));
    EXPECT_THAT(text, HasSubstr("next in 1 d: nobody is there; one URL of its host is tried again then, for all"));
    EXPECT_THAT(text, HasSubstr("takes nothing: nobody is there to ask for robots.txt: "));
    EXPECT_THAT(text, Not(HasSubstr("pages a round")));
  }
  EXPECT_THAT(Explained(kNoHost, Day(1)), HasSubstr("dns_failed: nobody is there to ask for robots.txt: no such name"));
  EXPECT_THAT(Explained(kClosed, Day(1)), HasSubstr("connect_failed: nobody is there to ask for robots.txt: "));
  for (const int hour : {1, 12, 23}) EXPECT_EQ(Round(Day(1, hour)), 0) << hour;
  EXPECT_EQ(Round(Day(2)), 2);
  EXPECT_EQ(StateOf(kNoHost), "failing");
  EXPECT_EQ(StateOf(kClosed), "failing");
  EXPECT_EQ(Round(Day(2, 23)), 0);
  EXPECT_EQ(Round(Day(3)), 2);
  for (const char* url : {kNoHost, kClosed}) {
    EXPECT_EQ(StateOf(url), "gone");
    const std::string text = Explained(url, Day(3));
    EXPECT_THAT(text, HasSubstr("rule host gone (rule 14): nobody was there in 3 rounds in a row"));
    EXPECT_THAT(text, HasSubstr("in 3 rounds, so all URLs of its host are gone"));
    EXPECT_THAT(text, HasSubstr("next in 90 d"));
  }
  for (int day = 4; day < 31; ++day) EXPECT_EQ(Round(Day(day)), 0) << day;
  EXPECT_TRUE(web_.web().Log().empty());
}

// A host that answers no SYN, as a firewall that drops packets: a socket whose queue is full.
class SilentPort {
 public:
  SilentPort() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = Loopback(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listener_.get(), 0), 0);
    EXPECT_EQ(getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    for (FileDescriptor& waiting : waiting_) {
      waiting = FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      (void)connect(waiting.get(), reinterpret_cast<sockaddr*>(&address), size);
    }
  }
  int port() const { return port_; }

 private:
  static sockaddr_in Loopback(uint16_t port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  FileDescriptor listener_;
  std::array<FileDescriptor, 4> waiting_;
  int port_ = 0;
};

TEST_F(DeadHosts, AHostThatTakesNoConnectionIsGoneLikeOneThatRefusesIt) {
  const SilentPort silent;
  const std::string url = "http://silent.test/";
  std::ofstream(web_.hosts_file(), std::ios::app) << "127.0.0.1:" << silent.port() << " silent.test\n";
  Inject({url}, {"fetch.connect_timeout=300ms"});
  for (const int day : {1, 2, 3}) {
    EXPECT_EQ(Round(Day(day)), 1);
    EXPECT_EQ(StateOf(url), day < 3 ? "failing" : "gone");
    EXPECT_EQ(Round(Day(day, 12)), 0);
  }
  EXPECT_THAT(Explained(url, Day(3)), HasSubstr("nobody is there to ask for robots.txt: no connection in time"));
}

TEST_F(DeadHosts, FailFailAndAreGoneByCrawl) {
  const std::vector<std::string> first = {kNoHost, kClosed, "http://good.test/"};
  web_.Run(web_.CrawlArguments("a", first));
  EXPECT_EQ(StateOf("http://good.test/"), "fetched");
  EXPECT_EQ(StateOf(kNoHost), "failing");
  for (const int day : {2, 3}) {
    web_.Run(web_.CrawlArguments("a", {"--now", Day(day)}));
    EXPECT_EQ(StateOf(kNoHost), day == 2 ? "failing" : "gone");
    EXPECT_EQ(StateOf(kClosed), day == 2 ? "failing" : "gone");
  }
}

TEST_F(DeadHosts, ManyUrlsCostALookupARoundAndAreGoneTogether) {
  constexpr int kUrls = 300;
  ScriptedNameServer names([](const DnsQuestion& question) { return std::vector{question.Answer({}, 3)}; });
  std::ofstream list(web_.root("seeds"));
  for (int i = 0; i < kUrls; ++i) list << "http://nowhere.test/" << i << "\n";
  list.close();
  Inject({web_.root("seeds")}, {"fetch.dns_servers=" + names.address()});
  EXPECT_EQ(Round(Day(1)), kUrls);
  EXPECT_EQ(States(), (std::map<std::string, int>{{"failing", kUrls}}));
  const int after_first = names.questions();
  EXPECT_LE(after_first, 8);  // A and AAAA, and another try where an answer was late
  // The others are due as well; one is tried for all.
  EXPECT_EQ(Round(Day(2)), 1);
  EXPECT_EQ(Round(Day(2, 1)), 0);
  EXPECT_EQ(Round(Day(3)), 1);
  EXPECT_EQ(States(), (std::map<std::string, int>{{"gone", kUrls}}));
  EXPECT_LE(names.questions(), 3 * 8);
  for (int day = 4; day < 20; ++day) EXPECT_EQ(Round(Day(day)), 0) << day;
}

TEST_F(DeadHosts, ComeBackTogether) {
  SetDead(true);
  const std::string origin = "http://dead.test/";
  Inject({origin + "1", origin + "2", origin + "3"});
  for (const int day : {1, 2, 3}) EXPECT_GT(Round(Day(day)), 0) << day;
  EXPECT_EQ(States(), (std::map<std::string, int>{{"gone", 3}}));
  SetDead(false);
  // Nobody asks before they are due in 90 days, but for a new URL: it tries the host for all.
  EXPECT_EQ(Round(Day(4)), 0);
  web_.Object(web_.Arguments("inject", "a", {"--now", Day(5), origin + "new"}));
  EXPECT_EQ(Round(Day(5)), 1);
  EXPECT_EQ(StateOf(origin + "new"), "fetched");
  EXPECT_EQ(StateOf(origin + "1"), "gone");
  EXPECT_EQ(Round(Day(5)), 3);
  EXPECT_EQ(States(), (std::map<std::string, int>{{"fetched", 4}}));
}

// RFC 9309: a server that is there, but fails, is asked again; its pages wait and lose no try. So are name servers that
// fail.
TEST_F(DeadHosts, ServersThatFailAreNotDead) {
  ScriptedNameServer names([](const DnsQuestion& question) { return std::vector{question.Answer({}, 2)}; });
  Inject({"http://broken.test/", "http://unknown.test/"}, {"fetch.dns_servers=" + names.address()});
  for (const int day : {1, 2, 3, 4, 5}) {
    Round(Day(day));
    for (const char* url : {"http://broken.test/", "http://unknown.test/"}) {
      EXPECT_EQ(StateOf(url), "unfetched") << url << day;
    }
  }
}

}  // namespace
}  // namespace trawl
