#include "jobs/signals/respect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/http/raw_headers.h"
#include "jobs/signals/signals.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kNow = 1'790'000'000'000;

std::string OfHeaders(const std::string& fields) {
  const std::string raw = "HTTP/1.1 200 OK\r\nServer: x\r\n" + fields + "\r\n";
  const int32_t signals = SignalsOfHeaders(ParseRawHeaders(raw), "trawl", kNow);
  EXPECT_EQ(SignalsOfRawHeaders(raw, "trawl", kNow), signals) << fields;
  return SignalsText(signals);
}

Respect Respecting(std::vector<std::string> names) { return Respect::Of({.respect = std::move(names)}); }

TEST(Signals, EachNameHasItsBitForEver) {
  const char* const names[] = {"noindex",   "nofollow",     "noarchive",   "nosnippet",   "noai",
                               "noimageai", "tdm-reserved", "no-ai-train", "no-ai-input", "no-search"};
  ASSERT_EQ(std::size(names), std::size(kSignalNames));
  for (size_t bit = 0; bit < std::size(names); ++bit) EXPECT_EQ(SignalNamed(names[bit]), 1 << bit) << names[bit];
  EXPECT_EQ(SignalNamed("none"), 0);
}

TEST(Signals, HeaderFieldsInTheirForms) {
  const struct {
    const char* fields;
    const char* signals;
  } cases[] = {
      {"", ""},
      {"X-Robots-Tag: noarchive\r\n", "noarchive"},
      {"x-robots-tag:NOAI;noimageai\r\nX-ROBOTS-TAG: trawl: nosnippet\r\n", "nosnippet,noai,noimageai"},
      {"X-Robots-Tag: otherbot: noindex, nofollow\r\n", ""},
      {"X-Robots-Tag: unavailable_after: 2020-01-01\r\n", "noindex"},
      {"X-Robots-Tag: unavailable_after: 2099-01-01\r\n", ""},
      {"X-Robots-Tag: max-snippet:0\r\n", "nosnippet"},
      {"Content-Signal: search=no, ai-train=no\r\nContent-Signal: AI-Input=No\r\n",
       "no-ai-train,no-ai-input,no-search"},
      {"Content-Signal: ai-train=yes\r\n", ""},
      {"TDM-Reservation: 1\r\nTDM-Policy: /p\r\n", "tdm-reserved"},
      {"tdm-reservation: 0\r\n", ""},
      {"tdm-reservation: yes\r\n", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(OfHeaders(c.fields), c.signals) << c.fields;
}

TEST(Signals, OfAParseRow) {
  ParseRow row;
  EXPECT_EQ(SignalsOf(row), 0);
  row.noarchive = row.noai = true;
  row.tdm_reservation = 1;
  row.content_signal = "ai-input=no, search=yes";
  EXPECT_EQ(SignalsText(SignalsOf(row)), "noarchive,noai,tdm-reserved,no-ai-input");
  row.tdm_reservation = 2;
  EXPECT_EQ(SignalsText(SignalsOf(row)), "noarchive,noai,no-ai-input");
}

TEST(Signals, APartOfTheRowSaysWhatTheHeaderFieldsSaid) {
  const int32_t all = kAllSignals, ai = SignalNamed("noai");
  for (const int32_t holding : {0, ai, all}) {
    for (const int32_t headers : {0, ai, all}) {
      const int32_t signals = NotedSignals(holding, headers);
      EXPECT_EQ(HoldingSignals(signals), holding);
      EXPECT_EQ(HeaderSignals(signals), headers);
      EXPECT_TRUE(AreSignalsKnown(signals));
      EXPECT_GT(signals, 0);
    }
  }
  EXPECT_FALSE(AreSignalsKnown(0));
}

TEST(Respect, LeavesOutWhatItNames) {
  const int32_t archive = SignalNamed("noarchive"), ai = SignalNamed("noai"), index = SignalNamed("noindex");
  const Respect usual = Respect::Of({});
  EXPECT_STREQ(usual.LeftOutBy(archive | index), "noarchive");
  EXPECT_EQ(usual.LeftOutBy(ai | index), nullptr);
  EXPECT_EQ(usual.LeftOutBy(0), nullptr);
  EXPECT_STREQ(Respecting({"noai", "noarchive"}).LeftOutBy(archive | ai), "noarchive") << "each page counts once";
  EXPECT_EQ(Respecting({"none"}).LeftOutBy(kAllSignals), nullptr);
  EXPECT_EQ(Respecting({"noai", "noarchive"}).Text(), "noarchive,noai");
  EXPECT_EQ(Respecting({"none"}).Text(), "none");
}

TEST(Respect, AWrongNameIsRefused) {
  const auto read = [](const char* list) { return RespectOptionGroup().Read({{"signals.respect", list}}).status(); };
  EXPECT_TRUE(read("none").ok());
  EXPECT_TRUE(read("noindex,no-ai-train").ok());
  EXPECT_THAT(read("none,noai").message(), HasSubstr("write none, or one or more of noindex, nofollow"));
  EXPECT_THAT(read("no-archive").message(), HasSubstr("'no-archive'"));
}

TEST(Respect, WhatHoldsForAPage) {
  const int32_t archive = SignalNamed("noarchive"), ai = SignalNamed("noai"), train = SignalNamed("no-ai-train");
  UrlRow row;
  ParseRow parsed;
  parsed.noarchive = true;
  EXPECT_EQ(PageSignals(row, &parsed, 0, kNow), archive) << "a row of an older version";
  row.signals = NotedSignals(ai, 0);
  EXPECT_EQ(PageSignals(row, &parsed, 0, kNow), ai) << "the row knows better than what was read first";
  EXPECT_EQ(PageSignals(row, nullptr, train, kNow), ai | train) << "robots.txt is added";
  parsed.unavailable_after_ms = kNow + 1;
  EXPECT_EQ(PageSignals(row, &parsed, 0, kNow), ai);
  EXPECT_EQ(PageSignals(row, &parsed, 0, kNow + 1), ai | SignalNamed("noindex"));
}

}  // namespace
}  // namespace trawl
