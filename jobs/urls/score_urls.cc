#include "jobs/urls/score_urls.h"

#include <cstring>
#include <memory>
#include <utility>

#include "formats/text/ascii.h"
#include "formats/url/key.h"
#include "jobs/inject/seed_lines.h"
#include "jobs/urls/url_setter.h"
#include "jobs/verb/url_arguments.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kTakeBackFact[] = "take_back";
constexpr std::string_view kBlanks = " \t\r\f\v";

// Where a line stands among all lines, and its score. Of two lines for one URL the later one counts.
struct ScoreEvent {
  int64_t part = 0;
  int64_t line = 0;
  int64_t score = 0;
};

Result<std::string> KeyOfWord(std::string_view word, NormalForm form) {
  const Result<std::string> url = UrlOfKey(word);
  return KeyOfArgument(url.ok() ? *url : std::string(word), form);
}

Status MapScores(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(context.snapshot().normal_form));
  ARROW_ASSIGN_OR_RAISE(const bool take_back, GetBool(context.plan().facts, kTakeBackFact));
  ScoreEvent event = {.part = context.id().number};
  std::string bytes(sizeof event, '\0');
  return ForEachSeedLine(context.store(), context.plan(), part,
                         [&](const std::string& source, int64_t number, std::string_view line) -> Status {
                           if (number % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
                           const Result<ScoreLine> read = ReadScoreLine(line, take_back, form);
                           if (!read.ok()) {
                             ++context.counters()["bad"];
                             context.samples().Add({source, number, read.status().message(), ""});
                             return Status::OK();
                           }
                           if (read->key.empty()) return Status::OK();
                           event.line = number;
                           event.score = read->score;
                           std::memcpy(bytes.data(), &event, sizeof event);
                           return sink.Emit(read->key, bytes);
                         });
}

// The event that counts, of those of one URL.
Result<ScoreEvent> LastEvent(GroupStream& groups, int64_t* repeated) {
  ScoreEvent last = {.part = -1}, event;
  std::string_view bytes;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&bytes));
    if (!more) return last;
    if (bytes.size() != sizeof event) return Status::Invalid("a score's event of ", bytes.size(), " bytes");
    std::memcpy(&event, bytes.data(), sizeof event);
    if (last.part >= 0) ++*repeated;
    if (std::pair(last.part, last.line) < std::pair(event.part, event.line)) last = event;
  }
}

Status ReduceScores(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  const UrlRuns runs = {.urls = context.OpenRun<UrlRow>(FileOptions(job)),
                        .robots = context.OpenRun<RobotsRow>(FileOptions(job))};
  ARROW_ASSIGN_OR_RAISE(const ScoringOptions scoring, ReadScoringOptions(context));
  ARROW_ASSIGN_OR_RAISE(const auto setter,
                        UrlSetter::Open(context.store(), context.snapshot(), {}, scoring, context.plan().now_ms, runs,
                                        &context.counters(), &context.samples()));
  UrlChange change;
  int64_t& repeated = context.counters()["repeated"];
  for (int64_t urls = 1;; ++urls) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) {
      setter->tally().Report(&context.facts());
      return Status::OK();
    }
    if (urls % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ARROW_ASSIGN_OR_RAISE(const ScoreEvent event, LastEvent(groups, &repeated));
    change.score = static_cast<int32_t>(event.score);
    ARROW_RETURN_NOT_OK(setter->Take(PlaceOfShuffleKey(groups.key()), change));
  }
}

}  // namespace

Result<ScoreLine> ReadScoreLine(std::string_view line, bool take_back, NormalForm form) {
  ScoreLine read;
  line = TrimBytes(line, kBlanks);
  if (line.empty() || line.front() == '#') return read;
  const size_t blank = line.find_last_of(kBlanks);
  const std::string_view value = blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
  if (take_back) {
    // A second word must be a score, or the line is not what it was meant to be.
    if (!value.empty()) ARROW_RETURN_NOT_OK(ParseScore(value).status());
    read.score = UrlChange::kByRule;
  } else if (value.empty()) {
    return Status::Invalid("'", line.substr(0, 100),
                           "' has no score; write URL SCORE, such as https://www.example.com/ 0.9");
  } else {
    ARROW_ASSIGN_OR_RAISE(read.score, ParseScore(value));
  }
  const std::string_view word = value.empty() ? line : TrimBytes(line.substr(0, blank), kBlanks);
  ARROW_ASSIGN_OR_RAISE(read.key, KeyOfWord(word, form));
  return read;
}

JobSpec ScoreUrlsSpec() { return {.name = "score", .map = MapScores, .reduce = ReduceScores}; }

JobRequest ScoreUrlsRequest(const ScoreUrlsParts& parts) {
  JobRequest request;
  request.spec = ScoreUrlsSpec();
  request.plan = [parts](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    ARROW_RETURN_NOT_OK(PlanTotals(environment, base, plan));
    plan->facts[kTakeBackFact] = parts.take_back;
    plan->parts = parts.lists.parts;
    plan->partitions = PartitionsFor(parts.job, parts.lists.bytes);
    return parts.inputs == nullptr ? Status::OK() : StoreSeeds(parts.inputs, plan);
  };
  request.apply = AppendRunsAndTotals;
  return request;
}

}  // namespace trawl
