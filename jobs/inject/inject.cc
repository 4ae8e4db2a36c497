// trawl inject: puts seeds into the crawldb.
//
//   reads        lists of seeds, or indexes and records of an archive; the sidecars of the urls and seeds tables; rows of URLs that a line says more of; three
//                columns of the hosts
//   shuffles by  slot and key
//   writes       urls: a row for each URL that the crawl does not know; with --update also the rows that change
//                seeds: a row for each host that had no seed yet
//   counters     lines, bad, skipped, warnings, seeds, contradictions; new, known, of which known_refused, known_gone,
//                known_denied, known_dropped, and updated or would_update; blocked_hosts
#include "jobs/inject/inject.h"

#include <optional>
#include <utility>

#include "formats/rows/seed_host_row.h"
#include "formats/text/utf8.h"
#include "formats/url/key.h"
#include "jobs/inject/archive_seeds.h"
#include "jobs/inject/blocked_hosts.h"
#include "jobs/inject/seed_fold.h"
#include "jobs/inject/seed_line.h"
#include "jobs/inject/seed_lines.h"
#include "jobs/policy/advice.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/url_change.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/row_json.h"
#include "runtime/root/planned_bytes.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/known_rows.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

const OptionGroup<InjectOptions>& InjectOptionGroup() {
  static const auto group =
      OptionGroup<InjectOptions>("inject", "Seeds")
          .Fixed("score", &InjectOptions::score, "score of seeds that have none of their own, from 0 to 1", 6,
                 Between(0, kScoreOne))
          .Bool("update", &InjectOptions::update, "set what a line names for URLs that the crawl knows, too")
          .Choice("from", &InjectOptions::from,
                  "what the files are: lists of URLs, or an archive's index (CDXJ, CDX, ZipNum) or its WARC files",
                  {{TextOf(SeedsFrom::kList), SeedsFrom::kList},
                   {TextOf(SeedsFrom::kCdxj), SeedsFrom::kCdxj},
                   {TextOf(SeedsFrom::kWarc), SeedsFrom::kWarc}})
          .AllMain();
  return group;
}

namespace {

// Text of a file, as a terminal may have it.
std::string WithoutControls(std::string_view text) {
  std::string shown;
  AppendRepairedUtf8(text, &shown);
  for (char& byte : shown) {
    if ((static_cast<unsigned char>(byte) < 0x20 && byte != '\t') || byte == 0x7F) byte = ' ';
  }
  return shown;
}

// Emits each line that has a seed, by the seed's key.
class SeedMapper {
 public:
  SeedMapper(TaskContext& context, RowSink& sink, NormalForm form, const CrawlScope* scope)
      : context_(context), sink_(sink), reader_(form, scope) {}

  Status Run(const Json& part) {
    if (!HasMember(part, "from")) {
      return ForEachSeedLine(context_.store(), context_.plan(), part,
                             [this](const std::string& source, int64_t number, std::string_view line) -> Status {
                               ARROW_RETURN_NOT_OK(Count());
                               return Take({source, number, "", ""}, line, line).status();
                             });
    }
    return ForEachArchiveSeed(context_.store(), context_.plan(), part,
                              [this](const std::string& source, int64_t number, const Result<std::string>& line,
                                     std::string_view shown) -> Status {
                                ARROW_RETURN_NOT_OK(Count());
                                const Sample place{source, number, "", ""};
                                if (!line.ok()) return Refuse(place, line.status(), shown);
                                ARROW_ASSIGN_OR_RAISE(const bool is_seed, Take(place, *line, shown));
                                skipped_ += is_seed ? 0 : 1;
                                return Status::OK();
                              });
  }

 private:
  Status Count() { return ++lines_ % 1024 == 0 ? context_.CheckStop() : Status::OK(); }

  Status Refuse(Sample place, const Status& why, std::string_view shown) {
    ++bad_;
    place.reason = WithoutControls(why.message());
    place.text = WithoutControls(shown.substr(0, 1024));
    context_.samples().Add(std::move(place));
    return Status::OK();
  }

  // False for a line that is skipped.
  Result<bool> Take(Sample place, std::string_view line, std::string_view shown) {
    const Result<bool> read = reader_.Read(line, &seed_);
    if (!read.ok()) {
      ARROW_RETURN_NOT_OK(Refuse(std::move(place), read.status(), shown));
      return true;
    }
    if (!*read) return false;
    const int64_t number = place.number;
    if (!seed_.warning.empty()) {
      ++context_.counters()["warnings"];
      place.reason = seed_.warning;
      context_.samples().Add(std::move(place));
    }
    EncodeSeed({static_cast<uint32_t>(context_.id().number), number}, seed_, &bytes_);
    ARROW_RETURN_NOT_OK(sink_.Emit(seed_.key, bytes_));
    return true;
  }

