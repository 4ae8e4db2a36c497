// trawl urls set: changes what the crawl does with URLs that it knows.
//
// The work is that of jobs/urls/set_urls.h; the rules of a change stand in jobs/policy/url_change.cc.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/inject/open_seeds.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/urls/set_urls.h"
#include "jobs/verb/crawl.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kRule[] = "rule";

struct SetOptions {
  std::vector<std::string> prefix, state, outcome;
  std::string due, score, interval, tier;
  bool retry = false;
  bool drop = false;
  bool undrop = false;
  bool dry_run = false;
};

const OptionGroup<SetOptions>& SetOptionGroup() {
  static const auto group =
      OptionGroup<SetOptions>("urls_set", "Which URLs, and what is set")
          .List("prefix", &SetOptions::prefix, "URLs that begin with this: https://host/path", "URL")
          .List("state", &SetOptions::state, "URLs in this state, such as refused, gone or denied", "STATE")
          .List("outcome", &SetOptions::outcome,
                "URLs whose last request ended so, such as address_refused or dns_failed", "OUTCOME")
          .String("due", &SetOptions::due, "when they are asked for next: now, 3d, or 2026-03-01T12:00:00Z", "WHEN")
          .String("score", &SetOptions::score, "their score from now on, from 0 to 1; 'rule': as links say again", "X")
          .String("interval", &SetOptions::interval,
                  "how often they are fetched from now on, such as 1d; 'rule': as their changes say again", "TIME")
          .String("tier", &SetOptions::tier,
                  "which come first within a round: high, medium or low; 'rule': by their score and form again", "TIER")
          .Bool("retry", &SetOptions::retry,
                "forget why they are refused, gone, failing, denied or deferred, and ask for them now")
          .Bool("drop", &SetOptions::drop, "never ask for them again: no link, seed or round brings them back")
          .Bool("undrop", &SetOptions::undrop, "take them again after --drop")
          .Bool("dry_run", &SetOptions::dry_run, "count the URLs, and change nothing")
          .AllMain()
          .Must([](const SetOptions& options) {
            const bool sets_more = !options.due.empty() || !options.score.empty() || !options.interval.empty() ||
                                   !options.tier.empty() || options.retry || options.undrop;
            if (options.drop && sets_more)
              return UsageError("--drop ends what the crawl does with a URL; give it without other changes");
            return Status::OK();
          });
  return group;
}

template <typename T>
Status Named(const char* option, const Result<T>& value) {
  return value.ok() ? Status::OK() : UsageError("--", option, ": ", value.status().message());
}

Result<UrlChange> ReadChange(const SetOptions& options, TimeMs now_ms) {
  UrlChange change = {.retry = options.retry, .drop = options.drop, .undrop = options.undrop};
  if (!options.due.empty()) {
    const Result<TimeMs> due_ms = ParseDue(options.due, now_ms);
    ARROW_RETURN_NOT_OK(Named("due", due_ms));
    change.due_ms = *due_ms;
  }
  if (options.score == kRule) {
    change.score = UrlChange::kByRule;
  } else if (!options.score.empty()) {
    const Result<int32_t> score = ParseScore(options.score);
    ARROW_RETURN_NOT_OK(Named("score", score));
    change.score = *score;
  }
  if (options.interval == kRule) {
    change.interval_ms = 0;
  } else if (!options.interval.empty()) {
    const Result<int64_t> interval_ms = ParseInterval(options.interval);
    ARROW_RETURN_NOT_OK(Named("interval", interval_ms));
    change.interval_ms = *interval_ms;
  }
  if (options.tier == kRule) {
    change.tier = TierChoice::kByRule;
  } else if (!options.tier.empty()) {
    const Result<TierChoice> tier = ParseTier(options.tier);
    ARROW_RETURN_NOT_OK(Named("tier", tier));
    change.tier = *tier;
  }
  if (!change.IsAny()) {
    return UsageError(
        "nothing is set; say what to change: --due, --score, --interval, --tier, --retry, --drop or --undrop");
  }
  return change;
}

std::string Readable(const JobResult& result, bool is_dry_run) {
  const Counters& counters = result.output.counters;
  std::string text = ReadableCount(counters.Get("matched"), "URL") +
                     (!is_dry_run                    ? " matched, "
                      : counters.Get("matched") == 1 ? " matches, "
                                                     : " match, ") +
                     ReadableCount(counters.Get("changed")) + (is_dry_run ? " would change" : " changed");
  if (counters.Get("not_known") > 0) text += ", " + ReadableCount(counters.Get("not_known")) + " not in the crawl";
  if (counters.Get("not_selected") > 0)
    text += ", " + ReadableCount(counters.Get("not_selected")) + " named but not of that prefix, state or outcome";
  if (counters.Get("bad") > 0) text += ", " + ReadableCount(counters.Get("bad"), "bad line");
  if (result.changed) text += "; snapshot " + std::to_string(result.snapshot);
  return text + "\n";
}

