// Every table of the crawldb and every dataset of a segment, written once. Everything that covers all
// of them draws from here: the known versions, the tables that compact merges and export writes, the step that names a
// dataset's files, the datasets that updatedb reads, the golden files. A new one is one line here. Pure; any thread.
//
// A newer program may have more: an unknown name is no error. ForEachTable and ForEachDataset call
// `visit(entry)`; `typename std::decay_t<decltype(entry)>::Row` is the struct of the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "formats/documents/step_record.h"
#include "formats/rows/candidate_row.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/host_graph_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/item_row.h"
#include "formats/rows/link_row.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/page_facts_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/seed_host_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"

namespace trawl {

// A list, and what is known of its hosts and their robots.txt. Any other dataset is named after its row: Row::kTable.
inline constexpr char kFetchlist[] = "fetchlist";
inline constexpr char kFetchlistHosts[] = "fetchlist_hosts";
inline constexpr char kFetchlistRobots[] = "fetchlist_robots";

template <typename R>
struct TableEntry {
  using Row = R;
  const char* header;  // in formats/rows: the columns
  const char* name = R::kTable;
  int version = R::kVersion;
};

inline constexpr auto kTables = std::make_tuple(
    // what the crawl knows of URLs, hosts and robots.txt files
    TableEntry<UrlRow>{"url_row.h"}, TableEntry<HostRow>{"host_row.h"}, TableEntry<RobotsRow>{"robots_row.h"},
    // the hosts that have a seed
    TableEntry<SeedHostRow>{"seed_host_row.h"},
    // the links of each page, and what trawl graph derives from them
    TableEntry<OutlinksRow>{"outlinks_row.h"}, TableEntry<InlinksRow>{"outlinks_row.h"},
    TableEntry<HostEdgeRow>{"host_graph_row.h"}, TableEntry<DomainEdgeRow>{"host_graph_row.h"},
    TableEntry<RankRow>{"host_graph_row.h"},
    // what trawl settle compares, and what it counts
    TableEntry<DigestRow>{"settle_rows.h"}, TableEntry<FingerprintRow>{"settle_rows.h"},
    TableEntry<PatternRow>{"settle_rows.h"}  //
);

enum class ReadBy : int8_t { kOthers, kUpdatedb };

template <typename R>
struct DatasetEntry {
  using Row = R;
  const char* header;  // in formats/rows: the columns
  const char* step;    // whose record names its files
  ReadBy read_by = ReadBy::kOthers;
  const char* name = R::kTable;
  int version = R::kVersion;
};

// In the order in which updatedb reads them.
inline constexpr auto kDatasets = std::make_tuple(
    // the lists, and what generate's first job tells its second
    DatasetEntry<UrlRow>{"url_row.h", kGenerateStep, ReadBy::kOthers, kFetchlist},
    DatasetEntry<HostRow>{"host_row.h", kGenerateStep, ReadBy::kOthers, kFetchlistHosts},
    DatasetEntry<RobotsRow>{"robots_row.h", kGenerateStep, ReadBy::kOthers, kFetchlistRobots},
    DatasetEntry<HeldRow>{"candidate_row.h", kGenerateStep},
    DatasetEntry<CandidateHostRow>{"candidate_row.h", kGenerateStep},
    DatasetEntry<CandidatesRow>{"candidate_row.h", kGenerateStep},
    DatasetEntry<LimitedDomainRow>{"candidate_row.h", kGenerateStep},
    DatasetEntry<ChosenHostRow>{"candidate_row.h", kGenerateStep},
    // what fetch met
    DatasetEntry<FetchRow>{"fetch_row.h", kFetchStep, ReadBy::kUpdatedb},
    DatasetEntry<ContentRow>{"content_row.h", kFetchStep},
    DatasetEntry<HostRow>{"host_row.h", kFetchStep, ReadBy::kUpdatedb},
    DatasetEntry<RobotsRow>{"robots_row.h", kFetchStep, ReadBy::kUpdatedb},
    // what parse read
    DatasetEntry<ParseRow>{"parse_row.h", kParseStep, ReadBy::kUpdatedb},
    DatasetEntry<LinkRow>{"link_row.h", kParseStep, ReadBy::kUpdatedb},
    DatasetEntry<PageFactsRow>{"page_facts_row.h", kParseStep}, DatasetEntry<ItemRow>{"item_row.h", kParseStep}  //
);

// The codec's mask has 64 bits (row_codec.h): a field beyond them goes into another dataset.
template <typename Row>
inline constexpr bool kFitsTheCodec = row_codec::CountColumns<Row>() <= 64;
static_assert(std::apply(
    [](const auto&... entry) { return (kFitsTheCodec<typename std::decay_t<decltype(entry)>::Row> && ...); }, kTables));
static_assert(
    std::apply([](const auto&... entry) { return (kFitsTheCodec<typename std::decay_t<decltype(entry)>::Row> && ...); },
               kDatasets));

template <typename Visit>
constexpr void ForEachTable(Visit&& visit) {
  std::apply([&visit](const auto&... entry) { (visit(entry), ...); }, kTables);
}

template <typename Visit>
constexpr void ForEachDataset(Visit&& visit) {
  std::apply([&visit](const auto&... entry) { (visit(entry), ...); }, kDatasets);
}

struct Dataset {
  const char* step;
  int version;
};

// Nothing where this program does not know the dataset.
constexpr std::optional<Dataset> FindDataset(std::string_view name) {
  std::optional<Dataset> found;
  ForEachDataset([&](const auto& entry) {
    if (name == entry.name) found = Dataset{entry.step, entry.version};
  });
  return found;
}

}  // namespace trawl
