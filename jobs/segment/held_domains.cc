#include "jobs/segment/held_domains.h"

#include <string>

#include "formats/digests/digest.h"
#include "formats/rows/candidate_row.h"
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
    const auto holder = static_cast<uint32_t>(held.holders_.size());
    held.holders_.push_back({segment.id, segment.until_ms});
    const auto add = [&](const HeldRow& row) {
      const auto [at, is_new] = held.holder_of_.try_emplace(Hash64(row.key), holder);
      if (!is_new && held.holders_[at->second].until_ms < segment.until_ms) at->second = holder;
      return Status::OK();
    };
    for (const FileReceipt& file : lists.FilesOf(HeldRow::kTable)) {
      ARROW_RETURN_NOT_OK(
          ForEachDatasetRow<HeldRow>(store, segment.id, HeldRow::kTable, file, add, {.columns = {"key"}}));
    }
  }
  return held;
}

const DomainHolder* HeldDomains::HolderOf(std::string_view domain) const {
  if (holder_of_.empty()) return nullptr;
  const auto found = holder_of_.find(Hash64(domain));
  return found == holder_of_.end() ? nullptr : &holders_[found->second];
}

std::string HoldingDomainOf(std::string_view host_part) {
  const std::string host = HostOfKey(host_part);
  const Result<std::string> domain = HostPartOfHost(PublicSuffixes::BuiltIn().HoldingDomain(host));
  return domain.ok() ? *domain : std::string(host_part);
}

}  // namespace trawl
