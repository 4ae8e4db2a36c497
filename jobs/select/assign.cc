#include "jobs/select/assign.h"

#include <algorithm>
#include <unordered_map>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct Domain {
  uint64_t hash = 0;
  int64_t most = INT64_MAX;  // pages
  int64_t pages = 0;
  int64_t claimed = 0;   // pages, with those that come last
  int64_t spent_ms = 0;  // how much of the time limit they use, where politeness is by domain
  int64_t load_ms = 0;
  int64_t longest_ms = 0;  // time of the host that takes longest
  int64_t bytes = 0;
  int64_t hosts = 0;
  int32_t list = -1;
  bool slow = false;
  bool full = false;
};

class Assigner {
 public:
  Assigner(const std::vector<HostOffer>& offers, const AssignOptions& options) : offers_(offers), options_(options) {
    assignment_.hosts.resize(offers.size());
    domain_of_.reserve(offers.size());
    std::unordered_map<uint64_t, uint32_t> numbers;
    for (const HostOffer& offer : offers) {
      const auto [at, is_new] = numbers.try_emplace(offer.domain, static_cast<uint32_t>(domains_.size()));
      if (is_new) domains_.push_back({.hash = offer.domain, .most = offer.domain_pages});
      domain_of_.push_back(at->second);
    }
  }