  TaskContext& context_;
  RowSink& sink_;
  SeedReader reader_;
  int64_t& lines_ = context_.counters()["lines"];
  int64_t& bad_ = context_.counters()["bad"];
  int64_t& skipped_ = context_.counters()["skipped"];
  SeedLine seed_;
  std::string bytes_;
};

Status MapSeeds(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(context.snapshot().normal_form));
  ARROW_ASSIGN_OR_RAISE(const CrawlScope scope, SeedScopeOfPlan(context.store(), context.plan()));
  return SeedMapper(context, sink, form, &scope).Run(part);
}

// Merge rules:
//  1. Several lines of one URL are one seed (jobs/inject/seed_fold.h). Where they contradict each other, that is said.
//  2. A URL that the crawl does not know, or that was removed, becomes an unfetched page, due at once, with what its line
//     names.
//  3. A URL that the crawl knows stays as it is: a seed resets nothing. With --update it takes what its line names, and
//     keeps the rest. A URL that the operator dropped stays dropped.
//  4. A host that has no seed yet becomes a seed host.
//  5. A seed of a host that the operator has blocked enters and waits there. That is said once for each host.

// Rule 4. REQUIRES: seeds come in the order of their keys, so that those of a host follow each other.
class SeedHosts {
 public:
  SeedHosts(TaskContext& context, RunWriter<SeedHostRow>* run, const std::shared_ptr<const Table>& table)
      : run_(run), known_(table) {
    row_.added_ms = context.plan().now_ms;
  }

  // Whether this is the first seed of its host.
  Result<bool> Note(RowPlace seed) {
    const std::string_view host = HostPartOfKey(seed.key);
    if (host == row_.key) return false;
    row_.key.assign(host);
    ARROW_ASSIGN_OR_RAISE(const std::optional<SidecarEntry> entry, known_.Find({seed.slot, row_.key}));
    if (!entry || entry->state == 0) ARROW_RETURN_NOT_OK(run_->Append(row_));
    return true;
  }

 private:
  RunWriter<SeedHostRow>* const run_;
  KnownKeys known_;
  SeedHostRow row_;
};

// One reduce task.
class SeedSettler {
 public:
  static Status Run(TaskContext& context, GroupStream& groups) {
    ARROW_ASSIGN_OR_RAISE(const InjectOptions options, context.Read(InjectOptionGroup()));
    ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
    ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
    ARROW_ASSIGN_OR_RAISE(const auto hosts, Table::Open<SeedHostRow>(context.store(), context.snapshot()));
    ARROW_ASSIGN_OR_RAISE(const BlockedHosts blocked, BlockedHosts::Read(context.store(), context.snapshot()));
    SeedSettler settler(context, options, context.OpenRun<UrlRow>(FileOptions(job)), urls, blocked);
    ARROW_RETURN_NOT_OK(
        settler.Settle(groups, SeedHosts(context, context.OpenRun<SeedHostRow>(FileOptions(job)), hosts)));
    settler.tally_.Report(&context.facts());
    return Status::OK();
  }

 private:
  SeedSettler(TaskContext& context, const InjectOptions& options, RunWriter<UrlRow>* run,
              const std::shared_ptr<const Table>& urls, const BlockedHosts& blocked)
      : context_(context), options_(options), run_(run), urls_(urls), blocked_(blocked) {}

