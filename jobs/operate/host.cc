// trawl host: shows what is known of hosts and registrable domains, and sets what the operator decides about them. The job
// that changes rows is jobs/operate/host_job.h.
#include <algorithm>
#include <fstream>
#include <istream>
#include <optional>
#include <set>

#include "formats/rows/times.h"
#include "formats/url/key.h"
#include "jobs/operate/host_change.h"
#include "jobs/operate/host_job.h"
#include "jobs/operate/host_policy.h"
#include "jobs/operate/host_show.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A plan names every change, so there is an end to them.
constexpr size_t kMostChanges = 100'000;
constexpr size_t kMostBadLinesShown = 20;

struct HostOptions {
  std::vector<std::string> domains;
  std::string policy;
  bool skip_bad = false;
  bool block = false;
  std::string reason;
  bool unblock = false;
  int32_t delay_ms = 0;
  int32_t per_day = 0;
  int64_t pages = 0;
  bool usual = false;
  std::vector<std::string> clear;
  bool robots = false;
  bool patterns = false;
  bool suggest = false;
};

const OptionGroup<HostOptions>& HostOptionGroup() {
  static const auto group =
      OptionGroup<HostOptions>("host", "Which hosts, and what to change for them")
          .List("domain", &HostOptions::domains,
                "a registrable domain like example.com, for all its hosts, also those that come later; -: one per line "
                "of standard input",
                "DOMAIN")
          .Main()
          .String("policy", &HostOptions::policy,
                  "change what the lines of this file say, as one snapshot; -: standard input. A line: "
                  "host=www.example.com delay=5s pages_a_day=100 pages=1000",
                  "FILE")
          .Main()
          .Bool("skip_bad", &HostOptions::skip_bad,
                "leave out lines that make no sense; otherwise they are named and nothing is changed")
          .Bool("block", &HostOptions::block, "fetch nothing from it, from the next round on")
          .Main()
          .String("reason", &HostOptions::reason, "why; it is shown with what is decided")
          .Bool("unblock", &HostOptions::unblock, "fetch from it again")
          .Main()
          .Duration("delay_ms", &HostOptions::delay_ms,
                    "wait this long between two requests, whatever its robots.txt says; 0 is no wait",
                    Between(0, kDayMs))
          .Main()
          .Int("per_day", &HostOptions::per_day, "most pages per day; 0 applies the limit of all hosts", AtLeast(0))
          .Main()
          .Int("pages", &HostOptions::pages, "most pages in all; 0 applies the limit of all hosts", AtLeast(0))
          .Bool("usual", &HostOptions::usual, "undo delay_ms, per_day and pages")
          .List("clear", &HostOptions::clear, "forget that of what is held against it", HoldKinds())
          .Main()
          .Bool("robots", &HostOptions::robots,
                "show its robots.txt as stored, what became of the requests for it, and its breaker")
          .Bool("patterns", &HostOptions::patterns,
                "show what its pages yielded, by the pattern of their URLs, and how many of each a round may take")
          .Bool("suggest", &HostOptions::suggest,
                "show parameters that never change what a page holds, as lines for --urls.ignored_parameters")
          .Must([](const HostOptions& options) {
            if (options.block && options.unblock)
              return UsageError("--block and --unblock contradict each other; give one of them");
            if (options.robots + options.patterns + options.suggest > 1)
              return UsageError("--robots, --patterns and --suggest show different things; give one of them");
            return Status::OK();
          });
  return group;
}

// The change that the options ask for. A 0 counts if it was given.
Result<HostChange> ChangeOf(const VerbContext& context, const HostOptions& options) {
  const auto is_given = [&context](const char* name) {
    return context.options.SourceOf(name) != OptionSource::kDefault;
  };
  HostChange change;
  if (options.block || options.unblock) change.blocked = options.block;
  if (is_given("host.reason")) change.reason = options.reason;
  if (options.usual) {
    change.delay_ms = 0;
    change.pages_a_day = change.pages = 0;
  }
  if (is_given("host.delay_ms")) change.delay_ms = options.delay_ms == 0 ? -1 : options.delay_ms;
  if (is_given("host.per_day")) change.pages_a_day = options.per_day;
  if (is_given("host.pages")) change.pages = options.pages;
  change.clear = options.clear;
  if (is_given("host.clear") && change.clear.empty())
    return UsageError("--clear names nothing to forget; write breaker, trap, slow, throttle, patterns or all");
  if (change.reason && !change.IsAny())
    return UsageError("--reason alone changes nothing; give --block, --delay_ms, --per_day or --pages with it");
  return change;
}

// -- who is meant -----------------------------------------------------------------------------------------------------

// Collects what lines of a file or of standard input say, and what is wrong with some of them.
class LineReader {
 public:
  LineReader(VerbContext& context, bool skips_bad) : context_(context), skips_bad_(skips_bad) {}

