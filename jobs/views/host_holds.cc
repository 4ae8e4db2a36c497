#include "jobs/views/host_holds.h"

#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/politeness/share.h"
#include "jobs/select/url_holds.h"
#include "jobs/views/scan_memory.h"

namespace trawl {

using arrow::Result;

namespace {

// What HostWait reads: not the texts.
constexpr Columns<RobotsRow> kAwaited = {"key",     "outcome",     "due_ms",  "failures",
                                         "text_ms", "redirect_to", "history", "is_dead"};

}  // namespace

Result<HoldWalk> HoldWalk::Open(const View& view, SlotRange slots, TimeMs now_ms) {
  ARROW_ASSIGN_OR_RAISE(const auto table, view.Open<RobotsRow>());
  ARROW_ASSIGN_OR_RAISE(RowWalk robots, RowWalk::Open(table, {.slots = slots, .wanted = kAwaited.Flags()}));
  HoldWalk walk(std::move(robots), now_ms);
  ARROW_ASSIGN_OR_RAISE(walk.generate_, view.options().Read(GenerateOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(walk.options_, view.options().Read(RobotsOptionGroup()));
  return walk;
}

Result<int64_t> HoldWalk::BytesToRead(const View& view) {
  ARROW_ASSIGN_OR_RAISE(const auto table, view.Open<RobotsRow>());
  return BytesOfScan(*table, kAwaited.Flags());
}

Result<std::optional<HostHold>> HoldWalk::Find(const HostRow& host) {
  origins_.assign(host.key).push_back(')');
  ARROW_RETURN_NOT_OK(robots_.SeekTo({SlotOfKey(origins_), origins_}));
  HostWait wait;
  while (!robots_.at_end() && robots_.key().starts_with(origins_)) {
    robots_.Read(&row_);
    wait.Add(row_, options_, now_ms_);
    ARROW_RETURN_NOT_OK(robots_.Next());
  }
  const HostShare share = ShareOfFull(host, generate_, now_ms_);
  std::optional<HostHold> hold;
  if (share.left_out != LeftOut::kNone) hold = {NameOf(share.left_out), share.until_ms, FullText(host, share)};
  if (wait.until_ms() > (hold ? hold->until_ms : 0)) hold = {wait.kind(), wait.until_ms(), wait.text()};
  return hold;
}

}  // namespace trawl
