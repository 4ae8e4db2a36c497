#include "runtime/net/dns.h"

#include <gtest/gtest.h>

#include <fstream>

#include "runtime/http/http.h"
#include "runtime/net/dns_cache.h"
#include "runtime/net/poller.h"
#include "tests/support/process/shifted_clock.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/web/fetch_all.h"
#include "tests/support/web/name_server.h"

namespace trawl {
namespace {

std::string Texts(const std::vector<IpAddress>& addresses) {
  std::string text;
  for (const IpAddress& address : addresses) text += (text.empty() ? "" : " ") + address.ToString();
  return text;
}

class Dns : public testing::Test {
 protected:
  void Start(const std::string& servers, DnsOptions options = {}) {
    options.servers = servers;
    if (options.hosts_file == "/etc/hosts") options.hosts_file.clear();
    options.timeout_ms = timeout_ms_;
    options.tries = 2;
    ASSERT_OK_AND_ASSIGN(poller_, Poller::Make());
    ASSERT_OK_AND_ASSIGN(client_, DnsClient::Make(options, clock_, *poller_, 0));
  }

  // One turn of the loop that drives the client.
  void Turn() {
    poller_->Wait(5, &events_);
    for (const Poller::Event& event : events_) client_->OnSocket(event.fd, event.readable, event.writable);
    client_->OnTick();
  }

  DnsAnswer Ask(const std::string& host) {
    bool answered = false;
    DnsAnswer answer;
    client_->Lookup(host, [&](const DnsAnswer& got) {
      answer = got;
      answered = true;
    });
    while (!answered) Turn();
    return answer;
  }