  // Calls `take` for each line that says something.
  template <typename Take>
  Status Read(const std::string& name, Take&& take) {
    if (name == "-") return ReadFrom(context_.process.in, "standard input", take);
    std::ifstream file(name);
    if (!file) return UsageError("--policy: there is no file '", name, "' that can be read");
    return ReadFrom(file, name, take);
  }

  // Where lines were bad and are not to be skipped.
  Status Check() const {
    if (bad_ == 0 || skips_bad_) return Status::OK();
    return UsageError(ReadableCount(bad_, "line"), bad_ == 1 ? " makes" : " make",
                      " no sense, so nothing was changed; mend ", bad_ == 1 ? "it" : "them", ", or add --skip_bad");
  }
  int64_t bad() const { return bad_; }

 private:
  template <typename Take>
  Status ReadFrom(std::istream& in, const std::string& name, Take& take) {
    std::string line;
    for (int64_t number = 1; std::getline(in, line); ++number) {
      ARROW_RETURN_NOT_OK(context_.process.stop.Check());
      if (IsEmptyPolicy(line)) continue;
      const Status taken = take(line);
      if (taken.ok()) continue;
      if (KindOf(taken) != StatusKind::kUsage) return taken;
      if (++bad_ <= static_cast<int64_t>(kMostBadLinesShown)) {
        context_.process.err << name << ":" << number << ": " << taken.message() << "\n";
      }
    }
    return in.bad() ? Status::IOError(name, " cannot be read") : Status::OK();
  }

  VerbContext& context_;
  const bool skips_bad_;
  int64_t bad_ = 0;
};

