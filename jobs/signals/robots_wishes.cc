#include "jobs/signals/robots_wishes.h"

#include "formats/http/target.h"
#include "formats/robots/content_signal.h"
#include "formats/robots/robots.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<RobotsWishes> RobotsWishes::Open(TaskContext& context, SlotRange slots, std::string agent) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<RobotsRow>(context.store(), context.snapshot()));
  const ScanOptions options = {.slots = slots, .wanted = Columns<RobotsRow>({"key", "text"}).Flags()};
  ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(table), options));
  return RobotsWishes(std::move(walk), std::move(agent));
}

Status RobotsWishes::GoTo(std::string_view origin) {
  origin_.assign(origin);
  lines_.clear();
  ARROW_RETURN_NOT_OK(walk_.SeekTo({SlotOfKey(origin_), origin_}));
  if (walk_.at_end() || walk_.key() != origin_) return Status::OK();
  RobotsRow row;
  walk_.Read(&row);
  lines_ = RobotsRules::Parse(row.text, agent_).content_signals();
  return Status::OK();
}

Result<std::string_view> RobotsWishes::For(std::string_view url_key) {
  const std::string_view origin = OriginPartOfKey(url_key);
  if (origin != origin_) ARROW_RETURN_NOT_OK(GoTo(origin));
  if (lines_.empty() || !WriteUrlOfKey(url_key, &url_)) return std::string_view();
  const std::optional<HttpTarget> target = HttpTarget::Parse(url_);
  text_ = TextOf(ContentSignalFor(lines_, target ? std::string_view(target->path) : std::string_view("/")));
  return std::string_view(text_);
}

}  // namespace trawl
