#include "jobs/signals/robots_wishes.h"

#include "formats/http/target.h"
#include "formats/robots/content_signal.h"
#include "formats/robots/robots.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"

namespace trawl {

using arrow::Result;

Result<RobotsWishes> RobotsWishes::Open(TaskContext& context, SlotRange slots, std::string agent) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<RobotsRow>(context.store(), context.snapshot()));
  const ScanOptions options = {.slots = slots, .wanted = Columns<RobotsRow>({"key", "text"}).Flags()};
  ARROW_ASSIGN_OR_RAISE(auto robots, RowFinder<RobotsRow>::Open(std::move(table), options));
  return RobotsWishes(std::move(robots), std::move(agent));
}

Result<std::string_view> RobotsWishes::For(std::string_view url_key) {
  bool is_other = false;
  ARROW_ASSIGN_OR_RAISE(const RobotsRow* const row, robots_.For(OriginPartOfKey(url_key), &is_other));
  if (is_other) {
    lines_ = row == nullptr ? std::vector<std::string>() : RobotsRules::Parse(row->text, agent_).content_signals();
  }
  if (lines_.empty() || !WriteUrlOfKey(url_key, &url_)) return std::string_view();
  const std::optional<HttpTarget> target = HttpTarget::Parse(url_);
  text_ = TextOf(ContentSignalFor(lines_, target ? std::string_view(target->path) : std::string_view("/")));
  return std::string_view(text_);
}

}  // namespace trawl
