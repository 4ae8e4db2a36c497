#include "jobs/segment/held_domains.h"

#include <algorithm>
#include <string>

#include "formats/digests/digest.h"
#include "formats/rows/held_row.h"
#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<HeldDomains> HeldDomains::Read(Store* store, const Manifest& snapshot, TimeMs now_ms) {
  HeldDomains held;
  for (const OpenSegment& segment : snapshot.open_segments) {
    if (segment.until_ms <= now_ms) continue;
    ARROW_ASSIGN_OR_RAISE(const StepRecord lists, ReadLists(store, segment.id, segment.job, segment.lists));
    for (const FileReceipt& file : lists.FilesOf(HeldRow::kTable)) {
      ARROW_RETURN_NOT_OK(ForEachDatasetRow<HeldRow>(store, segment.id, HeldRow::kTable, file,
                                                     [&](const HeldRow& row) {
                                                       TimeMs& until = held.until_[Hash64(row.key)];
                                                       until = std::max(until, segment.until_ms);
                                                       return Status::OK();
                                                     },
                                                     {.columns = {"key"}}));
    }
  }
  return held;
}

TimeMs HeldDomains::HeldUntil(std::string_view domain) const {
  if (until_.empty()) return 0;
  const auto found = until_.find(Hash64(domain));
  return found == until_.end() ? 0 : found->second;
}

std::string HoldingDomainOf(std::string_view host_part) {
  const std::string host = HostOfKey(host_part);
  const Result<std::string> domain = HostPartOfHost(PublicSuffixes::BuiltIn().HoldingDomain(host));
  return domain.ok() ? *domain : std::string(host_part);
}

}  // namespace trawl
