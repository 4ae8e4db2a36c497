#include "jobs/host_facts.h"

#include <utility>

#include "formats/ascii.h"
#include "formats/robots.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<HostFacts> HostFacts::Open(const TaskContext& context, SlotRange slots, std::string agent) {
  ARROW_ASSIGN_OR_RAISE(auto hosts, Table::Open<HostRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(auto robots, Table::Open<RobotsRow>(context.store(), context.snapshot()));
  const std::vector<bool> texts = robots->Wanting({"key", "text"});
  ARROW_ASSIGN_OR_RAISE(RowWalk host_walk, RowWalk::Open(std::move(hosts), {.slots = slots}));
  ARROW_ASSIGN_OR_RAISE(RowWalk robots_walk, RowWalk::Open(std::move(robots), {.slots = slots, .wanted = texts}));
  return HostFacts(std::move(host_walk), std::move(robots_walk), std::move(agent));
}

Status HostFacts::Find(uint32_t slot, std::string_view host, HostRow* row, std::optional<int64_t>* crawl_delay_ms) {
  ARROW_RETURN_NOT_OK(hosts_.SeekTo({slot, host}));
  *row = HostRow();
  row->key.assign(host);
  if (!hosts_.at_end() && hosts_.key() == host) hosts_.Read(row);
  crawl_delay_ms->reset();
  origins_.assign(host).push_back(')');
  ARROW_RETURN_NOT_OK(robots_.SeekTo({slot, origins_}));
  while (!robots_.at_end() && robots_.key().starts_with(origins_)) {
    robots_.Read(&robots_row_);
    const std::optional<int64_t> delay_ms = CrawlDelayOf(robots_row_.text, agent_);
    if (delay_ms && (!*crawl_delay_ms || **crawl_delay_ms < *delay_ms)) *crawl_delay_ms = delay_ms;
    ARROW_RETURN_NOT_OK(robots_.Next());
  }
  return Status::OK();
}

std::optional<int64_t> CrawlDelayOf(std::string_view robots_text, std::string_view agent) {
  if (AsciiLower(robots_text).find("delay") == std::string::npos) return std::nullopt;
  return RobotsRules::Parse(robots_text, agent).crawl_delay_ms();
}

}  // namespace trawl
