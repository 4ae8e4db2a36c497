#include "jobs/settle/settled_row.h"

#include "jobs/settle/representative.h"

namespace trawl {

namespace {

void SetPointers(const Settlement& settlement, UrlRow* row) {
  if (settlement.is_exact || settlement.clears) row->duplicate_of = settlement.duplicate_of;
  if (settlement.is_near || settlement.clears) {
    row->near_duplicate_of = settlement.near_duplicate_of;
    row->distance = settlement.distance;
  }
}

void ClearNear(UrlRow* row) {
  row->near_duplicate_of.clear();
  row->distance = 0;
}

bool MayMove(const UrlRow& row) {
  return row.due_ms != kNever && row.due_set_ms == 0 && row.fixed_interval_ms == 0 && row.interval_ms > 0;
}

}  // namespace

void Settlement::Add(const VerdictRow& verdict) {
  if (verdict.is_exact) {
    is_exact = true;
    if (!verdict.duplicate_of.empty()) duplicate_of = verdict.duplicate_of;
  }
  if (verdict.is_near) {
    is_near = true;
    if (!verdict.near_duplicate_of.empty()) {
      near_duplicate_of = verdict.near_duplicate_of;
      distance = verdict.distance;
    }
  }
  if (!verdict.body_file.empty()) {
    body_segment = verdict.body_segment;
    body_file = verdict.body_file;
    body_row = verdict.body_row;
  }
}

void ApplySettlement(const Settlement& settlement, NearPolicy near_policy, UrlRow* row) {
  if (!TakesPart(*row)) {  // rule 2
    row->duplicate_of.clear();
    ClearNear(row);
    if (row->state == UrlState::kDuplicate) row->state = UrlState::kFetched;
    return;
  }
  SetPointers(settlement, row);
  const bool nears_count = near_policy == NearPolicy::kDuplicate;
  if (!row->near_duplicate_of.empty() && nears_count) {  // rule 1
    row->duplicate_of.clear();
  } else if (!row->duplicate_of.empty()) {
    ClearNear(row);
  }
  if (row->state == UrlState::kFailing) return;
  const bool is_duplicate = !row->duplicate_of.empty() || (nears_count && !row->near_duplicate_of.empty());
  const UrlState state = is_duplicate ? UrlState::kDuplicate : UrlState::kFetched;
  if (state == row->state) return;
  row->state = state;
  if (MayMove(*row)) row->due_ms += is_duplicate ? row->interval_ms : -row->interval_ms;  // rule 4
}

}  // namespace trawl
