// trawl inject: puts seeds into the crawldb.
//
//   reads        lists of seeds; the sidecars of the urls and seeds tables
//   shuffles by  slot and key
//   writes       urls: a row for each URL that the crawl does not know
//                seeds: a row for each host that had no seed yet
//   counters     lines, bad, seeds, new, known
#include "jobs/inject/inject.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <optional>

#include "formats/rows/seed_host_row.h"
#include "formats/url/key.h"
#include "jobs/inject/seed_line.h"
#include "jobs/verb/crawl.h"
#include "runtime/process/file_descriptor.h"
#include "runtime/process/input.h"
#include "runtime/process/status_detail.h"
#include "runtime/store/status.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Lines → rows of unfetched pages, by their keys.
Status MapSeeds(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const InjectOptions options, context.Read(InjectOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(context.snapshot().normal_form));
  SeedReader reader(form, {.score = options.score, .now_ms = context.plan().now_ms});
  int64_t& lines = context.counters()["lines"];
  int64_t& bad = context.counters()["bad"];
  UrlRow row;
  std::string bytes;
  return ForEachSeedLine(
      context.store(), context.plan(), part,
      [&](const std::string& source, int64_t number, std::string_view line) -> Status {
        if (++lines % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
        const Result<bool> seed = reader.Read(line, &row);
        if (!seed.ok()) {
          ++bad;
          context.samples().Add({source, number, seed.status().message(), std::string(line.substr(0, 1024))});
          return Status::OK();
        }
        if (!*seed) return Status::OK();
        EncodeRow(row, &bytes);
        return sink.Emit(row.key, bytes);
      });
}

// Notes the hosts of seeds, which come in the order of their keys: all of a host in a row.
class SeedHosts {
 public:
  SeedHosts(TaskContext& context, RunWriter<SeedHostRow>* run, std::shared_ptr<const Table> table)
      : run_(run), known_(std::move(table)) {
    row_.added_ms = context.plan().now_ms;
  }

  Status Note(RowPlace seed) {
    const std::string_view host = HostPartOfKey(seed.key);
    if (host == row_.key) return Status::OK();
    row_.key.assign(host);
    ARROW_ASSIGN_OR_RAISE(const std::optional<SidecarEntry> entry, known_.Find({seed.slot, row_.key}));
    return entry && entry->state != 0 ? Status::OK() : run_->Append(row_);
  }

 private:
  RunWriter<SeedHostRow>* const run_;
  KnownKeys known_;
  SeedHostRow row_;
};

// Merge rules:
//  1. A key that the crawl knows (not as removed) stays as it is: a seed resets nothing.
//  2. Of several seeds of one key the one with the shortest spelling stays, then the smallest, then the one with the
//     smallest bytes, so that the order in which they come does not matter.
Status ReduceSeeds(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<UrlRow>(context.store(), context.snapshot()));
  KnownKeys known_keys(std::move(table));
  RunWriter<UrlRow>* const run = context.OpenRun<UrlRow>(FileOptions(job));
  ARROW_ASSIGN_OR_RAISE(auto seed_table, Table::Open<SeedHostRow>(context.store(), context.snapshot()));
  SeedHosts hosts(context, context.OpenRun<SeedHostRow>(FileOptions(job)), std::move(seed_table));
  int64_t& seeds = context.counters()["seeds"];
  int64_t& known = context.counters()["known"];
  int64_t& fresh = context.counters()["new"];

  const auto smaller = [](const UrlRow& a, const std::string& a_bytes, const UrlRow& b, const std::string& b_bytes) {
    // An empty spelling is the normalised URL, which is as long as it is for both.
    if (a.spelling.size() != b.spelling.size()) return a.spelling.size() < b.spelling.size();
    return a.spelling != b.spelling ? a.spelling < b.spelling : a_bytes < b_bytes;
  };
  UrlRow best, row;
  std::string best_bytes, bytes;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return Status::OK();
    if (++seeds % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    const RowPlace place = PlaceOfShuffleKey(groups.key());
    ARROW_RETURN_NOT_OK(hosts.Note(place));
    ARROW_ASSIGN_OR_RAISE(const std::optional<SidecarEntry> entry, known_keys.Find(place));
    if (entry && entry->state != 0) {
      ++known;
      continue;
    }
    ++fresh;
    best_bytes.clear();
    std::string_view value;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool another, groups.NextValue(&value));
      if (!another) break;
      bytes.assign(value);
      ARROW_RETURN_NOT_OK(DecodeRow(bytes, &row));
      if (!best_bytes.empty() && !smaller(row, bytes, best, best_bytes)) continue;
      std::swap(best, row);
      std::swap(best_bytes, bytes);
    }
    ARROW_RETURN_NOT_OK(run->Append(best));
  }
}

}  // namespace

const OptionGroup<InjectOptions>& InjectOptionGroup() {
  static const auto group =
      OptionGroup<InjectOptions>("inject", "Seeds")
          .Fixed("score", &InjectOptions::score, "score of seeds that have none of their own, from 0 to 1", 6,
                 Between(0, kScoreOne))
          .AllMain();
  return group;
}

