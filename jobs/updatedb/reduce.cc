#include "jobs/updatedb/reduce.h"

#include <string_view>

#include "jobs/updatedb/event.h"
#include "jobs/updatedb/host_updates.h"
#include "jobs/updatedb/robots_updates.h"
#include "jobs/updatedb/url_updates.h"

namespace trawl {

using arrow::Status;

namespace {

// A host's observations, what its sitemaps state, and the pages of a registrable domain of that name.
Status ReduceHost(HostUpdates* hosts, GroupStream& groups) {
  HostRow row;
  DomainEvent domain;
  StatedEvent stated;
  std::string_view value;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
    if (!more) return Status::OK();
    if (!value.empty() && value[0] == static_cast<char>(UpdateTag::kDomain)) {
      ARROW_RETURN_NOT_OK(DecodeDomainEvent(value, &domain));
      hosts->ObserveDomain(domain);
      continue;
    }
    if (!value.empty() && value[0] == static_cast<char>(UpdateTag::kStated)) {
      ARROW_RETURN_NOT_OK(DecodeStatedEvent(value, &stated));
      hosts->AddStated(stated);
      continue;
    }
    ARROW_RETURN_NOT_OK(DecodeRow(value.substr(1), &row));
    ARROW_RETURN_NOT_OK(hosts->Observe(row));
  }
}

}  // namespace

Status ReduceSegment(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const auto hosts, HostUpdates::Open(context));
  ARROW_ASSIGN_OR_RAISE(const auto robots, RobotsUpdates::Open(context));
  ARROW_ASSIGN_OR_RAISE(const auto urls, UrlUpdates::Open(context, hosts.get(), robots.get()));
  for (int64_t keys = 1;; ++keys) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) {
      ARROW_RETURN_NOT_OK(urls->Finish());
      urls->Report(&context.facts());
      return hosts->Finish();
    }
    if (keys % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    const RowPlace place = PlaceOfShuffleKey(groups.key());
    ARROW_RETURN_NOT_OK(urls->GoTo(place));
    ARROW_RETURN_NOT_OK(hosts->GoTo(place));
    switch (ClassOfKey(place.key)) {
      case KeyClass::kHost:
        ARROW_RETURN_NOT_OK(ReduceHost(hosts.get(), groups));
        break;
      case KeyClass::kRobots:
        ARROW_RETURN_NOT_OK(robots->Reduce(place, groups));
        ARROW_RETURN_NOT_OK(urls->BeginOrigin(place));
        break;
      case KeyClass::kUrl:
        ARROW_RETURN_NOT_OK(urls->Reduce(place, groups));
        break;
    }
  }
}

}  // namespace trawl