  Status Take(CandidateSource* candidates) {
    Candidate candidate;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, candidates->Next(&candidate));
      if (!more) break;
      if (candidate.host >= offers_.size())
        return Status::Invalid("a candidate of host ", candidate.host, ", which has no offer");
      Domain& domain = domains_[domain_of_[candidate.host]];
      if (domain.full || !Fits(domain, offers_[candidate.host])) {
        domain.full = true;
        assignment_.more = true;
        continue;
      }
      if (IsComplete()) {
        assignment_.more = true;
        return Status::OK();
      }
      ++domain.claimed;
      domain.spent_ms += offers_[candidate.host].page_ms;
      if (options_.domain_turn > 0 && domain.pages >= options_.domain_turn) {
        Postpone(candidate);
      } else {
        Accept(candidate, &domain);
      }
    }
    for (const Candidate& last : last_) {
      assignment_.more = assignment_.more || IsComplete();
      if (IsComplete()) break;
      Accept(last, &domains_[domain_of_[last.host]]);
    }
    return Status::OK();
  }

  Assignment Pack() {
    SumDomains();
    std::vector<Domain*> order;
    for (Domain& domain : domains_) {
      if (domain.pages > 0) order.push_back(&domain);
    }
    std::sort(order.begin(), order.end(), [](const Domain* a, const Domain* b) {
      return a->load_ms != b->load_ms ? a->load_ms > b->load_ms : a->hash < b->hash;
    });
    const auto slow_begin = std::stable_partition(order.begin(), order.end(), [](const Domain* d) { return !d->slow; });
    const std::vector<Domain*> usual(order.begin(), slow_begin), slow(slow_begin, order.end());
    int lists = std::max(options_.lists, 1);
    bool slow_on_top = options_.slow_on_top;
    if (options_.urls_a_list > 0) {
      int64_t longest_ms = 0;
      for (const Domain* domain : order) longest_ms = std::max(longest_ms, domain->longest_ms);
      const bool is_far = longest_ms > options_.far_from_ms || options_.far_from_ms == 0;
      const int64_t urls_a_list =
          is_far ? std::max(UrlsAFarList(longest_ms), options_.urls_a_list) : options_.urls_a_list;
      const int64_t worth = (assignment_.urls + urls_a_list - 1) / urls_a_list;
      lists = static_cast<int>(std::clamp<int64_t>(worth, 1, lists));
      slow_on_top = slow_on_top && worth > 1;
    }
    if (usual.empty() || slow.empty() || (lists == 1 && !slow_on_top)) {
      PackInto(order, std::min(lists, static_cast<int>(order.size())), usual.empty() && !slow.empty());
    } else {
      PackInto(usual, std::min(slow_on_top ? lists : lists - 1, static_cast<int>(usual.size())), false);
      PackInto(slow, 1, true);
    }
    for (size_t i = 0; i < offers_.size(); ++i) {
      if (assignment_.hosts[i].pages > 0) assignment_.hosts[i].list = domains_[domain_of_[i]].list;
    }
    return std::move(assignment_);
  }

 private:
  bool IsComplete() const { return options_.top_n > 0 && assignment_.urls == options_.top_n; }

  // Keeps no more than there can be room for in the end.
  void Postpone(const Candidate& candidate) {
    if (options_.top_n > 0 && static_cast<int64_t>(last_.size()) >= options_.top_n - assignment_.urls) {
      assignment_.more = true;
    } else {
      last_.push_back(candidate);
    }
  }

  bool Fits(const Domain& domain, const HostOffer& offer) const {
    if (domain.claimed >= domain.most) return false;
    if (options_.per_domain > 0 && domain.claimed >= options_.per_domain) return false;
    if (!options_.by_domain || domain.claimed == 0) return true;
    return domain.spent_ms + offer.page_ms <= options_.time_limit_ms;
  }

  void Accept(const Candidate& candidate, Domain* domain) {
    HostTaken& host = assignment_.hosts[candidate.host];
    ++host.pages;
    host.last = candidate.rank;
    ++domain->pages;
    ++assignment_.urls;
    ++assignment_.tiers[static_cast<size_t>(candidate.rank.tier()) % kTiers];
  }

  void SumDomains() {
    for (size_t i = 0; i < offers_.size(); ++i) {
      const int64_t pages = assignment_.hosts[i].pages;
      if (pages == 0) continue;
      Domain& domain = domains_[domain_of_[i]];
      const int64_t host_ms = offers_[i].wait_ms + pages * offers_[i].page_ms;
      domain.load_ms += host_ms;
      domain.longest_ms = options_.by_domain ? domain.load_ms : std::max(domain.longest_ms, host_ms);
      domain.bytes += pages * offers_[i].page_bytes;
      ++domain.hosts;
      domain.slow = domain.slow || offers_[i].slow;
    }
  }

  // Each domain goes to the new list with the least to do, and to the first of equals.
  void PackInto(const std::vector<Domain*>& domains, int lists, bool slow) {
    const size_t first = assignment_.lists.size();
    assignment_.lists.resize(first + static_cast<size_t>(lists), ListSummary{.slow = slow});
    // A heap by load and number, with the least in front.
    std::vector<size_t> heap;
    for (size_t i = first; i < assignment_.lists.size(); ++i) heap.push_back(i);
    const auto behind = [this](size_t a, size_t b) {
      const int64_t load_a = assignment_.lists[a].load_ms, load_b = assignment_.lists[b].load_ms;
      return load_a != load_b ? load_a > load_b : a > b;
    };
    for (Domain* domain : domains) {
      std::pop_heap(heap.begin(), heap.end(), behind);
      ListSummary& list = assignment_.lists[heap.back()];
      domain->list = static_cast<int32_t>(heap.back());
      list.urls += domain->pages;
      list.hosts += domain->hosts;
      list.domains += 1;
      list.bytes += domain->bytes;
      list.load_ms += domain->load_ms;
      list.expected_ms = std::max(list.expected_ms, domain->longest_ms);
      std::push_heap(heap.begin(), heap.end(), behind);
    }
  }

  const std::vector<HostOffer>& offers_;
  const AssignOptions& options_;
  std::vector<Domain> domains_;
  std::vector<uint32_t> domain_of_;  // by host
  std::vector<Candidate> last_;      // of domains that have had their turn
  Assignment assignment_;
};

}  // namespace

int64_t UrlsAFarList(int64_t expected_ms) {
  // One task asks for 100 pages in a second or two where nobody has to be waited for.
  constexpr int64_t kMsAPage = 15;
  constexpr int64_t kLeastMs = 30'000, kMostUrls = 10'000;
  return std::min(std::max(expected_ms, kLeastMs) / kMsAPage, kMostUrls);
}

int64_t DomainTurnOf(int64_t top_n, int32_t domain_share) {
  constexpr int64_t kWhole = 1'000'000;
  if (top_n <= 0 || domain_share >= kWhole) return 0;
  return std::max<int64_t>(top_n / kWhole * domain_share + top_n % kWhole * domain_share / kWhole, 1);
}

Result<Assignment> Assign(const std::vector<HostOffer>& offers, CandidateSource* candidates,
                          const AssignOptions& options) {
  Assigner assigner(offers, options);
  ARROW_RETURN_NOT_OK(assigner.Take(candidates));
  return assigner.Pack();
}

}  // namespace trawl
