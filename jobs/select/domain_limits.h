// The registrable domains whose hosts a round must limit together: what each may still take, and whether it is left out.
//
// A domain's record stands in one row of hosts, and its hosts lie in many slots. So the driver reads all records before the
// first job (Read), stores what the tasks of that job need (WriteFor), and hands the rest to Assign and to the lists. One
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/documents/receipt.h"
#include "formats/rows/candidate_row.h"
#include "formats/rows/host_row.h"
#include "jobs/policy/generate_options.h"
#include "jobs/politeness/share.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

class DomainLimitTable {
 public:
  // Reads a few columns of the whole hosts table.
  static arrow::Result<DomainLimitTable> Read(Store* store, const Manifest& snapshot, const GenerateOptions& options,
                                              TimeMs now_ms);

  // Whether a domain that is not left out may take fewer pages than its hosts would.
  bool limits_some() const { return limits_some_; }
  // How many pages the domain with that hash takes.
  int64_t PagesOf(uint64_t domain) const;
  // Its record with the limits that are in force, those of all domains among them.
  DomainRecord RecordOf(uint64_t domain) const;

  // Stores the domains that are left out, and those with a delay of their own, where tasks find them. None: no files.
  arrow::Result<std::vector<FileReceipt>> WriteFor(Store* store, const std::string& segment,
                                                   const std::string& name) const;

 private:
  struct Entry {
    DomainRecord record;
    DomainShare share;
  };
  PageLimits of_all_;
  int64_t pages_of_others_ = kNoLimit;  // that a domain without an entry takes
  bool limits_some_ = false;
  std::unordered_map<uint64_t, Entry> entries_;
};

// What the tasks read: the domains that DomainLimitTable stored.
class LimitedDomains {
 public:
  static arrow::Result<LimitedDomains> Read(Store* store, const std::string& segment,
                                            const std::vector<FileReceipt>& files);
  // Null where the domain is neither left out nor has a delay of its own.
  const LimitedDomainRow* Find(uint64_t domain) const;

 private:
  std::unordered_map<uint64_t, LimitedDomainRow> rows_;
};

}  // namespace trawl
