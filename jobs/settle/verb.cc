// trawl settle: says of each page which other one stands for it. jobs/settle/settle.h has the work.
#include <string>

#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/settle/settle.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;

namespace {

struct SettleVerbOptions {
  bool all = false;
};

const OptionGroup<SettleVerbOptions>& SettleVerbOptionGroup() {
  static const auto group =
      OptionGroup<SettleVerbOptions>("wish", "What is decided")
          .Bool("all", &SettleVerbOptions::all, "decide every page anew, as if nothing had been settled before")
          .Main();
  return group;
}

Json JsonOf(const Settled& settled) {
  Json json = ToJson(settled.counters);
  json.update({{"job", settled.job},
               {"changed", settled.changed},
               {"snapshot", settled.snapshot},
               {"seconds", settled.seconds},
               {"all", settled.all},
               {"pages", settled.pages},
               {"exact", settled.exact},
               {"near", settled.near},
               {"cleared", settled.cleared},
               {"bytes_saved", settled.bytes_saved}});
  return json;
}

std::string TextOf(const Settled& settled) {
  if (settled.job.empty()) return "nothing has changed since the last settle\n";
  std::string text = ReadableCount(settled.pages, "page") + " compared";
  if (settled.all) text += ", all anew";
  text += ": " + ReadableCount(settled.exact) + " newly equal to another, " + ReadableCount(settled.near) +
          " newly near another, " + ReadableCount(settled.cleared) + " no longer either\n";
  if (settled.bytes_saved > 0) {
    text += ReadableSize(settled.bytes_saved) + " of bodies are the same as those of other pages\n";
  }
  return text + "snapshot " + std::to_string(settled.snapshot) + "\n";
}

Result<int> RunSettle(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const SettleVerbOptions options, context.Read(SettleVerbOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  const auto run = [&](const JobRequest& request) { return crawl->Run(context, request); };
  ARROW_ASSIGN_OR_RAISE(const Settled settled, Settle(crawl->store(), context.options.texts(), {.all = options.all},
                                                      context.process.stop, run));
  ARROW_RETURN_NOT_OK(context.Summarize(JsonOf(settled), TextOf(settled)));
  return kExitDone;
}

}  // namespace

Verb SettleVerb() {
  return {.name = "settle",
          .summary = "find equal pages, and the one that counts",
          .purpose = VerbPurpose::kStep,
          .description =
              "Compares the pages that changed since the last settle with all pages of the crawl. Of pages whose "
              "cleaned content is equal, one stands for the others: those have the state duplicate, name it as "
              "duplicate_of, and are fetched again half as often. A page whose text is nearly that of another names it "
              "as near_duplicate_of. trawl crawl and trawl round settle after each round; type this after trawl "
              "updatedb. Nothing is fetched.",
          .examples = {{"After trawl updatedb", "trawl settle"},
                       {"Decide all near pages anew, in one order", "trawl settle --all"},
                       {"Find texts that differ a little more", "trawl settle --settle.distance 6"}},
          .groups = {&SettleVerbOptionGroup(), &SettleOptionGroup()},
          .other_groups = {&ScopeOptionGroup(), &JobOptionGroup()},
          .other_main_options = {"job.runner"},
          .run = RunSettle};
}

}  // namespace trawl
