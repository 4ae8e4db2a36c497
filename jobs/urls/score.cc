// trawl score: takes scores of URLs from outside. The work is that of jobs/urls/score_urls.h.
#include <string>

#include "jobs/inject/open_seeds.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/urls/score_urls.h"
#include "jobs/verb/crawl.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct ScoreOptions {
  bool take_back = false;
};

const OptionGroup<ScoreOptions>& ScoreOptionGroup() {
  static const auto group =
      OptionGroup<ScoreOptions>("score", "What is done with the scores")
          .Bool("take_back", &ScoreOptions::take_back, "let links, host and sitemap decide again; lines need no score")
          .AllMain();
  return group;
}

std::string Readable(const JobResult& result, bool take_back) {
  const Counters& counters = result.output.counters;
  std::string text = ReadableCount(counters.Get("matched"), "URL") + (take_back ? " named, " : " scored, ") +
                     ReadableCount(counters.Get("changed")) + " changed";
  const auto add = [&](const char* name, const std::string& words) {
    if (counters.Get(name) > 0) text += ", " + words;
  };
  add("dropped", ReadableCount(counters.Get("dropped")) + " dropped and left so");
  add("not_known", ReadableCount(counters.Get("not_known")) + " not in the crawl");
  add("repeated", ReadableCount(counters.Get("repeated"), "line") + " for a URL of a later line");
  add("bad", ReadableCount(counters.Get("bad"), "bad line"));
  if (result.changed) text += "; snapshot " + std::to_string(result.snapshot);
  return text + "\n";
}

std::string NotesOf(const JobResult& result) {
  std::string notes;
  for (const Sample& sample : result.output.samples.samples()) notes += "  " + sample.Readable() + "\n";
  const Counters& counters = result.output.counters;
  const int64_t unseen =
      counters.Get("bad") + counters.Get("not_known") - static_cast<int64_t>(result.output.samples.samples().size());
  if (unseen > 0) notes += "  and " + ReadableCount(unseen) + " more\n";
  return notes;
}

Result<int> RunScore(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const ScoreOptions options, context.Read(ScoreOptionGroup()));
  if (context.arguments.empty()) {
    return UsageError("no scores are given; name a file with lines URL SCORE, or - for standard input");
  }
  ARROW_ASSIGN_OR_RAISE(const OpenSeeds lists, OpenSeeds::Open(context));
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  JobResult result;
  if (!lists.parts().parts.empty()) {
    Store* const inputs = job.runner == RunnerKind::kLocal ? nullptr : crawl->store();
    ARROW_ASSIGN_OR_RAISE(result,
                          crawl->Run(context, ScoreUrlsRequest({lists.parts(), job, options.take_back, inputs})));
  }
  Json json = SummaryOf(result);
  for (const char* name : {"matched", "dropped", "not_known", "repeated", "bad"}) json.emplace(name, 0);
  json["changed"] = result.output.counters.Get("changed");
  json["samples"] = ToJson(result.output.samples);
  ARROW_RETURN_NOT_OK(context.Conclude(json, Readable(result, options.take_back), NotesOf(result)));
  const Counters& counters = result.output.counters;
  const bool has_only_bad = counters.Get("bad") > 0 && counters.Get("matched") == 0 && counters.Get("not_known") == 0;
  return has_only_bad ? kExitFailed : kExitDone;
}

}  // namespace

Verb ScoreVerb() {
  return {
      .name = "score",
      .summary = "take scores of URLs from a file",
      .purpose = VerbPurpose::kSteer,
      .arguments = "FILE…",
      .most_arguments = kAnyNumber,
      .description =
          "FILE has one URL or key per line, blanks, and its score from 0 to 1; - is standard input. Only URLs that "
          "the "
          "crawl knows change, all of them in one snapshot. Such a score stays, whatever links and rounds say, until "
          "--take_back or trawl urls set --score rule takes it back. Of two lines for one URL the later one counts. "
          "Lines "
          "that make no sense are counted, and some are shown.",
      .examples = {{"Scores that a model has learned", "trawl score scores.txt"},
                   {"From a program", "rank-pages | trawl score -"},
                   {"As links say again", "trawl score scores.txt --take_back"}},
      .groups = {&ScoreOptionGroup()},
      .other_groups = {&RefreshOptionGroup(), &SitemapOptionGroup(), &JobOptionGroup()},
      .run = RunScore};
}

}  // namespace trawl
