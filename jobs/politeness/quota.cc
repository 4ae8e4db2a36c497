#include "jobs/politeness/quota.h"

namespace trawl {

namespace {

PagesLeft Left(const PageLimits& limits, TimeMs day_start_ms, int64_t today, int64_t pages, TimeMs now_ms) {
  PagesLeft left;
  const bool same_day = day_start_ms <= now_ms && now_ms < day_start_ms + kDayMs;
  if (limits.a_day > 0) left.today = std::max<int64_t>(limits.a_day - (same_day ? today : 0), 0);
  if (limits.in_all > 0) left.in_all = std::max<int64_t>(limits.in_all - pages, 0);
  return left;
}

}  // namespace

PageLimits LimitsOf(const HostRow& host, const PageLimits& of_all) {
  PageLimits limits = {.a_day = host.operator_pages_a_day > 0 ? host.operator_pages_a_day : of_all.a_day,
                       .in_all = host.operator_pages > 0 ? host.operator_pages : of_all.in_all};
  if (IsTrap(host) && (limits.a_day == 0 || limits.a_day > kTrapPagesADay)) limits.a_day = kTrapPagesADay;
  return limits;
}

PageLimits LimitsOf(const DomainRecord& domain, const PageLimits& of_all) {
  return {.a_day = domain.operator_pages_a_day > 0 ? domain.operator_pages_a_day : of_all.a_day,
          .in_all = domain.operator_pages > 0 ? domain.operator_pages : of_all.in_all};
}

PagesLeft PagesLeftOf(const HostRow& host, const PageLimits& limits, TimeMs now_ms) {
  return Left(LimitsOf(host, limits), host.day_start_ms, host.pages_today, host.pages, now_ms);
}

PagesLeft PagesLeftOf(const DomainRecord& domain, const PageLimits& limits, TimeMs now_ms) {
  return Left(LimitsOf(domain, limits), domain.day_start_ms, domain.pages_today, domain.pages, now_ms);
}

void AddPages(const PageNews& news, DomainRecord* domain) {
  domain->pages += news.pages;
  if (news.day_start_ms < domain->day_start_ms) return;
  if (news.day_start_ms > domain->day_start_ms) domain->pages_today = 0;
  domain->day_start_ms = news.day_start_ms;
  domain->pages_today += news.today;
}

}  // namespace trawl
