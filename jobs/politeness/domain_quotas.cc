#include "jobs/politeness/domain_quotas.h"

#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "jobs/politeness/delay.h"

namespace trawl {

namespace {

bool HasLimits(const DomainRecord& record) {
  return record.operator_pages_a_day > 0 || record.operator_pages > 0 || record.operator_delay_ms != 0;
}

std::string DomainOf(std::string_view host_key) {
  return std::string(PublicSuffixes::BuiltIn().HoldingDomain(HostOfKey(host_key)));
}

}  // namespace

DomainQuotas::DomainQuotas(const std::unordered_map<std::string, HostRow>& rows) {
  for (const auto& [key, row] : rows) {
    if (!HasLimits(row.domain)) continue;
    const auto [at, is_new] = number_of_.try_emplace(DomainOf(key), static_cast<uint32_t>(domains_.size()));
    if (is_new) domains_.push_back({.record = row.domain});
  }
  if (domains_.empty()) return;
  // Rows of hosts that the list does not have say nothing of their domain, but may have pages of it.
  for (const auto& [key, row] : rows) {
    Domain* const domain = row.round_pages > 0 ? Find(key) : nullptr;
    if (domain != nullptr) AddPages({row.day_start_ms, row.round_pages_today, row.round_pages}, &domain->record);
  }
}

DomainQuotas::Domain* DomainQuotas::Find(std::string_view host_key) {
  if (domains_.empty()) return nullptr;
  const auto found = number_of_.find(DomainOf(host_key));
  return found == number_of_.end() ? nullptr : &domains_[found->second];
}

void DomainQuotas::AddHost(HostNumber host, HostRow* row) {
  domain_of_.resize(host + 1, -1);
  const Domain* const domain = Find(row->key);
  if (domain == nullptr) return;
  domain_of_[host] = static_cast<int32_t>(domain - domains_.data());
  row->operator_delay_ms = OperatorDelayOf(*row, domain->record);
}

void DomainQuotas::Begin(HostNumber host) {
  if (domain_of_[host] >= 0) ++domains_[static_cast<size_t>(domain_of_[host])].in_flight;
}

void DomainQuotas::End(HostNumber host, int64_t ended_ms) {
  if (domain_of_[host] < 0) return;
  Domain& domain = domains_[static_cast<size_t>(domain_of_[host])];
  --domain.in_flight;
  AddPages({.day_start_ms = DayOf(ended_ms), .today = 1, .pages = 1}, &domain.record);
}

bool DomainQuotas::IsFull(HostNumber host, int64_t now_ms) const {
  if (domain_of_[host] < 0) return false;
  const Domain& domain = domains_[static_cast<size_t>(domain_of_[host])];
  return PagesLeftOf(domain.record, {}, now_ms).Least() <= domain.in_flight;
}

}  // namespace trawl
