#include "jobs/export/host_walk.h"

#include <string>
#include <utility>

#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"

namespace trawl {

using arrow::Result;

namespace {

RowPlace PlaceOf(std::string_view host_key) { return {SlotOfKey(host_key), host_key}; }

}  // namespace

Result<HostWalk> HostWalk::Open(std::shared_ptr<const Table> urls, std::shared_ptr<const Table> hosts,
                                ScanOptions range, bool with_bodies) {
  range.wanted.clear();
  ARROW_ASSIGN_OR_RAISE(RowWalk host_walk, RowWalk::Open(std::move(hosts), range));
  range.wanted = with_bodies ? Columns<UrlRow>({"key", "body_segment", "body_file", "body_row", "parse_segment",
                                                "parse_file", "parse_row"})
                                   .Flags()
                             : Columns<UrlRow>({"key"}).Flags();
  ARROW_ASSIGN_OR_RAISE(RowWalk url_walk, RowWalk::Open(std::move(urls), range));
  return HostWalk(std::move(url_walk), std::move(host_walk), /*has_whole_hosts=*/true);
}

Result<HostWalk> HostWalk::OpenColumns(std::shared_ptr<const Table> urls, std::shared_ptr<const Table> hosts,
                                       ScanOptions range, const std::vector<bool>& columns_of_hosts) {
  range.wanted = columns_of_hosts;
  ARROW_ASSIGN_OR_RAISE(RowWalk host_walk, RowWalk::Open(std::move(hosts), range));
  range.wanted = Columns<UrlRow>({"key"}).Flags();
  ARROW_ASSIGN_OR_RAISE(RowWalk url_walk, RowWalk::Open(std::move(urls), range));
  return HostWalk(std::move(url_walk), std::move(host_walk), /*has_whole_hosts=*/false);
}

bool HostWalk::IsAtHostWithoutUrls() const {
  if (hosts_.at_end()) return false;
  return urls_.at_end() || PlaceOf(hosts_.key()) < PlaceOf(HostPartOfKey(urls_.key()));
}

Result<bool> HostWalk::Next(HostRow* row, bool* has_urls) {
  while (IsAtHostWithoutUrls()) {
    hosts_.Read(row);
    ARROW_RETURN_NOT_OK(hosts_.Next());
    *has_urls = false;
    if (!has_whole_hosts_ || TellsOfHost(*row)) return true;
  }
  if (urls_.at_end()) return false;
  *has_urls = true;
  const std::string host(HostPartOfKey(urls_.key()));
  if (!hosts_.at_end() && hosts_.key() == host) {
    hosts_.Read(row);
    ARROW_RETURN_NOT_OK(hosts_.Next());
  } else {
    *row = HostRow();
    row->key = host;
  }
  UrlRow url;
  while (!urls_.at_end() && HostPartOfKey(urls_.key()) == host) {
    if (visit_) {
      urls_.Read(&url);
      ARROW_RETURN_NOT_OK(visit_(url));
    }
    ARROW_RETURN_NOT_OK(urls_.Next());
  }
  return true;
}

}  // namespace trawl
