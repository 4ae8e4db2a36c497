#include "jobs/generate/list_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "formats/rows/catalog.h"

namespace trawl {

using arrow::Status;

ListWriter::ListWriter(TaskContext& context, bool by_domain, RowFileOptions files)
    : context_(context),
      by_domain_(by_domain),
      urls_(context.OpenDataset<UrlRow>(kFetchlist, files)),
      hosts_(context.OpenDataset<HostRow>(kFetchlistHosts, files)),
      robots_(context.OpenDataset<RobotsRow>(kFetchlistRobots, files)),
      held_(context.OpenDataset<HeldRow>(HeldRow::kTable, files)) {
  domain_.list = context.id().number;
}

Status ListWriter::Take(std::string_view key, std::string_view bytes) {
  ListKey place;
  if (!ReadListKey(key, &place)) return Status::Invalid("a row that no list can have");
  if (place.domain != domain_.key) {
    ARROW_RETURN_NOT_OK(EndDomain());
    domain_.key.assign(place.domain);
  }
  switch (place.part) {
    case ListPart::kHost:
      return TakeHost(bytes);
    case ListPart::kRobots:
      ARROW_RETURN_NOT_OK(DecodeRow(bytes, &robots_row_));
      return robots_->Append(robots_row_);
    case ListPart::kUrl:
      ARROW_RETURN_NOT_OK(DecodeRow(bytes, &url_row_));
      ++(url_row_.kind == UrlKind::kProbe ? probes_ : host_pages_);
      return urls_->Append(url_row_);
  }
  return Status::Invalid("a row of an unknown part of the list");
}

Status ListWriter::Finish(Json facts) {
  ARROW_RETURN_NOT_OK(EndDomain());
  const std::pair<const char*, int64_t> counts[] = {
      {"urls", urls_->rows() - probes_}, {"hosts", hosts_->rows()}, {"domains", held_->rows()}};
  for (const auto& [name, count] : counts) {
    facts[name] = count;
    context_.counters()[name] += count;
  }
  facts["expected_ms"] = expected_ms_;
  context_.facts() = std::move(facts);
  return Status::OK();
}

Status ListWriter::TakeHost(std::string_view bytes) {
  EndHost();
  if (bytes.size() < sizeof pace_) return Status::Invalid("a host row of ", bytes.size(), " bytes is cut off");
  std::memcpy(&pace_, bytes.data(), sizeof pace_);
  ARROW_RETURN_NOT_OK(DecodeRow(bytes.substr(sizeof pace_), &host_));
  ++domain_.hosts;
  return hosts_->Append(host_);
}

void ListWriter::EndHost() {
  const int64_t host_ms = host_pages_ == 0 ? 0 : pace_.wait_ms + host_pages_ * pace_.page_ms;
  domain_.expected_ms = by_domain_ ? domain_.expected_ms + host_ms : std::max(domain_.expected_ms, host_ms);
  domain_.pages += host_pages_;
  host_pages_ = 0;
}

Status ListWriter::EndDomain() {
  EndHost();
  if (domain_.hosts == 0) return Status::OK();
  expected_ms_ = std::max(expected_ms_, domain_.expected_ms);
  ARROW_RETURN_NOT_OK(held_->Append(domain_));
  domain_ = {.key = "", .list = domain_.list};
  return Status::OK();
}

}  // namespace trawl
