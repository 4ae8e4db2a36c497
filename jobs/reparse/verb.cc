// trawl reparse: reads stored pages again, without a request. jobs/reparse/reparse.h has the work.
#include <algorithm>
#include <map>
#include <string>

#include "jobs/parse/parse.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/reparse/reparse.h"
#include "jobs/reparse/trial.h"
#include "jobs/segment/choice.h"
#include "jobs/verb/crawl.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Json JsonOf(const Reading& reading, double seconds) {
  Json json = ToJson(reading.counters);
  json.update({{"changed", reading.changed},
               {"snapshot", reading.snapshot},
               {"segment", reading.segment.empty() ? Json() : Json(reading.segment)},
               {"pages", reading.pages},
               {"failed", reading.failed},
               {"links", reading.links},
               {"urls_new", reading.urls_new},
               {"late", reading.late},
               {"bodies_gone", reading.gone},
               {"left", reading.left ? Json(*reading.left) : Json()},
               {"seconds", seconds}});
  return json;
}

std::string GoneText(int64_t gone) {
  if (gone == 0) return "";
  return ReadableCount(gone, "page") + " cannot be read again: the body was removed (trawl gc --bodies_older_than)\n";
}

std::string TextOf(const Reading& reading) {
  if (reading.segment.empty()) {
    return GoneText(reading.gone) + "no stored page is to be read again; --all reads every one\n";
  }
  if (!reading.changed) return "segment " + reading.segment + " is already applied\n";
  std::string text = ReadableCount(reading.pages, "page") + " read again, " + ReadableCount(reading.links, "link") +
                     " within the scope, " + ReadableCount(reading.urls_new, "new URL");
  if (reading.failed > 0) text += ", " + ReadableCount(reading.failed) + " could not be read";
  if (reading.late > 0) text += ", " + ReadableCount(reading.late) + " fetched again meanwhile";
  text += "\n" + GoneText(reading.gone);
  return text + "segment " + reading.segment + ", snapshot " + std::to_string(reading.snapshot) + "\n";
}

std::string ByRule(const std::map<std::string, int64_t>& counts) {
  std::string text;
  for (const auto& [rule, count] : counts) {
    text += (text.empty() ? "" : ", ") + ReadableCount(count) +
            (rule == "none" ? " that the settings take already" : " by " + rule);
  }
  return text;
}

std::string TextOf(const Trial& trial) {
  int64_t leave_out = 0;
  for (const auto& [rule, count] : trial.leave_out) leave_out += count;
  std::string text = ReadableCount(trial.pages, "page") + " would be read again, and " +
                     ReadableCount(trial.urls_new, "new URL") + " would come in";
  if (!trial.let_in.empty()) text += "; kept out today: " + ByRule(trial.let_in);
  text += "\n" + ReadableCount(leave_out, "known URL") + " would not be asked for any more";
  if (!trial.leave_out.empty()) text += ": " + ByRule(trial.leave_out);
  return text + "\n" + GoneText(trial.gone) + "nothing was changed; trawl config set NAME=VALUE sets a rule\n";
}

// Reads until nothing is left: a reading may bring stored pages nearer to a seed, and then their links come nearer, too.
Result<Reading> ReadAll(VerbContext& context, Store* store, ReadingRequest request, const RunJobHere& run) {
  Reading all;
  for (bool is_first = true;; is_first = false) {
    ARROW_ASSIGN_OR_RAISE(const Reading reading,
                          ReadAgain(store, context.options.texts(), request, context.process.stop, run));
    if (all.segment.empty()) all.segment = reading.segment;
    all.changed = all.changed || reading.changed;
    all.snapshot = reading.snapshot;
    all.pages += reading.pages;
    all.failed += reading.failed;
    all.links += reading.links;
    all.urls_new += reading.urls_new;
    all.late += reading.late;
    all.gone = std::max(all.gone, reading.gone);
    all.left = reading.left;
    all.counters.Merge(reading.counters);
    const bool was_named_before = is_first && !request.segment.empty() && !reading.changed;
    if (reading.pages == 0 && !was_named_before) return all;
    request.segment.clear();
    request.all = false;
  }
}

Result<int> RunReparse(VerbContext& context) {
  const int64_t started_ms = context.process.clock.MonotonicMs();
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const ReparseOptions options, context.Read(ReparseOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SegmentOptions named, context.Read(SegmentOptionGroup()));
  if (!named.segment.empty() && !IsValidId(named.segment)) {
    return UsageError("--segment '", named.segment, "': an id has 1 to 100 letters, digits, '-', '_' and '.'");
  }
  ReadingRequest request = {.segment = named.segment, .prefix = options.prefix, .all = options.all};
  const RunJobHere run = [&](const JobRequest& job) { return crawl->Run(context, job); };
  const auto seconds = [&] { return static_cast<double>(context.process.clock.MonotonicMs() - started_ms) / 1000.0; };
  if (options.dry_run) {
    request.is_trial = true;
    ARROW_ASSIGN_OR_RAISE(const Trial trial, TryReading(crawl->store(), request, run));
    const Json json = {{"changed", false},
                       {"dry_run", true},
                       {"pages", trial.pages},
                       {"links", trial.links},
                       {"urls_new", trial.urls_new},
                       {"let_in", trial.let_in},
                       {"leave_out", trial.leave_out},
                       {"bodies_gone", trial.gone},
                       {"seconds", seconds()}};
    ARROW_RETURN_NOT_OK(context.Conclude(json, TextOf(trial), ""));
    return kExitDone;
  }
  ARROW_ASSIGN_OR_RAISE(const Reading reading, ReadAll(context, crawl->store(), request, run));
  ARROW_RETURN_NOT_OK(context.Summarize(JsonOf(reading, seconds()), TextOf(reading)));
  return kExitDone;
}

}  // namespace

Verb ReparseVerb() {
  return {
      .name = "reparse",
      .summary = "read stored pages again, after scope or rules changed",
      .purpose = VerbPurpose::kStep,
      .description =
          "Links are judged when a page is read. After the scope, the depth, the rules of URLs (urls.*) or the "
          "parser changed, this reads the stored bodies again that the change concerns, and takes the links that "
          "may enter now. It sends no request, and changes neither the state of a page nor when it is due. trawl "
          "crawl and trawl round do it by themselves, --reparse.pages a round.",
      .examples = {{"After trawl config set urls.depth=6", "trawl reparse"},
                   {"What a wider scope would bring, before it is set",
                    "trawl reparse --dry_run --urls.depth 6 --urls.scope domain"},
                   {"Every page of one part of a site", "trawl reparse --all --prefix https://www.example.com/docs/"}},
      .groups = {&ReparseOptionGroup(), &SegmentOptionGroup()},
      .other_groups = {&ScopeOptionGroup(), &ParseOptionGroup(), &FetchOptionGroup(), &RefreshOptionGroup(),
                       &SitemapOptionGroup(), &RobotsOptionGroup(), &SettleOptionGroup(), &JobOptionGroup()},
      .other_main_options = {"urls.scope", "urls.scope_rules", "urls.depth", "job.runner"},
      .run = RunReparse};
}

}  // namespace trawl
