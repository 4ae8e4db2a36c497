// Which candidates a round takes, and which list each domain goes to. Pure; any thread.
//
// The first job (jobs/select/select_job.h) offers the best due URLs of each host, as many as the host can take. Assign
// goes through them from the best to the worst:
//  1. A domain takes no more than `per_domain`, and no more than is left of its pages per day and in all. Where politeness is by domain, it takes no more than fits into the time
//     limit, but at least one. Once one of its candidates is left out, all later ones are.
//  2. Assign ends at `top_n`. A domain takes no more than `domain_turn` of it as long as candidates of others are left:
//     those that it has beyond that come last, from the best to the worst.
// So the URLs that are taken of a host are all its candidates up to a rank. Then domains are packed into lists. A domain
// is in one list. The domain that takes longest is placed first, and each goes to the list with the least to do, so that
// hot hosts get lists to themselves as long as there are free ones. Domains with slow hosts have a list of their own
// where there can be two. The result depends on the candidates alone, not on how they were cut into sources.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arrow/result.h"
#include "jobs/select/url_rank.h"

namespace trawl {

struct HostOffer {
  uint64_t domain = 0;  // hash of its HoldingDomainOf
  int64_t page_ms = 0;
  int64_t wait_ms = 0;
  int64_t page_bytes = 0;
  bool slow = false;
  int64_t domain_pages = INT64_MAX;  // what all hosts of the domain may take together
};

struct Candidate {
  UrlRank rank;
  uint32_t host = 0;  // its number among the offers
};

// Candidates from the best to the worst.
class CandidateSource {
 public:
  virtual ~CandidateSource() = default;
  // False at the end.
  virtual arrow::Result<bool> Next(Candidate* candidate) = 0;
};

struct AssignOptions {
  int64_t top_n = 0;
  int64_t per_domain = 0;
  int64_t domain_turn = 0;  // 0: as many as it has
  // There are no more lists than this, and no more than domains. A list of slow hosts is one of them, or with
  // `slow_on_top` comes in addition.
  int lists = 1;
  bool slow_on_top = false;
  // There is one list per so many URLs at most, so that small rounds write few files. With all of them in one list, slow
  // hosts have none of their own.
  int64_t urls_a_list = 0;
  // A round whose slowest host takes longer than this goes to a cluster, where a list costs a container: its lists have
  // more URLs (UrlsAFarList). 0: every round does.
  int64_t far_from_ms = INT64_MAX;
  bool by_domain = false;  // a domain gets one request at a time
  int64_t time_limit_ms = 0;
};

// The least number of URLs for which a list on a cluster is worth its container, in a round that takes that long anyway:
// as many as one task asks for within that time, or within half a minute; but no more than one task should hold.
int64_t UrlsAFarList(int64_t expected_ms);

// What `domain_share` millionths of top_n are for `domain_turn`: one page at least; 0 where nothing is shared out.
int64_t DomainTurnOf(int64_t top_n, int32_t domain_share);

// The share of a host that is taken: its candidates up to `last`.
struct HostTaken {
  int32_t list = -1;
  int64_t pages = 0;
  UrlRank last;
};

struct ListSummary {
  int64_t urls = 0;
  int64_t hosts = 0;
  int64_t domains = 0;
  int64_t bytes = 0;
  int64_t load_ms = 0;      // time of all hosts, one after the other
  int64_t expected_ms = 0;  // time of the host, or domain, that takes longest
  bool slow = false;
};

struct Assignment {
  std::vector<HostTaken> hosts;  // by the numbers of the offers
  std::vector<ListSummary> lists;
  std::array<int64_t, kTiers> tiers{};
  int64_t urls = 0;
  bool more = false;  // the cut left candidates out
};

arrow::Result<Assignment> Assign(const std::vector<HostOffer>& offers, CandidateSource* candidates,
                                 const AssignOptions& options);

}  // namespace trawl
