#include "jobs/politeness/domain_quotas.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

constexpr int64_t kDay = 1'767'225'600'000;

HostRow Row(const std::string& key, const DomainRecord& domain = {}) {
  HostRow row;
  row.key = key;
  row.domain = domain;
  return row;
}

std::unordered_map<std::string, HostRow> ByKey(const std::vector<HostRow>& rows) {
  std::unordered_map<std::string, HostRow> by_key;
  for (const HostRow& row : rows) by_key[row.key] = row;
  return by_key;
}

TEST(DomainQuotas, RequestsInFlightCountToo) {
  const DomainRecord domain = {.operator_pages = 12, .pages = 10};
  DomainQuotas quotas(ByKey({Row("com,a,x", domain), Row("com,a,y", domain), Row("com,b")}));
  HostRow x = Row("com,a,x"), y = Row("com,a,y"), b = Row("com,b");
  quotas.AddHost(0, &x);
  quotas.AddHost(1, &y);
  quotas.AddHost(2, &b);
  quotas.Begin(0);
  EXPECT_FALSE(quotas.IsFull(1, kDay));
  quotas.Begin(1);
  EXPECT_TRUE(quotas.IsFull(0, kDay));
  quotas.End(0, kDay);
  EXPECT_TRUE(quotas.IsFull(1, kDay));
  quotas.Begin(2);
  EXPECT_FALSE(quotas.IsFull(2, kDay)) << "a domain without limits";
}

// What an attempt before had asked for: the newest row of each host has it, also of a host that a redirect led to.
TEST(DomainQuotas, PagesOfEarlierAttemptsCount) {
  const DomainRecord domain = {.operator_pages_a_day = 6, .day_start_ms = kDay, .pages_today = 1, .pages = 1};
  HostRow x = Row("com,a,x", domain), y = Row("com,a,y", domain), hop = Row("com,a,hop");
  for (HostRow* row : {&x, &hop}) {
    row->day_start_ms = kDay;
    row->round_pages = row->round_pages_today = 2;
  }
  DomainQuotas quotas(ByKey({x, y, hop}));
  quotas.AddHost(0, &x);
  quotas.AddHost(1, &y);
  EXPECT_FALSE(quotas.IsFull(1, kDay)) << "1 before, 4 by the attempt before";
  quotas.Begin(0);
  quotas.End(0, kDay + 5);
  EXPECT_TRUE(quotas.IsFull(1, kDay + 5));
  EXPECT_FALSE(quotas.IsFull(1, kDay + kDayMs)) << "another day";
}

TEST(DomainQuotas, TheDomainsDelayIsForHostsWithoutOneOfTheirOwn) {
  DomainQuotas quotas(ByKey({Row("com,a,x", {.operator_delay_ms = 700})}));
  HostRow usual = Row("com,a,hop"), own = Row("com,a,own"), stranger = Row("com,b");
  own.operator_delay_ms = -1;
  quotas.AddHost(0, &usual);
  quotas.AddHost(1, &own);
  quotas.AddHost(2, &stranger);
  EXPECT_EQ(usual.operator_delay_ms, 700);
  EXPECT_EQ(own.operator_delay_ms, -1);
  EXPECT_EQ(stranger.operator_delay_ms, 0);
  EXPECT_FALSE(quotas.IsFull(0, kDay));
}

}  // namespace
}  // namespace trawl