// Puts files of our own in the place of what can be read but once.
Status OpenSeeds::Spool(VerbContext& context, SeedSources* sources) {
  std::atomic<int64_t> bytes = 0;
  const auto shown = context.ShowProgress([&bytes] { return "reading seeds, " + ReadableSize(bytes); });
  const auto spool = [&](std::istream& in, const std::string& name) -> Result<std::string> {
    ARROW_ASSIGN_OR_RAISE(auto spooled, SpooledInput::Make(in, name, context.global.temp_dir, &bytes));
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    spooled_.push_back(std::move(spooled));
    return spooled_.back()->path();
  };
  for (SeedFile& file : sources->files) {
    if (!IsReadOnce(file)) continue;
    // A pipe that nobody writes to yet is waited for by poll, which a signal ends, and not by open.
    const FileDescriptor opened(open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!opened.is_open()) return ErrnoStatus(errno, "opening", file.name);
    InputStream in(opened.get(), context.process.stop, nullptr);
    ARROW_ASSIGN_OR_RAISE(file.path, spool(in, file.name));
  }
  if (!sources->standard_input) return Status::OK();
  constexpr char kName[] = "standard input";
  ARROW_ASSIGN_OR_RAISE(std::string path, spool(context.process.in, kName));
  sources->files.push_back({kName, std::move(path)});
  return Status::OK();
}

Result<OpenSeeds> OpenSeeds::Open(VerbContext& context) {
  constexpr int64_t kPartBytes = int64_t{16} << 20;
  OpenSeeds seeds;
  ARROW_ASSIGN_OR_RAISE(SeedSources sources, SortSeedArguments(context.arguments));
  ARROW_RETURN_NOT_OK(seeds.Spool(context, &sources));
  ARROW_ASSIGN_OR_RAISE(seeds.parts_, CutSeeds(sources, kPartBytes));
  return seeds;
}

Result<JobResult> InjectSeeds(VerbContext& context, Crawl& crawl, const OpenSeeds& seeds) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  Store* const inputs = job.runner == RunnerKind::kStreaming ? crawl.store() : nullptr;
  return crawl.Run(context, InjectRequest(seeds.parts(), job, inputs));
}

bool HasOnlyBadSeeds(const JobResult& result) {
  const Counters& counters = result.output.counters;
  return counters.Get("bad") > 0 && counters.Get("seeds") == 0;
}

JobSpec InjectSpec() { return {.name = "inject", .map = MapSeeds, .reduce = ReduceSeeds}; }

JobRequest InjectRequest(const SeedParts& seeds, const JobOptions& job, Store* inputs) {
  JobRequest request;
  request.spec = InjectSpec();
  request.plan = [&seeds, &job, inputs](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->parts = seeds.parts;
    plan->partitions = PartitionsFor(job, seeds.bytes);
    return inputs == nullptr ? Status::OK() : StoreSeeds(inputs, plan);
  };
  request.apply = AppendRuns;
  return request;
}

OptionTexts InjectOptionTexts() {
  OptionTexts texts = InjectOptionGroup().Print({});
  texts.merge(JobOptionGroup().Print({}));
  return texts;
}

namespace {

std::string Readable(const JobResult& result) {
  const Counters& counters = result.output.counters;
  std::string text = ReadableCount(counters.Get("new")) + " new, " + ReadableCount(counters.Get("known")) + " known";
  if (counters.Get("bad") > 0) text += ", " + ReadableCount(counters.Get("bad"), "bad line");
  text += result.changed ? "; snapshot " + std::to_string(result.snapshot) + "\n" : "; no change\n";
  for (const Sample& sample : result.output.samples.samples()) text += "  " + sample.Readable() + "\n";
  const int64_t unseen = counters.Get("bad") - static_cast<int64_t>(result.output.samples.samples().size());
  if (unseen > 0) text += "  and " + ReadableCount(unseen) + " more\n";
  return text;
}

Result<int> RunInject(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const OpenSeeds seeds, OpenSeeds::Open(context));
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenOrCreate(context));
  ARROW_ASSIGN_OR_RAISE(const JobResult result, InjectSeeds(context, *crawl, seeds));
  Json json = SummaryOf(result);
  // Without a line nobody has counted.
  for (const char* name : {"lines", "bad", "seeds", "new", "known"}) json.emplace(name, 0);
  json["samples"] = ToJson(result.output.samples);
  ARROW_RETURN_NOT_OK(context.Summarize(json, Readable(result)));
  return HasOnlyBadSeeds(result) ? kExitFailed : kExitDone;
}

}  // namespace

Verb InjectVerb() {
  return {.name = "inject",
          .summary = "add seeds to the crawl, or start one with them",
          .purpose = VerbPurpose::kStep,
          .arguments = "SEED…",
          .least_arguments = 1,
          .most_arguments = kAnyNumber,
          .description =
              "A SEED is a URL, a file with one URL per line, or - for standard input. In a file, tabs may separate "
              "the URL from key=value pairs: score (0 to 1, higher is better), interval (such as 1d), kind (page, "
              "sitemap or feed); other pairs are kept. A URL that the crawl knows already stays as it is. Bad lines "
              "are counted and shown; if all lines are bad, the exit code is 3.",
          .examples = {{"Start a crawl in ./crawl", "trawl inject https://www.example.com/"},
                       {"Add a list to a crawl elsewhere", "trawl inject --root /data/crawl seeds.txt"}},
          .groups = {&InjectOptionGroup(), &NewCrawlOptionGroup(), &JobOptionGroup()},
          .run = RunInject};
}

}  // namespace trawl