  Status Settle(GroupStream& groups, SeedHosts hosts) {
    int64_t& seeds = context_.counters()["seeds"];
    int64_t& known = context_.counters()["known"];
    int64_t& fresh = context_.counters()["new"];
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
      if (!more) return Status::OK();
      if (++seeds % 1024 == 0) ARROW_RETURN_NOT_OK(context_.CheckStop());
      const RowPlace place = PlaceOfShuffleKey(groups.key());
      ARROW_ASSIGN_OR_RAISE(const bool is_first_of_host, hosts.Note(place));
      ARROW_RETURN_NOT_OK(ReadLines(groups));
      if (is_first_of_host) SayHold(place.key);  // rule 5
      ARROW_ASSIGN_OR_RAISE(const UrlChange change, ChangeOf(fold_.pairs()));
      ARROW_ASSIGN_OR_RAISE(const std::optional<KnownKey> found, urls_.Locate(place));
      const bool is_known = found && found->entry.state != 0;
      ++(is_known ? known : fresh);
      ARROW_RETURN_NOT_OK(is_known ? SettleKnown(*found, place.key, change) : SettleNew(place.key, change));
    }
  }

  // Rule 1.
  Status ReadLines(GroupStream& groups) {
    fold_.Clear();
    SeedPlace place;
    std::string_view value;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
      if (!more) break;
      ARROW_RETURN_NOT_OK(DecodeSeed(value, &place, &spelling_, &pairs_));
      fold_.Add(place, spelling_, pairs_);
    }
    fold_.Finish();
    for (const SeedContradiction& one : fold_.contradictions()) {
      ++context_.counters()["contradictions"];
      Say(one.other_at, one.name + "=" + one.other + " gives way to " + one.name + "=" + one.kept + " of " +
                            SourceOf(one.kept_at) + ":" + std::to_string(one.kept_at.line) +
                            ", a line for the same URL");
    }
    return Status::OK();
  }

  // Rule 2.
  Status SettleNew(std::string_view key, const UrlChange& change) {
    UrlRow row;
    row.key.assign(key);
    row.spelling = fold_.spelling();
    row.score = options_.score;
    row.is_seed = true;
    row.due_ms = row.discovered_ms = context_.plan().now_ms;
    ApplyChange(change, context_.plan().now_ms, &row);
    tally_.Enter(row);
    return run_->Append(row);
  }

  // Rule 3. The row is read only where the line names something, or where the URL is not asked for: then that is said.
  Status SettleKnown(const KnownKey& known, std::string_view key, const UrlChange& change) {
    const auto state = static_cast<UrlState>(known.entry.state);
    const bool is_out = state == UrlState::kRefused || state == UrlState::kGone || state == UrlState::kDenied;
    if (!is_out && !change.IsAny()) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const bool found, urls_.Read(known, key, &row_));
    if (!found) return Status::OK();
    if (is_out) SayWhyItIsOut();
    const UrlRow before = row_;
    switch (ApplyChange(change, context_.plan().now_ms, &row_)) {
      case ChangeEffect::kNone:
      case ChangeEffect::kIsDropped:
        return Status::OK();
      case ChangeEffect::kChanged:
      case ChangeEffect::kPutBack:
        break;
    }
    ++context_.counters()[options_.update ? "updated" : "would_update"];
    if (!options_.update) return Status::OK();
    tally_.Replace(before, row_);
    return run_->Append(row_);
  }

  void SayHold(std::string_view key) {
    std::string hold = blocked_.HoldOf(HostPartOfKey(key));
    if (hold.empty()) return;
    ++context_.counters()["blocked_hosts"];
    Say(fold_.place(), std::move(hold));
  }

  void SayWhyItIsOut() {
    const std::string state = IsDropped(row_) ? TextOf(row_.outcome) : TextOf(row_.state);
    ++context_.counters()["known_" + state];
    const std::string reason = IsDropped(row_) ? row_.reason : ReasonOf(row_);
    const std::string advice = AdviceFor(row_);
    Say(fold_.place(),
        "known, " + state + (reason.empty() ? "" : " (" + reason + ")") + (advice.empty() ? "" : "; " + advice),
        RequestUrl(row_));
  }

  void Say(SeedPlace place, std::string text, std::string url = "") {
    context_.samples().Add({SourceOf(place), place.line, std::move(text), std::move(url)});
  }

  std::string SourceOf(SeedPlace place) const {
    return GetString(context_.plan().parts[place.part], "name").ValueOr("seeds");
  }

  TaskContext& context_;
  const InjectOptions options_;
  RunWriter<UrlRow>* const run_;
  KnownRows<UrlRow> urls_;
  const BlockedHosts& blocked_;
  UrlTally tally_;
  SeedFold fold_;
  // Reused for every seed.
  std::string spelling_;
  SeedPairs pairs_;
  UrlRow row_;
};

// "12 new, 3 known, 1 bad line; snapshot 4".
std::string Readable(const JobResult& result) {
  const Counters& counters = result.output.counters;
  std::string text = ReadableCount(counters.Get("new")) + " new, " + ReadableCount(counters.Get("known")) + " known";
  if (counters.Get("updated") > 0) text += ", " + ReadableCount(counters.Get("updated")) + " updated";
  if (counters.Get("bad") > 0) text += ", " + ReadableCount(counters.Get("bad"), "bad line");
  if (counters.Get("skipped") > 0) text += ", " + ReadableCount(counters.Get("skipped")) + " of no page";
  return text + (result.changed ? "; snapshot " + std::to_string(result.snapshot) + "\n" : "; no change\n");
}

std::string NotesOf(const JobResult& result) {
  const Counters& counters = result.output.counters;
  const auto& samples = result.output.samples.samples();
  std::string notes;
  for (const Sample& sample : samples) notes += "  " + sample.Readable() + "\n";
  int64_t lines =
      counters.Get("bad") + counters.Get("warnings") + counters.Get("contradictions") + counters.Get("blocked_hosts");
  for (const char* state : {"dropped", "refused", "gone", "denied"})
    lines += counters.Get(std::string("known_") + state);
  const int64_t unseen = lines - static_cast<int64_t>(samples.size());
  if (unseen > 0) notes += "  and " + ReadableCount(unseen) + " more\n";
  const int64_t dropped = counters.Get("known_dropped");
  if (dropped > 0) {
    notes += "  " + ReadableCount(dropped) +
             (dropped == 1 ? " is dropped; trawl urls set URL --undrop brings it back\n"
                           : " are dropped; trawl urls set URL --undrop brings them back\n");
  }
  const int64_t would = counters.Get("would_update");
  if (would > 0) {
    notes += "  " + ReadableCount(would) + (would == 1 ? " known URL has" : " known URLs have") +
             " other values than the lines name; --update would set them\n";
  }
  return notes;
}

