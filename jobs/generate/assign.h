// Who fetches what: which of the candidates a round takes, and which list each domain goes to. Pure; any thread.
//
// Select (jobs/generate/select_job.h) offers of each host its best due URLs, as many as the host can take. Assign goes through them
// from the best to the worst:
//  1. A domain takes no more than `per_domain`; where politeness is by domain, no more than fits into the time limit,
//     but at least one. Once one of its candidates is left out, all behind it are.
//  2. It ends at `top_n`.
// So what is taken of a host is all its candidates up to a rank. Domains are then packed into lists: a domain is in one
// list; the one that takes longest comes first and goes where least is, so that hot hosts get lists to themselves as
// far as there are any; domains with slow hosts have a list of their own where there can be two. All of it depends on
// the candidates alone, not on how they were cut into sources.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arrow/result.h"
#include "jobs/generate/url_rank.h"

namespace trawl {

struct HostOffer {
  uint64_t domain = 0;  // hash of the domain that holds it
  int64_t page_ms = 0;
  int64_t wait_ms = 0;
  int64_t page_bytes = 0;
  bool slow = false;
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
  // Lists at most; there are never more than domains. A list of slow hosts is one of them, or comes on top of them.
  int lists = 1;
  bool slow_on_top = false;
  bool by_domain = false;  // one request at a time for a domain
  int64_t time_limit_ms = 0;
};

// What is taken of a host: its candidates up to `last`.
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
  int64_t load_ms = 0;      // of all hosts, one after the other
  int64_t expected_ms = 0;  // of the host, or domain, that takes longest
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
