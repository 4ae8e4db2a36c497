#include "jobs/fetch/inputs.h"

#include <utility>

#include "formats/rows/catalog.h"
#include "formats/url/key.h"
#include "jobs/segment/stored_bodies.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr Columns<FetchRow> kFetchedColumns = {"key",       "url",         "outcome",      "fetched_ms", "requests",
                                               "blameless", "redirect_to", "redirect_url", "hop_of",     "hops",
                                               "depth",     "score",       "kind"};
// Of a row whose body was stored, what SharedBodies goes by.
constexpr Columns<FetchRow> kBodyColumns = {"body_digest",  "content_file",     "content_row",  "shares_body",
                                            "content_type", "response_headers", "kept_codings", "truncated"};

// Reads the list first, then the parts in the order in which they were written.
class Loader {
 public:
  Loader(Store* store, const std::string& segment, const StepTask& lists, const std::vector<AttemptEntry>& parts,
         FetchInputs* inputs)
      : store_(store), segment_(segment), lists_(lists), parts_(parts), inputs_(*inputs) {}

  Status Load() {
    // Clocks of two attempts may differ, so the order of the rows decides and not their times.
    const auto take_host = [this](const HostRow& row) {
      inputs_.host_rows[row.key] = row;
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ReadList<HostRow>(kFetchlistHosts, take_host));
    ARROW_RETURN_NOT_OK(ReadParts<HostRow>(take_host));
    const auto take_robots = [this](const RobotsRow& row) {
      inputs_.gate.Add(row);
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ReadList<RobotsRow>(kFetchlistRobots, take_robots, {.batch_rows = 64}));
    ARROW_RETURN_NOT_OK(ReadParts<RobotsRow>(take_robots, {.batch_rows = 64}));
    ARROW_RETURN_NOT_OK(ReadUrls());
    const auto take_fetched = [this](const FetchRow& row) {
      TakeFetched(row);
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ReadParts<FetchRow>(take_fetched, {.columns = kFetchedColumns}));
    if (inputs_.bodies == nullptr) return Status::OK();
    const auto take_body = [this](const FetchRow& row) {
      if (!row.content_file.empty() && !row.shares_body) inputs_.bodies->Add(row);
      return Status::OK();
    };
    return ReadParts<FetchRow>(take_body, {.columns = kBodyColumns});
  }

 private:
  template <typename Row, typename Visit>
  Status ReadList(const std::string& dataset, const Visit& visit, const DatasetScan<Row>& scan = {}) {
    for (const FileReceipt& file : lists_.FilesOf(dataset)) {
      ARROW_RETURN_NOT_OK(ForEachDatasetRow<Row>(store_, segment_, dataset, file, visit, scan));
    }
    return Status::OK();
  }

  template <typename Row, typename Visit>
  Status ReadParts(const Visit& visit, const DatasetScan<Row>& scan = {}) {
    for (const AttemptEntry& part : parts_) {
      const auto files = part.files.find(Row::kTable);
      if (files == part.files.end()) continue;
      for (const FileReceipt& file : files->second) {
        ARROW_RETURN_NOT_OK(ForEachDatasetRow<Row>(store_, segment_, Row::kTable, file, visit, scan));
      }
    }
    return Status::OK();
  }

  Status ReadUrls() {
    StoredBodies bodies(store_);
    std::string host;
    const auto take = [&](const UrlRow& row) -> Status {
      const UrlNumber number = inputs_.list.AddListed(row);
      ARROW_ASSIGN_OR_RAISE(inputs_.list.progress(number).has_body, bodies.HasBodyOf(row));
      if (number > 0 && HostPartOfKey(row.key) == host) return Status::OK();
      host = HostPartOfKey(row.key);
      inputs_.listed_hosts.push_back({row.key, number});
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ReadList<UrlRow>(kFetchlist, take));
    inputs_.list.Seal();
    return Status::OK();
  }

  void TakeFetched(const FetchRow& row) {
    FetchList& list = inputs_.list;
    std::optional<UrlNumber> url = list.Find(row.key);
    if (!url) url = list.AddHop({row.key, row.url, row.hop_of, row.hops, row.depth, row.score, row.kind});
    inputs_.fetched.push_back({*url, row.outcome, row.blameless, row.requests, row.fetched_ms});
    if (row.outcome != Outcome::kRedirect || row.redirect_to.empty() || row.redirect_to == row.key) return;
    inputs_.redirects.push_back(
        {row.redirect_to, row.redirect_url, row.key, row.hops + 1, row.depth, row.score, row.kind});
  }

  Store* const store_;
  const std::string& segment_;
  const StepTask& lists_;
  const std::vector<AttemptEntry>& parts_;
  FetchInputs& inputs_;
};

}  // namespace

Status LoadFetchInputs(Store* store, const std::string& segment, const StepTask& lists,
                       const std::vector<AttemptEntry>& parts, FetchInputs* inputs) {
  return Loader(store, segment, lists, parts, inputs).Load();
}

}  // namespace trawl
