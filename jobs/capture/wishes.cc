#include "jobs/capture/wishes.h"

#include <utility>

#include "formats/http/raw_headers.h"
#include "formats/http/target.h"
#include "formats/robots/content_signal.h"
#include "formats/robots/directives.h"
#include "formats/robots/robots.h"
#include "formats/rows/robots_row.h"
#include "formats/url/key.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/signals/signals.h"
#include "runtime/tables/key_lookup.h"

namespace trawl {

using arrow::Result;

namespace {

constexpr auto kWishes = Columns<ParseRow>({"body_digest", "noindex", "nofollow", "noarchive", "nosnippet", "noai",
                                            "noimageai", "tdm_reservation", "content_signal", "unavailable_after_ms"});
constexpr int64_t kBatchRows = 1024;
// Hosts whose lines are remembered; a part has the URLs of a host in stretches.
constexpr size_t kMostOrigins = 4096;

// Whether the answer's own header fields say that it was to be kept until then.
bool IsOver(std::string_view headers, const std::string& agent, int64_t now_ms) {
  const std::optional<int64_t> until_ms = XRobotsTagOf(ParseRawHeaders(headers), agent, now_ms).unavailable_after_ms;
  return until_ms && *until_ms <= now_ms;
}

}  // namespace

Result<std::unique_ptr<CaptureWishes>> CaptureWishes::Open(TaskContext* context, const std::string& segment,
                                                           int64_t as_of_ms) {
  ARROW_ASSIGN_OR_RAISE(const RespectOptions respect, context->Read(RespectOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context->Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(ParseFacts facts, ParseFacts::Open(context->store(), segment, kWishes, kBatchRows));
  std::unique_ptr<CaptureWishes> wishes(new CaptureWishes(context, as_of_ms, std::move(facts)));
  wishes->respect_ = Respect::Of(respect);
  wishes->leaves_nothing_out_ = wishes->respect_.Text() == "none";
  wishes->agent_ = fetch.agent;
  const int32_t all_of_robots = SignalsOf(ParseContentSignal("ai-train=no, ai-input=no, search=no"));
  wishes->asks_robots_ = wishes->respect_.LeftOutBy(all_of_robots) != nullptr;
  ARROW_ASSIGN_OR_RAISE(wishes->robots_, Table::Open<RobotsRow>(context->store(), context->snapshot()));
  return wishes;
}

Result<int32_t> CaptureWishes::OfRobots(const std::string& key) {
  if (!asks_robots_) return 0;
  const std::string origin(OriginPartOfKey(key));
  auto known = lines_.find(origin);
  if (known == lines_.end()) {
    if (lines_.size() >= kMostOrigins) lines_.clear();
    ARROW_ASSIGN_OR_RAISE(const std::optional<RobotsRow> row, FindRow<RobotsRow>(*robots_, origin));
    known = lines_.try_emplace(origin).first;
    if (row && !row->removed) known->second = RobotsRules::Parse(row->text, agent_).content_signals();
  }
  std::string url;
  if (known->second.empty() || !WriteUrlOfKey(key, &url)) return 0;
  const std::optional<HttpTarget> target = HttpTarget::Parse(url);
  return SignalsOf(ContentSignalFor(known->second, target ? std::string_view(target->path) : std::string_view("/")));
}

Result<int64_t> CaptureWishes::ExpiryOf(const UrlRow& known) {
  std::pair<std::string, std::string> file = {known.parse_segment, known.parse_file};
  int64_t row = known.parse_row;
  if (known.parse_segment.empty()) {
    const auto [segment, is_new] = segments_.try_emplace(known.body_segment);
    if (is_new) {
      ARROW_ASSIGN_OR_RAISE(segment->second, SegmentPages::Open(context_.store(), known.body_segment));
    }
    if (segment->second == nullptr) return 0;
    const auto place = segment->second->ParsePlaceOf(known.body_file, known.body_row);
    if (!place) return 0;
    file = {known.body_segment, place->first};
    row = place->second;
  }
  const auto [expiries, is_new] = expiries_.try_emplace(file);
  if (is_new) {
    ARROW_ASSIGN_OR_RAISE(const auto parsed, ReadStep(context_.store(), file.first, kParseStep));
    for (const FileReceipt& receipt : parsed ? parsed->FilesOf(ParseRow::kTable) : std::vector<FileReceipt>()) {
      if (receipt.name != file.second) continue;
      int64_t number = 0;
      const auto look = [&, &found = expiries->second](const ParseRow& parse_row) {
        if (parse_row.unavailable_after_ms != 0) found[number] = parse_row.unavailable_after_ms;
        ++number;
        return arrow::Status::OK();
      };
      ARROW_RETURN_NOT_OK(
          ForEachDatasetRow<ParseRow>(context_.store(), file.first, ParseRow::kTable, receipt, look,
                                      {.columns = {"unavailable_after_ms"}, .batch_rows = kNarrowBatchRows}));
    }
  }
  const auto found = expiries->second.find(row);
  return found == expiries->second.end() ? 0 : found->second;
}

Result<const char*> CaptureWishes::LeftOutBy(const FetchRow& row, const UrlRow* listed) {
  if (leaves_nothing_out_) return nullptr;
  ARROW_ASSIGN_OR_RAISE(int32_t signals, OfRobots(row.key));
  signals |= SignalsOfRawHeaders(row.response_headers, agent_, as_of_ms_);
  bool is_over = (signals & SignalNamed("noindex")) != 0 && IsOver(row.response_headers, agent_, as_of_ms_);
  ParseRow parsed;
  if (!row.content_file.empty()) {
    ARROW_ASSIGN_OR_RAISE(const bool was_parsed,
                          facts_.Find(row.content_file, row.content_row, row.body_digest, &parsed));
    signals |= PageSignals(UrlRow(), was_parsed ? &parsed : nullptr, 0, as_of_ms_);
    const int64_t until_ms = was_parsed ? parsed.unavailable_after_ms : 0;
    is_over = is_over || (until_ms != 0 && until_ms <= as_of_ms_);
  } else if (listed != nullptr && !listed->body_file.empty()) {
    // The body is the one that was known before, and so is what the page itself asks for.
    signals |= HoldingSignals(listed->signals);
    if (!AreSignalsKnown(listed->signals)) {
      ARROW_ASSIGN_OR_RAISE(const bool was_parsed, pages_.Find(*listed, &parsed));
      if (was_parsed) signals |= SignalsOf(parsed);
    }
    ARROW_ASSIGN_OR_RAISE(const int64_t until_ms, ExpiryOf(*listed));
    is_over = is_over || (until_ms != 0 && until_ms <= as_of_ms_);
  }
  const char* const signal = respect_.LeftOutBy(signals);
  return signal == nullptr && is_over ? "unavailable_after" : signal;
}

}  // namespace trawl