std::string NotesOf(const JobResult& result, const UrlChange& change) {
  const Counters& counters = result.output.counters;
  std::string notes;
  for (const Sample& sample : result.output.samples.samples()) notes += "  " + sample.Readable() + "\n";
  const int64_t unseen =
      counters.Get("bad") + counters.Get("not_known") - static_cast<int64_t>(result.output.samples.samples().size());
  if (unseen > 0) notes += "  and " + ReadableCount(unseen) + " more\n";
  const int64_t dropped = counters.Get("dropped");
  if (dropped > 0) {
    notes += "  " + ReadableCount(dropped) + (dropped == 1 ? " is dropped and stays so" : " are dropped and stay so") +
             "; --undrop brings back what was dropped\n";
  }
  if (change.retry && counters.Get("matched") > counters.Get("changed") + dropped)
    notes += "  --retry leaves alone what was neither refused, gone, failing, denied nor deferred; see --due now\n";
  return notes;
}

Result<int> RunUrlsSet(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const SetOptions options, context.Read(SetOptionGroup()));
  UrlOrder order;
  ARROW_ASSIGN_OR_RAISE(order.change, ReadChange(options, context.global.now_ms));
  const bool selects = !options.prefix.empty() || !options.state.empty() || !options.outcome.empty();
  if (context.arguments.empty() && !selects) {
    return UsageError(
        "no URL is named; name URLs, a file with one URL per line or - for standard input, or write --prefix, --state "
        "or --outcome");
  }
  std::optional<OpenSeeds> lists;
  if (!context.arguments.empty()) {
    ARROW_ASSIGN_OR_RAISE(OpenSeeds opened, OpenSeeds::Open(context));
    lists.emplace(std::move(opened));
  }
  const NamedUrls named = {lists ? lists->parts() : SeedParts()};
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(order.selection,
                        ReadSelection(options.prefix, options.state, options.outcome, crawl->normal_form()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  JobResult result;
  if (named.IsAny() || context.arguments.empty()) {
    if (options.dry_run) {
      result.snapshot = crawl->manifest().number;
      ARROW_ASSIGN_OR_RAISE(const ScoringOptions scoring, ReadScoringOptions(context));
      ARROW_ASSIGN_OR_RAISE(result.output, CountSetUrls(crawl->store(), crawl->manifest(), named, order, scoring,
                                                        context.global.now_ms, context.process.stop));
    } else {
      Store* const inputs = job.runner == RunnerKind::kLocal ? nullptr : crawl->store();
      ARROW_ASSIGN_OR_RAISE(result,
                            crawl->Run(context, SetUrlsRequest({named, order, job, context.global.threads, inputs})));
    }
  }
  Json json = SummaryOf(result);
  for (const char* name : {"matched", "put_back", "dropped", "not_selected", "not_known", "bad"}) {
    json.emplace(name, 0);
  }
  json["changed"] = result.output.counters.Get("changed");
  json["dry_run"] = options.dry_run;
  json["samples"] = ToJson(result.output.samples);
  ARROW_RETURN_NOT_OK(context.Conclude(json, Readable(result, options.dry_run), NotesOf(result, order.change)));
  const bool has_only_bad = result.output.counters.Get("bad") > 0 && result.output.counters.Get("matched") == 0 &&
                            result.output.counters.Get("not_known") == 0;
  return has_only_bad ? kExitFailed : kExitDone;
}

}  // namespace

Verb UrlsSetVerb() {
  return {
      .name = "urls set",
      .summary = "retry or drop URLs, set when they are due and their score",
      .purpose = VerbPurpose::kSteer,
      .arguments = "[URL…]",
      .most_arguments = kAnyNumber,
      .description =
          "URL is a URL, a file with one URL per line, or - for standard input. Without URLs, all that --prefix, "
          "--state and --outcome select; with them, those of the named ones. Only URLs that the crawl knows change. "
          "What is set counts from the next generate on, and stays whatever links and rounds say.",
      .examples = {{"Fetch a page in the next round", "trawl urls set https://www.example.com/news --due now"},
                   {"After adding --fetch.allow_private", "trawl urls set --outcome address_refused --retry"},
                   {"Never again, whatever links to it",
                    "trawl urls set --prefix https://www.example.com/calendar/ --drop"},
                   {"Every hour, and first", "trawl urls set https://www.example.com/ --interval 1h --tier high"}},
      .groups = {&SetOptionGroup()},
      .other_groups = {&RefreshOptionGroup(), &SitemapOptionGroup(), &JobOptionGroup()},
      .run = RunUrlsSet};
}

}  // namespace trawl
