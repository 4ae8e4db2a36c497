// The pages /workers, /jobs and /jobs/ID.
#include "jobs/web/pages.h"
#include "jobs/widgets/running.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

constexpr char kShown[] = "100";

NoteKind KindOf(const std::string& state) {
  if (state == "failed") return NoteKind::kBad;
  if (state == "running") return NoteKind::kGood;
  return state == "stopped" || state == "unfinished" || state == "to be taken up" ? NoteKind::kWarning
                                                                                  : NoteKind::kPlain;
}

// YARN's page of the job; it is another server of the operator's.
Markup Application(const Json& job) {
  const std::string id = TextAt(job, "application"), url = TextAt(job, "tracking_url");
  if (id.empty()) return {};
  const bool is_link = url.starts_with("http://") || url.starts_with("https://");
  const Markup name =
      is_link ? "<a href=\"" + Text(url) + "\" rel=\"noreferrer noopener\">" + Text(id) + "</a>" : Text(id);
  const std::string state = TextAt(job, "application_state");
  return name + (state.empty() ? Markup() : " " + Text(state));
}

Markup About(const PageCall& call, const Json& job) {
  Markup about = Application(job);
  const auto add = [&about](const Markup& part) {
    if (part.empty()) return;
    if (!about.empty()) about += "; ";
    about += part;
  };
  for (const char* const kind : {"maps", "reduces"}) {
    const Json& tasks = MemberAt(job, kind);
    if (tasks.is_array() && tasks.size() == 2)
      add(Text(kind) + " " + Text(Readable(tasks[0])) + " of " + Text(Readable(tasks[1])));
  }
  add(call.Said(TextAt(job, "reason")));
  if (HasValue(job, "live")) add(Text(TextAt(MemberAt(job, "live"), "text")));
  if (TextAt(job, "state") == "done" && HasValue(job, "changed") && !IsAt(job, "changed")) add("changed nothing");
  return about;
}

TimeMs BeganMs(const Json& job) {
  for (const char* const name : {"began", "now_ms"}) {
    if (const TimeMs at_ms = TimeAt(job, name); at_ms > 0) return at_ms;
  }
  return 0;
}

Markup TookText(const Json& job) {
  return HasValue(job, "seconds") ? Span(static_cast<int64_t>(NumberAt(job, "seconds") * 1000)) : Markup("–");
}

}  // namespace

namespace {

// Adds the members of /api/v1/workers/ID/stats to each. A worker may have ended since they were listed.
void AddStats(PageCall& call, Json* workers) {
  constexpr size_t kMost = 200;  // lists of an open round; each costs a look at values in memory
  size_t asked = 0;
  for (Json& worker : (*workers)["workers"]) {
    if (++asked > kMost) return;
    const SourceAnswer stats = call.Get("/api/v1/workers/" + PercentEncoded(TextAt(worker, "id")) + "/stats");
    if (!stats.ok() || !stats.value.is_object()) continue;
    for (const auto& [name, value] : stats.value.items()) {
      if (!worker.contains(name)) worker[name] = value;
    }
  }
}

}  // namespace

Json ReadWorkers(PageCall& call, Markup* missing) {
  Json workers = call.TryGet("/api/v1/workers", "The workers", missing);
  if (MemberAt(workers, "workers").is_array()) AddStats(call, &workers);
  return workers;
}