Result<int> RunInject(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const InjectOptions options, context.Read(InjectOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const OpenSeeds seeds, OpenSeeds::Open(context, options.from));
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenOrCreate(context));
  ARROW_ASSIGN_OR_RAISE(const JobResult result, InjectSeeds(context, *crawl, seeds));
  Json json = SummaryOf(result);
  // Without a line nobody has counted.
  for (const char* name : {"lines", "bad", "skipped", "seeds", "new", "known", "updated", "would_update", "warnings",
                           "contradictions", "known_dropped", "blocked_hosts"}) {
    json.emplace(name, 0);
  }
  json["samples"] = ToJson(result.output.samples);
  ARROW_RETURN_NOT_OK(context.Conclude(json, Readable(result), NotesOf(result)));
  return HasOnlyBadSeeds(result) ? kExitFailed : kExitDone;
}

}  // namespace

JobSpec InjectSpec() { return {.name = "inject", .map = MapSeeds, .reduce = SeedSettler::Run}; }

JobRequest InjectRequest(const SeedParts& seeds, const JobOptions& job, Store* inputs) {
  JobRequest request;
  request.spec = InjectSpec();
  request.plan = [&seeds, &job, inputs](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    ARROW_RETURN_NOT_OK(PlanTotals(environment, base, plan));
    ARROW_RETURN_NOT_OK(PlanScope(environment.store, plan));
    plan->parts = seeds.parts;
    plan->partitions = PartitionsFor(job, seeds.bytes);
    plan->work.bytes = seeds.bytes + BytesOfTables(base.manifest, {UrlRow::kTable, HostRow::kTable});
    return inputs == nullptr ? Status::OK() : StoreSeeds(inputs, plan, InputsOfScope(*plan));
  };
  request.apply = AppendRunsAndTotals;
  return request;
}

Result<JobResult> InjectSeeds(VerbContext& context, Crawl& crawl, const OpenSeeds& seeds) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  Store* const inputs = job.runner == RunnerKind::kLocal ? nullptr : crawl.store();
  return crawl.Run(context, InjectRequest(seeds.parts(), job, inputs));
}

bool HasOnlyBadSeeds(const JobResult& result) {
  const Counters& counters = result.output.counters;
  return counters.Get("bad") > 0 && counters.Get("seeds") == 0;
}

OptionTexts InjectOptionTexts() {
  OptionTexts texts = InjectOptionGroup().Print({});
  texts.merge(ScopeOptionGroup().Print({}));
  texts.merge(JobOptionGroup().Print({}));
  return texts;
}

Verb InjectVerb() {
  return {
      .name = "inject",
      .summary = "add seeds to the crawl, or start one with them",
      .purpose = VerbPurpose::kStep,
      .arguments = "SEED…",
      .most_arguments = kAnyNumber,
      .description =
          "A SEED is a URL, a file with one URL per line, or - for standard input. In a file, tabs may separate "
          "the URL from key=value pairs: score (0 to 1, higher is better), interval (such as 1d), priority (high, "
          "medium or low), kind (page, sitemap or feed); other pairs are kept. Of several lines for one URL the one "
          "that names most counts, and the others fill it up. A URL that the crawl knows already stays as it is, "
          "unless --update is given: then it takes what its line names. Bad lines, and URLs that the crawl's scope "
          "refuses, are counted and shown; if all lines are bad, the exit code is 3. Files may be gzip. With --from "
          "the "
          "files are those of a web archive, here or in a store (s3://…, hdfs://…): each page becomes a seed that "
          "keeps when the archive last saw it, and its digest, as metadata.",
      .examples = {{"Start a crawl in ./crawl", "trawl inject https://www.example.com/"},
                   {"Add a list to a crawl elsewhere", "trawl inject --root /data/crawl seeds.txt"},
                   {"Give known seeds new values", "trawl inject --update seeds.txt"},
                   {"Take the URLs of an archive", "trawl inject --from cdxj cdx-00000.gz"}},
      .groups = {&InjectOptionGroup(), &NewCrawlOptionGroup(), &JobOptionGroup()},
      .other_groups = {&ScopeOptionGroup()},
      .run = RunInject};
}

}  // namespace trawl