std::string_view TrimmedWord(std::string_view line) {
  constexpr char kBlanks[] = " \t\r";
  const size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
  return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

// The hosts and domains that the command line and standard input name.
Result<std::vector<HostTarget>> TargetsOf(VerbContext& context, const HostOptions& options, NormalForm form,
                                          LineReader* lines) {
  std::vector<HostTarget> targets;
  const auto add = [&](const std::string& word, auto&& target_of) -> Status {
    ARROW_ASSIGN_OR_RAISE(targets.emplace_back(), target_of(word, form));
    return Status::OK();
  };
  const auto add_all = [&](const std::vector<std::string>& words, auto&& target_of) -> Status {
    for (const std::string& word : words) {
      if (word != "-") {
        ARROW_RETURN_NOT_OK(add(word, target_of));
        continue;
      }
      ARROW_RETURN_NOT_OK(
          lines->Read("-", [&](const std::string& line) { return add(std::string(TrimmedWord(line)), target_of); }));
    }
    return Status::OK();
  };
  ARROW_RETURN_NOT_OK(add_all(context.arguments, HostTargetOf));
  ARROW_RETURN_NOT_OK(add_all(options.domains, DomainTargetOf));
  return targets;
}

// -- showing ---------------------------------------------------------------------------------------------------------

const HostView* ViewOf(const HostOptions& options) {
  if (options.robots) return &kRobotsView;
  if (options.patterns) return &kPatternsView;
  return options.suggest ? &kSuggestView : nullptr;
}

// -- changing ---------------------------------------------------------------------------------------------------------

// Where the change decides something, that waits for a host that is not known yet.
bool Decides(const HostChange& change) {
  return change.blocked.value_or(false) || change.delay_ms.value_or(0) != 0 || change.pages_a_day.value_or(0) > 0 ||
         change.pages.value_or(0) > 0;
}

// What is said of hosts and domains that the crawl has not met.
std::string NotesOfUnknown(const JobResult& result, bool decides) {
  const int64_t unknown = result.output.counters.Get("unknown");
  if (unknown == 0) return "";
  std::string notes;
  for (const Sample& sample : result.output.samples.samples()) notes += "  " + sample.Readable() + "\n";
  const int64_t unseen = unknown - static_cast<int64_t>(result.output.samples.samples().size());
  if (unseen > 0) notes += "  and " + ReadableCount(unseen) + " more\n";
  return notes + (decides ? "  what was decided holds from their first appearance on\n" : "");
}

Result<int> ChangeTargets(VerbContext& context, Crawl& crawl, std::vector<HostPolicy> changes, int64_t bad) {
  if (changes.size() > kMostChanges)
    return UsageError(ReadableCount(static_cast<int64_t>(changes.size()), "change"),
                      " are too many for one command; give at most ", ReadableCount(kMostChanges));
  const bool changes_one = changes.size() == 1, is_domain = changes[0].target.is_domain;
  const bool decides =
      std::any_of(changes.begin(), changes.end(), [](const HostPolicy& policy) { return Decides(policy.change); });
  const std::string key = changes[0].target.key, name = changes_one ? changes[0].target.Name() : "";
  ARROW_ASSIGN_OR_RAISE(const JobResult result, crawl.Run(context, HostRequest(std::move(changes))));
  const int64_t matched = result.output.counters.Get("matched"), changed = result.output.counters.Get("rows_changed"),
                unknown = result.output.counters.Get("unknown");
  Json json = SummaryOf(result);
  if (changes_one) json[is_domain ? "domain" : "host"] = HostOfKey(key);
  json["bad_lines"] = bad;
  json["unknown"] = unknown;
  json["samples"] = ToJson(result.output.samples);
  std::string text = name + (result.changed ? ": changed" : ": unchanged");
  if (name.empty())
    text = ReadableCount(changed) + " changed, " + ReadableCount(matched - changed) + " were so already";
  if (unknown > 0) text += (name.empty() ? ", " + ReadableCount(unknown) : ",") + " not known yet";
  if (bad > 0) text += ", " + ReadableCount(bad, "bad line") + " left out";
  if (name.empty()) text += "; snapshot " + std::to_string(result.snapshot);
  ARROW_RETURN_NOT_OK(context.Summarize(json, text + "\n" + NotesOfUnknown(result, decides)));
  return kExitDone;
}

Status CheckDomainChange(const HostChange& change, const std::vector<HostTarget>& targets) {
  if (change.clear.empty()) return Status::OK();
  for (const HostTarget& target : targets) {
    if (target.is_domain)
      return UsageError("--clear is for hosts: breakers, traps and throttles are kept by host; name the host");
  }
  return Status::OK();
}

Result<int> RunPolicy(VerbContext& context, Crawl& crawl, const HostOptions& options) {
  std::vector<HostPolicy> changes;
  LineReader lines(context, options.skip_bad);
  ARROW_RETURN_NOT_OK(lines.Read(options.policy, [&](const std::string& line) -> Status {
    ARROW_ASSIGN_OR_RAISE(changes.emplace_back(), ParseHostPolicy(line, crawl.normal_form()));
    return Status::OK();
  }));
  ARROW_RETURN_NOT_OK(lines.Check());
  std::erase_if(changes, [](const HostPolicy& policy) { return policy.target.key.empty(); });
  if (changes.empty()) return UsageError("--policy ", options.policy, " has no line that changes something");
  return ChangeTargets(context, crawl, std::move(changes), lines.bad());
}

Result<int> RunHost(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const HostOptions options, context.Read(HostOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const HostChange change, ChangeOf(context, options));
  const bool names_some = !context.arguments.empty() || !options.domains.empty();
  if (!options.policy.empty()) {
    if (names_some || change.IsAny())
      return UsageError("--policy says everything by its lines; leave out hosts and other options");
    return RunPolicy(context, *crawl, options);
  }
  if (!names_some) return UsageError("name a host, --domain DOMAIN, --policy FILE, or - for hosts on standard input");
  LineReader lines(context, options.skip_bad);
  ARROW_ASSIGN_OR_RAISE(std::vector<HostTarget> targets, TargetsOf(context, options, crawl->normal_form(), &lines));
  ARROW_RETURN_NOT_OK(lines.Check());
  std::erase_if(targets, [](const HostTarget& target) { return target.key.empty(); });
  if (const HostView* const view = ViewOf(options); view != nullptr) {
    if (change.IsAny())
      return UsageError("--", view->option, " shows and changes nothing; leave the other options out");
    return ShowView(context, *crawl, *view, targets);
  }
  if (!change.IsAny()) return ShowTargets(context, *crawl, targets);
  ARROW_RETURN_NOT_OK(CheckDomainChange(change, targets));
  std::vector<HostPolicy> changes;
  for (HostTarget& target : targets) changes.push_back({std::move(target), change});
  if (changes.empty()) return UsageError("standard input names no host; write one per line");
  return ChangeTargets(context, *crawl, std::move(changes), lines.bad());
}

}  // namespace

Verb HostVerb() {
  return {
      .name = "host",
      .summary = "show hosts, block them, set their delay and limits",
      .purpose = VerbPurpose::kSteer,
      .arguments = "[HOST…|-]",
      .most_arguments = kAnyNumber,
      .description =
          "HOST is a host name, or a URL on that host; - reads one per line from standard input. Without an option "
          "that changes something, prints what is known; the exit code is 1 if the crawl does not know one of them. A "
          "change counts from the next generate on, and stays until it is undone; all hosts of one command change "
          "in one snapshot. --domain is about all hosts of a registrable domain together, also those that are found "
          "later.",
      .examples = {{"What is known about a host", "trawl host www.example.com"},
                   {"Fetch nothing from it any more",
                    "trawl host www.example.com --block --reason 'asked us to stay away'"},
                   {"At most 1,000 pages a day of a domain, whatever its hosts",
                    "trawl host --domain example.com --per_day 1000"},
                   {"Apply a policy of many lines", "trawl host --policy hosts.policy"}},
      .groups = {&HostOptionGroup()},
      .other_groups = {&JobOptionGroup()},
      .run = RunHost};
}

}  // namespace trawl