ServerAnswer WorkersPage(PageCall& call) {
  SourceAnswer found = call.Get("/api/v1/workers");
  if (!found.ok()) return ProblemPage(call, found);
  if (MemberAt(found.value, "workers").is_array()) AddStats(call, &found.value);
  PageFrame frame;
  frame.title = "Workers";
  frame.here = "/workers";
  frame.is_live = true;
  frame.heading = "Workers";
  frame.snapshot = CountAt(found.value, "snapshot");
  int64_t silent = 0;
  for (const Json& worker : ListAt(found.value, "workers")) silent += TextAt(worker, "state") == "silent" ? 1 : 0;
  if (silent > 0) {
    frame.body += Note(NoteKind::kBad,
                       Counted(silent, "worker") + (silent == 1 ? Markup(" has") : Markup(" have")) +
                           " given no sign for two leases. If its process is gone, the same fetch command goes on "
                           "from the last stored part.");
  }
  frame.body +=
      "<p class=\"lead\">A worker fetches one list of a round. It says what it did each time it closes a part, once a "
      "minute; "
      "so its numbers may be that old.</p>\n";
  frame.body += Section("workers", "Who holds which list", WorkersTable(found.value, "", call.context.now_ms));
  return PageAnswer(call.context, frame);
}

ServerAnswer JobsPage(PageCall& call) {
  const SourceAnswer found = call.Get(std::string("/api/v1/jobs?limit=") + kShown);
  if (!found.ok()) return ProblemPage(call, found);
  PageFrame frame;
  frame.title = "Jobs";
  frame.here = "/jobs";
  frame.is_live = true;
  frame.heading = "Jobs";
  frame.snapshot = CountAt(found.value, "snapshot");
  HtmlTable table("The last jobs, the newest first", {{"Job"},
                                                      {"State"},
                                                      {"Began"},
                                                      {"Took", ColumnKind::kNumber},
                                                      {"Snapshot", ColumnKind::kNumber},
                                                      {"About", ColumnKind::kLong}});
  for (const Json& job : ListAt(found.value, "jobs")) {
    const std::string id = TextAt(job, "job"), state = TextAt(job, "state");
    const Markup snapshot = IsAt(job, "changed") ? Number(CountAt(job, "snapshot")) : Markup("–");
    table.Add({Link("/jobs/" + PercentEncoded(id), Id(id)),
               Badge(KindOf(state), state),
               {At(BeganMs(job)), BeganMs(job)},
               {TookText(job), static_cast<int64_t>(NumberAt(job, "seconds") * 1000)},
               {snapshot, IsAt(job, "changed") ? CountAt(job, "snapshot") : 0},
               About(call, job)},
              state == "failed" ? NoteKind::kBad : NoteKind::kPlain);
  }
  frame.body = Section("jobs", "What ran on the crawl", table.Finish("jobs-table", "No job has run yet."));
  return PageAnswer(call.context, frame);
}

ServerAnswer JobPage(PageCall& call) {
  const std::string id = call.path[1];
  const SourceAnswer found = call.Get("/api/v1/jobs/" + PercentEncoded(id));
  if (!found.ok()) return ProblemPage(call, found);
  const Json& job = found.value;
  PageFrame frame;
  frame.title = "Job " + id;
  frame.here = "/jobs";
  frame.heading = "Job " + Text(id);
  const std::string state = TextAt(job, "state");
  frame.is_live = state == "running";
  FactList facts;
  facts.Add("State", Badge(KindOf(state), state));
  facts.Add("Verb", Text(TextAt(job, "verb")));
  facts.Add("Began", AtWithAge(BeganMs(job), call.context.now_ms));
  facts.Add("Took", TookText(job));
  if (IsAt(job, "changed")) facts.Add("Published snapshot", Number(CountAt(job, "job_snapshot")));
  facts.Add("About", About(call, job));
  if (HasValue(job, "live_age_ms")) facts.Add("As of", Span(CountAt(job, "live_age_ms")) + " ago");
  frame.body = Section("about", "About", facts.Finish());
  HtmlTable counters("What it counted", {{"Counter"}, {"Count", ColumnKind::kNumber}});
  const Json& counts = MemberAt(job, "counters");
  if (counts.is_object()) {
    for (const auto& [name, count] : counts.items()) {
      if (count.is_number()) counters.Add({Foreign(name), {Number(count.get<int64_t>()), count.get<int64_t>()}});
    }
  }
  frame.body += Section("counters", "Counters", counters.Finish("counters-table", "It has not counted anything."));
  return PageAnswer(call.context, frame);
}

}  // namespace trawl
