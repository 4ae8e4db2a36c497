// trawl crawl: injects seeds, then runs rounds of generate, fetch, parse and updatedb until nothing is due.
#include "jobs/verb/crawl.h"

#include <algorithm>
#include <optional>

#include "formats/documents/sealed_json.h"
#include "jobs/fetch/fetch.h"
#include "jobs/fetch/identity.h"
#include "jobs/generate/generate.h"
#include "jobs/graph/options.h"
#include "jobs/inject/inject.h"
#include "jobs/parse/parse.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/reparse/reparse.h"
#include "jobs/rounds/loop.h"
#include "jobs/rounds/report.h"
#include "jobs/signals/respect.h"
#include "jobs/updatedb/updatedb.h"
#include "jobs/upkeep/gc.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/lasting.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct LoopOptions {
  int32_t rounds = 0;
  bool overlap = false;
};

const OptionGroup<LoopOptions>& LoopOptionGroup() {
  static const auto group =
      OptionGroup<LoopOptions>("loop", "How long the crawl goes on")
          .Int("rounds", &LoopOptions::rounds, "most rounds, restarts included; 0: no limit", Between(0, 1'000'000))
          .Main()
          .Bool("overlap", &LoopOptions::overlap, "fetch a round while the one before it is parsed")
          .Main();
  return group;
}

// Before there is a crawl, only the command line can name a contact.
Status CheckContactFirst(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto store, OpenRoot(context));
  ARROW_ASSIGN_OR_RAISE(const int64_t present, PresentNumber(store.get()));
  if (present >= 0) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context.Read(FetchOptionGroup()));
  return CheckContact(fetch);
}

// Opens the crawl, or makes it if there is none and seeds are given. Injects the seeds and says whether they are new.
Result<std::unique_ptr<Crawl>> OpenWithSeeds(VerbContext& context, bool* has_new_seeds) {
  if (context.arguments.empty()) {
    ARROW_ASSIGN_OR_RAISE(auto crawl, Crawl::Open(context));
    ARROW_RETURN_NOT_OK(crawl->CheckConstants(context));
    ARROW_RETURN_NOT_OK(KeepQuotas(context, *crawl));
    return crawl;
  }
  ARROW_ASSIGN_OR_RAISE(const InjectOptions inject, context.Read(InjectOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const OpenSeeds seeds, OpenSeeds::Open(context, inject.from));
  ARROW_RETURN_NOT_OK(CheckContactFirst(context));
  ARROW_ASSIGN_OR_RAISE(auto crawl, Crawl::OpenOrCreate(context));
  const bool is_new = crawl->manifest().number == 0;
  ARROW_RETURN_NOT_OK(is_new ? KeepFirstSettings(context, *crawl) : KeepQuotas(context, *crawl));
  ARROW_ASSIGN_OR_RAISE(const JobResult injected, InjectSeeds(context, *crawl, seeds));
  const auto& samples = injected.output.samples.samples();
  for (const Sample& sample : samples) Warn(context.process.err, "  " + sample.Readable() + "\n");
  if (HasOnlyBadSeeds(injected))
    return Status::Invalid("no seed can be taken, as said above; write seeds like https://www.example.com/");
  *has_new_seeds = injected.changed;
  return crawl;
}

Status WriteReport(Store* store, const Json& report, TimeMs now_ms) {
  const std::string job = NewJobId("crawl", now_ms);
  Json json = {{"job", job}, {"verb", "crawl"}, {"now_ms", now_ms}, {"changed", report["rounds"].get<int64_t>() > 0}};
  json.update(report);
  return store->CreateExclusive(ReportPath(job), SealJson(json)).status();
}

Result<int> RunCrawl(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const LoopOptions loop_options, context.Read(LoopOptionGroup()));
  const int64_t started_ms = context.process.clock.MonotonicMs();
  const bool is_pinned = context.options.SourceOf("now") > OptionSource::kDefault;
  const std::optional<TimeMs> pinned_ms = is_pinned ? std::optional(context.global.now_ms) : std::nullopt;
  bool has_new_seeds = false;
  ARROW_ASSIGN_OR_RAISE(const auto crawl, OpenWithSeeds(context, &has_new_seeds));
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context.Read(FetchOptionGroup()));
  ARROW_RETURN_NOT_OK(CheckContact(fetch));
  CrawlLoop loop(context, *crawl);
  // With new seeds this is not the continuation of an earlier command.
  const int32_t begun = has_new_seeds ? 0 : RoundsBegun(crawl->manifest(), pinned_ms);
  ARROW_ASSIGN_OR_RAISE(const CrawlTotals totals,
                        loop.Run({.rounds = loop_options.rounds, .begun = begun, .overlap = loop_options.overlap}));
  const double seconds = static_cast<double>(context.process.clock.MonotonicMs() - started_ms) / 1000.0;
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl->store()));
  ARROW_ASSIGN_OR_RAISE(const Json report, CrawlReport({.store = crawl->store(),
                                                        .present = present.manifest,
                                                        .totals = totals,
                                                        .seconds = seconds,
                                                        .now_ms = context.global.now_ms,
                                                        .threads = context.global.threads},
                                                       context.process.stop));
  // A command that runs every hour and finds nothing due leaves nothing.
  if (totals.rounds > 0) ARROW_RETURN_NOT_OK(WriteReport(crawl->store(), report, context.global.now_ms));
  ARROW_RETURN_NOT_OK(context.Conclude(report, ReadableCrawlReport(report), ""));
  return EndOfRounds(context, totals);
}

}  // namespace

Verb CrawlVerb() {
  return {.name = "crawl",
          .summary = "crawl sites from seeds, in rounds, until nothing is due",
          .purpose = VerbPurpose::kRun,
          .arguments = "[SEED…]",
          .most_arguments = kAnyNumber,
          .description =
              "Each round chooses the pages that are due, fetches and parses them, and records the outcome. After a "
              "stop or a crash, the same command continues where it was. Links are followed within the domains of the "
              "seeds unless --scope or --scope_rules say otherwise. What is said of urls, fetch, robots, refresh, "
              "sitemaps, signals and settle when the crawl is made becomes its settings (trawl config get); quotas do "
              "whenever they are "
              "given.",
          .examples = {{"Crawl one site, into ./crawl",
                        "trawl crawl https://www.example.com/ --contact https://me.example/"},
                       {"Two rounds of at most 1,000 pages",
                        "trawl crawl --rounds 2 --top_n 1000 --contact me@me.example seeds.txt"},
                       {"Later: fetch what is due by then", "trawl crawl"}},
          .groups = {&LoopOptionGroup(), &ScopeOptionGroup(), &GenerateOptionGroup(), &FetchOptionGroup()},
          .other_groups = {&InjectOptionGroup(), &RobotsOptionGroup(), &ParseOptionGroup(), &RefreshOptionGroup(),
                           &SitemapOptionGroup(), &SettleOptionGroup(), &GraphOptionGroup(), &ReparseOptionGroup(),
                           &GcOptionGroup(), &NewCrawlOptionGroup(), &RespectOptionGroup(), &JobOptionGroup(),
                           &IdleOptionGroup()},
          .other_main_options = {"refresh.max_interval"},
          .run = RunCrawl};
}

}  // namespace trawl
