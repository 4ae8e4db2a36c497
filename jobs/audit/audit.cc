#include "jobs/audit/audit.h"

#include <algorithm>

namespace trawl {

using arrow::Result;

namespace {

struct Dot {
  std::string host;
  int64_t requests = 0;
  int64_t gap_ms = 0;
  int64_t delay_ms = 1;

  double ratio() const { return static_cast<double>(gap_ms) / static_cast<double>(delay_ms); }
};

struct Sums {
  int64_t hosts = 0;
  int64_t requests = 0;
  int64_t gaps = 0;
  int64_t violations = 0;
  std::vector<Dot> dots;
};

// A half of those with the smallest ratios, and the others from all over the rest.
std::vector<Dot> Chosen(std::vector<Dot> dots, size_t most) {
  std::sort(dots.begin(), dots.end(), [](const Dot& a, const Dot& b) {
    return a.ratio() != b.ratio() ? a.ratio() < b.ratio() : a.host < b.host;
  });
  if (dots.size() <= most) return dots;
  std::vector<Dot> chosen(dots.begin(), dots.begin() + static_cast<std::ptrdiff_t>(most / 2));
  const size_t rest = dots.size() - most / 2, room = most - most / 2;
  for (size_t i = 0; i < room; ++i) chosen.push_back(dots[most / 2 + i * rest / room]);
  return chosen;
}

Json ToJson(const Sums& sums, size_t most) {
  Json dots = Json::array();
  Json smallest;
  for (const Dot& dot : Chosen(sums.dots, most)) {
    if (smallest.is_null()) smallest = dot.ratio();
    dots.push_back(
        {{"host", dot.host}, {"requests", dot.requests}, {"gap_ms", dot.gap_ms}, {"delay_ms", dot.delay_ms}});
  }
  return {{"hosts", sums.hosts},           {"requests", sums.requests},  {"gaps", sums.gaps},
          {"violations", sums.violations}, {"smallest_ratio", smallest}, {"dots", dots}};
}

int64_t NumberOf(const Json& json, const char* name) {
  const Result<int64_t> number = GetInt(json, name);
  return number.ok() ? *number : 0;
}

void Add(const Json& facts, Sums* sums) {
  sums->hosts += NumberOf(facts, "hosts");
  sums->requests += NumberOf(facts, "requests");
  sums->gaps += NumberOf(facts, "gaps");
  sums->violations += NumberOf(facts, "violations");
  const Result<const Json*> dots = GetArray(facts, "dots");
  if (!dots.ok()) return;
  for (const Json& dot : **dots) {
    const Result<std::string> host = GetString(dot, "host");
    const int64_t delay_ms = NumberOf(dot, "delay_ms");
    if (host.ok() && delay_ms > 0) {
      sums->dots.push_back({*host, NumberOf(dot, "requests"), NumberOf(dot, "gap_ms"), delay_ms});
    }
  }
}

}  // namespace

void PolitenessAudit::Begin(const std::string& host, int64_t at_ms, int64_t delay_ms) {
  Host& known = hosts_[host];
  HostGaps& gaps = known.gaps;
  ++gaps.requests;
  if (known.ended_ms < 0 || delay_ms <= 0) return;
  const int64_t gap_ms = std::max<int64_t>(at_ms - known.ended_ms, 0);
  ++gaps.gaps;
  gaps.violations += gap_ms < delay_ms ? 1 : 0;
  const bool is_smallest = gaps.gaps == 1 || static_cast<double>(gap_ms) / static_cast<double>(delay_ms) < gaps.ratio();
  if (is_smallest) {
    gaps.gap_ms = gap_ms;
    gaps.delay_ms = delay_ms;
  }
}

void PolitenessAudit::End(const std::string& host, int64_t at_ms) {
  Host& known = hosts_[host];
  known.ended_ms = std::max(known.ended_ms, at_ms);
}

Json PolitenessAudit::ToJson(size_t most) const {
  Sums sums;
  for (const auto& [name, host] : hosts_) {
    ++sums.hosts;
    sums.requests += host.gaps.requests;
    sums.gaps += host.gaps.gaps;
    sums.violations += host.gaps.violations;
    if (host.gaps.gaps > 0) sums.dots.push_back({name, host.gaps.requests, host.gaps.gap_ms, host.gaps.delay_ms});
  }
  return trawl::ToJson(sums, most);
}

Json SumAudits(const std::vector<Json>& facts) {
  Sums sums;
  bool is_known = false;
  for (const Json& of_task : facts) {
    if (!of_task.is_object()) continue;
    is_known = true;
    Add(of_task, &sums);
  }
  return is_known ? ToJson(sums, kMostDotsOfRound) : Json();
}

}  // namespace trawl