  // On a loaded machine a server answers late; where it never answers, a test sets less.
  int timeout_ms_ = 5'000;
  ShiftedClock clock_;
  std::unique_ptr<Poller> poller_;
  std::unique_ptr<DnsClient> client_;
  std::vector<Poller::Event> events_;
};

// -- a real server ----------------------------------------------------------------------------------------------------

TEST_F(Dns, AsksARealServer) {
  ASSERT_OK_AND_ASSIGN(
      const auto server,
      Dnsmasq::Start({"--host-record=both.test,192.0.2.1,2001:db8::1", "--host-record=six.test,2001:db8::2",
                      "--cname=alias.test,both.test", "--local=/test/", "--txt-record=text.test,hello"}));
  Start(server->address());
  EXPECT_EQ(Texts(Ask("both.test").addresses), "192.0.2.1 2001:db8::1");
  EXPECT_EQ(Texts(Ask("six.test").addresses), "2001:db8::2");
  EXPECT_EQ(Texts(Ask("alias.test").addresses), "192.0.2.1 2001:db8::1");
  EXPECT_EQ(Ask("nobody.test").failure, DnsFailure::kNoSuchName);
  EXPECT_EQ(Ask("text.test").failure, DnsFailure::kNoAddress);
  EXPECT_EQ(Ask("elsewhere.example").failure, DnsFailure::kServerFailure) << "refused";
  EXPECT_FALSE(client_->busy());
}

TEST_F(Dns, ThousandNamesAtOnceWithoutAThreadEach) {
  ASSERT_OK_AND_ASSIGN(const auto server, Dnsmasq::Start({"--address=/many.test/192.0.2.7"}));
  DnsOptions options;
  options.max_under_way = 64;
  Start(server->address(), options);
  int answered = 0;
  for (int i = 0; i < 1000; ++i) {
    client_->Lookup("h" + std::to_string(i) + ".many.test", [&](const DnsAnswer& answer) {
      EXPECT_EQ(Texts(answer.addresses), "192.0.2.7");
      ++answered;
    });
  }
  while (answered < 1000) Turn();
  EXPECT_EQ(client_->counters().asked, 1000);
}

// -- what is known without asking -------------------------------------------------------------------------------------

TEST_F(Dns, NumbersFixedNamesAndLocalhostNeedNoServer) {
  ScriptedNameServer server([](const DnsQuestion&) { return std::vector<std::string>(); });
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/hosts") << "192.0.2.9 filed.test\n192.0.2.8 both.test\n";
  DnsOptions options;
  options.hosts_file = folder.path() + "/hosts";
  options.fixed["fixed.test"] = {{*IpAddress::Parse("192.0.2.1"), *IpAddress::Parse("192.0.2.2")}, 8080, 8443};
  options.fixed["both.test"] = {{*IpAddress::Parse("192.0.2.3")}, 0, 0};
  Start(server.address(), options);
  EXPECT_EQ(Texts(Ask("192.0.2.77").addresses), "192.0.2.77");
  EXPECT_EQ(Texts(Ask("[2001:db8::5]").addresses), "2001:db8::5");
  EXPECT_EQ(Texts(Ask("localhost").addresses), "127.0.0.1 ::1");
  EXPECT_EQ(Texts(Ask("a.b.localhost").addresses), "127.0.0.1 ::1");
  EXPECT_EQ(Texts(Ask("filed.test").addresses), "192.0.2.9");
  EXPECT_EQ(Texts(Ask("both.test").addresses), "192.0.2.3") << "the given map stands first";
  EXPECT_EQ(Ask("fixed.test").http_port, 8080);
  EXPECT_EQ(Ask("fixed.test.").http_port, 8080) << "the same name, said in full";
  EXPECT_EQ(Ask("fixed.test").https_port, 8443);
  client_->ReportFailure("fixed.test", *IpAddress::Parse("192.0.2.1"));
  EXPECT_EQ(Texts(Ask("fixed.test").addresses), "192.0.2.2 192.0.2.1");
  for (const std::string& bad : {std::string(64, 'a') + ".test", std::string(300, 'a'), std::string(""),
                                 std::string("a..b"), std::string(".a"), std::string("a b"), std::string("a\\046b")}) {
    EXPECT_EQ(Ask(bad).failure, DnsFailure::kBadName) << bad;
  }
  EXPECT_EQ(server.questions(), 0);
}

// -- remembering ------------------------------------------------------------------------------------------------------

std::vector<std::string> GoodAnswer(const DnsQuestion& question, uint32_t ttl_s) {
  if (question.type == 1) return {question.Answer({DnsA("192.0.2.1", ttl_s), DnsA("192.0.2.2", ttl_s)})};
  return {question.Answer({})};
}

TEST_F(Dns, AnswersLastAsLongAsTheyMay) {
  const struct {
    uint32_t ttl_s;
    int64_t lasts_ms;
  } kCases[] = {{0, 30'000}, {300, 300'000}, {0xffffffff, 30'000}, {7'000'000, 24 * 3'600'000}};
  for (const auto& c : kCases) {
    ScriptedNameServer server([&](const DnsQuestion& question) { return GoodAnswer(question, c.ttl_s); });
    Start(server.address());
    EXPECT_FALSE(Ask("a.test").cached);
    EXPECT_TRUE(Ask("a.test").cached);
    EXPECT_EQ(server.questions(), 2);
    clock_.Advance(c.lasts_ms - 1'000);
    EXPECT_TRUE(Ask("a.test").cached) << c.ttl_s;
    clock_.Advance(2'000);
    EXPECT_FALSE(Ask("a.test").cached) << c.ttl_s;
  }
}

TEST_F(Dns, AbsenceIsRememberedFiveMinutesAndFailureLess) {
  ScriptedNameServer server([](const DnsQuestion& question) -> std::vector<std::string> {
    if (question.name == "absent.test") return {question.Answer({}, 3)};
    if (question.name == "empty.test") return {question.Answer({}, 0)};
    return {question.Answer({}, 2)};
  });
  Start(server.address());
  EXPECT_EQ(Ask("absent.test").failure, DnsFailure::kNoSuchName);
  EXPECT_EQ(Ask("empty.test").failure, DnsFailure::kNoAddress);
  EXPECT_EQ(Ask("broken.test").failure, DnsFailure::kServerFailure);
  clock_.Advance(31'000);
  EXPECT_TRUE(Ask("absent.test").cached);
  EXPECT_TRUE(Ask("empty.test").cached);
  EXPECT_FALSE(Ask("broken.test").cached);
  clock_.Advance(5 * 60'000);
  EXPECT_FALSE(Ask("absent.test").cached);
}

TEST_F(Dns, OneQuestionForAllWhoWait) {
  ScriptedNameServer server([](const DnsQuestion& question) { return GoodAnswer(question, 60); });
  Start(server.address());
  int answered = 0;
  for (int i = 0; i < 10; ++i) client_->Lookup("a.test", [&](const DnsAnswer&) { ++answered; });
  while (answered < 10) Turn();
  EXPECT_EQ(server.questions(), 2);
  EXPECT_TRUE(Ask("a.test").cached);
}

TEST_F(Dns, TheFirstAddressStaysUntilItFails) {
  ScriptedNameServer server([](const DnsQuestion& question) { return GoodAnswer(question, 60); });
  Start(server.address());
  EXPECT_EQ(Texts(Ask("a.test").addresses), "192.0.2.1 192.0.2.2");
  client_->ReportFailure("a.test", *IpAddress::Parse("192.0.2.2"));
  EXPECT_EQ(Texts(Ask("a.test").addresses), "192.0.2.1 192.0.2.2") << "only the first can fail";
  client_->ReportFailure("a.test", *IpAddress::Parse("192.0.2.1"));
  EXPECT_EQ(Texts(Ask("a.test").addresses), "192.0.2.2 192.0.2.1");
}

TEST_F(Dns, TheCacheHoldsSoManyAndNoMore) {
  DnsCache cache(3);
  for (const char* host : {"a", "b", "c"}) EXPECT_FALSE(cache.Put(host, {}, 100));
  EXPECT_NE(cache.Find("a", 0), nullptr);
  EXPECT_TRUE(cache.Put("d", {}, 100));
  EXPECT_EQ(cache.Find("b", 0), nullptr) << "not looked at for the longest time";
  EXPECT_NE(cache.Find("a", 99), nullptr);
  EXPECT_EQ(cache.Find("a", 100), nullptr) << "its time is over";
  EXPECT_EQ(cache.size(), 2u);
}

// -- hostile servers --------------------------------------------------------------------------------------------------

TEST_F(Dns, SilenceIsATimeout) {
  ScriptedNameServer server([](const DnsQuestion&) { return std::vector<std::string>(); });
  timeout_ms_ = 60;
  Start(server.address());
  EXPECT_EQ(Ask("a.test").failure, DnsFailure::kTimeout);
  EXPECT_LE(server.questions(), 4);
}

TEST_F(Dns, Ipv6SilenceHoldsUpNobodyForLong) {
  ScriptedNameServer server([](const DnsQuestion& question) {
    return question.type == 28 ? std::vector<std::string>() : GoodAnswer(question, 60);
  });
  Start(server.address());
  const int64_t began_ms = clock_.MonotonicMs();
  client_->Lookup("warm.test", [](const DnsAnswer&) {});
  bool answered = false;
  client_->Lookup("a.test", [&](const DnsAnswer& answer) {
    EXPECT_EQ(answer.addresses.size(), 2u);
    answered = true;
  });
  while (!answered) {
    clock_.Advance(20);
    Turn();
  }
  EXPECT_LT(clock_.MonotonicMs() - began_ms, 1'500);
}

TEST_F(Dns, AddressesOfANameAreBounded) {
  ScriptedNameServer server([](const DnsQuestion& question) -> std::vector<std::string> {
    std::vector<std::string> records;
    for (int i = 0; i < 40; ++i) {  // all of them fit into one datagram
      const std::string n = std::to_string(i + 1);
      records.push_back(question.type == 1 ? DnsA("192.0.2." + n, 60) : DnsAaaa("2001:db8::" + n, 60));
    }
    return {question.Answer(records)};
  });
  Start(server.address());
  EXPECT_EQ(Ask("a.test").addresses.size(), 16u);
}

TEST_F(Dns, NonsenseIsAFailureAndNothingElse) {
  const std::vector<std::pair<const char*, std::function<std::vector<std::string>(const DnsQuestion&)>>> kCases = {
      {"empty", [](const DnsQuestion&) { return std::vector<std::string>{""}; }},
      {"a few bytes", [](const DnsQuestion& q) { return std::vector<std::string>{q.bytes.substr(0, 5)}; }},
      {"the question itself", [](const DnsQuestion& q) { return std::vector<std::string>{q.bytes}; }},
      {"another number",
       [](const DnsQuestion& q) {
         std::string answer = q.Answer({DnsA("192.0.2.66", 60)});
         answer[0] = static_cast<char>(answer[0] ^ 1);
         return std::vector<std::string>{answer};
       }},
      {"another name",
       [](const DnsQuestion& q) {
         std::string answer = q.Answer({DnsA("192.0.2.66", 60)});
         answer[13] = static_cast<char>(answer[13] ^ 1);
         return std::vector<std::string>{answer};
       }},
      {"a record cut short",
       [](const DnsQuestion& q) {
         const std::string answer = q.Answer({DnsA("192.0.2.66", 60)});
         return std::vector<std::string>{answer.substr(0, answer.size() - 2)};
       }},
      {"more records promised than there are",
       [](const DnsQuestion& q) {
         std::string answer = q.Answer({DnsA("192.0.2.66", 60)});
         answer[7] = 50;
         return std::vector<std::string>{answer};
       }},
      {"a name that points at itself",
       [](const DnsQuestion& q) {
         std::string answer = q.Answer({});
         answer[7] = 1;
         const size_t at = answer.size();
         answer += static_cast<char>(0xc0 | (at >> 8));
         answer += static_cast<char>(at);
         return std::vector<std::string>{answer + std::string("\0\1\0\1\0\0\0\1\0\4\1\2\3\4", 14)};
       }},
      {"an alias of itself",
       [](const DnsQuestion& q) { return std::vector<std::string>{q.Answer({DnsCname("\xc0\x0c", 60)})}; }},
  };
  timeout_ms_ = 60;
  for (const auto& [what, script] : kCases) {
    ScriptedNameServer server(script);
    Start(server.address());
    const DnsAnswer answer = Ask("a.test");
    EXPECT_NE(answer.failure, DnsFailure::kNone) << what;
    EXPECT_TRUE(answer.addresses.empty()) << what << Texts(answer.addresses);
  }
}

TEST_F(Dns, AFloodOfAnswersChangesNothing) {
  ScriptedNameServer server([](const DnsQuestion& question) {
    std::vector<std::string> answers = GoodAnswer(question, 60);
    answers.resize(200, answers[0]);
    return answers;
  });
  Start(server.address());
  EXPECT_EQ(Ask("a.test").addresses.size(), 2u);
  EXPECT_EQ(Ask("b.test").addresses.size(), 2u);
}

TEST_F(Dns, ANameThatPointsInsideIsNotAsked) {
  TestWeb web;
  web.AddHost("inside.test", ServePages({{"*", {.body = "secret"}}}));
  ASSERT_OK(web.Start());
  const std::string where = web.HttpAddress("inside.test");
  ScriptedNameServer server([&](const DnsQuestion& question) -> std::vector<std::string> {
    if (question.type == 28) return {question.Answer({DnsAaaa("::ffff:7f00:1", 0)})};
    return {question.Answer({DnsA(where.substr(0, where.find(':')), 0)})};
  });
  HttpClientOptions options;
  options.dns.servers = server.address();
  options.dns.hosts_file.clear();
  ASSERT_OK_AND_ASSIGN(const auto client, HttpClient::Make(options, clock_));
  const HttpAnswer answer = FetchOne(*client, "http://rebound.test" + where.substr(where.find(':')) + "/");
  EXPECT_EQ(answer.outcome, HttpOutcome::kAddressRefused) << answer.detail;
  EXPECT_EQ(web.connections_accepted(), 0);
}

TEST_F(Dns, ServersMustBeAddresses) {
  ASSERT_OK_AND_ASSIGN(poller_, Poller::Make());
  DnsOptions options;
  options.servers = "dns.example";
  EXPECT_TRUE(DnsClient::Make(options, clock_, *poller_, 0).status().IsInvalid());
}

}  // namespace
}  // namespace trawl
