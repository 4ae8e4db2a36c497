#include "jobs/widgets/running.h"

#include <utility>

#include "jobs/policy/advice.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

void AddPart(const Markup& part, Markup* text) {
  if (!text->empty()) *text += "; ";
  *text += part;
}

Markup Progress(int64_t done, int64_t left) {
  if (done + left <= 0) return {};
  return "<progress aria-label=\"URLs done\" max=\"" + Text(std::to_string(done + left)) + "\" value=\"" +
         Text(std::to_string(done)) + "\"></progress>";
}

NoteKind KindOf(const std::string& worker_state) {
  return worker_state == "silent" ? NoteKind::kBad : worker_state == "active" ? NoteKind::kGood : NoteKind::kPlain;
}

// A machine is known by its name, or by the id of its boot and of its process namespace, of which the beginning is enough.
std::string ShortMachine(const std::string& machine) {
  constexpr size_t kShownId = 8, kIdSize = 36;
  const std::string name = machine.substr(0, machine.find(" pid:"));
  const bool is_id = name.size() == kIdSize && name[8] == '-' && name[13] == '-' && name[18] == '-';
  return is_id ? name.substr(0, kShownId) : name;
}

// The words for a step that runs.
Markup DoingText(const std::string& state) {
  if (state == "generate") return "Choosing the URLs of the next round (generate)";
  if (state == "fetch") return "Fetching";
  if (state == "parse") return "Reading the fetched pages (parse)";
  if (state == "updatedb") return "Applying the round (updatedb)";
  if (state == "settle") return "Looking for duplicates (settle)";
  return "Running " + Text(state);
}

Markup IdleText(const Json& status, const std::string& root, TimeMs now_ms) {
  const int64_t due = CountAt(status, "due");
  if (due > 0) {
    return "<strong>Nothing runs.</strong> " + Counted(due, "URL") + (due == 1 ? Markup(" is") : Markup(" are")) +
           " due and wait for a round. A scheduler starts one, or <code>" + Text(WithRoot("trawl round", root)) +
           "</code>.";
  }
  const TimeMs next_ms = TimeAt(status, "next_due");
  Markup text = "<strong>Nothing runs, and nothing is due.</strong>";
  if (next_ms > 0 && next_ms != kNever) text += " The next URL is due " + AtWithAge(next_ms, now_ms) + ".";
  return text;
}

}  // namespace

Markup AgeNote(const Json& numbers) {
  if (!HasValue(numbers, "age_ms")) return {};
  return " <span class=\"quiet\">(as of " + Span(CountAt(numbers, "age_ms")) + " ago)</span>";
}

Markup WaitsText(const Json& waits) {
  Markup text;
  if (const int64_t active = CountAt(waits, "hosts_active"); active > 0) {
    AddPart(Counted(active, "host") + (active == 1 ? Markup(" is") : Markup(" are")) + " being asked", &text);
  }
  if (const int64_t delay = CountAt(waits, "wait_for_delay"); delay > 0) {
    AddPart(
        Counted(delay, "host") + (delay == 1 ? Markup(" waits") : Markup(" wait")) + " for the delay between requests",
        &text);
    if (const int64_t next_ms = CountAt(waits, "next_ms"); next_ms > 0)
      text += " (the next one in " + Span(next_ms) + ")";
  }
  if (const int64_t names = CountAt(waits, "wait_for_names"); names > 0) {
    AddPart(Counted(names, "host") + (names == 1 ? Markup(" waits") : Markup(" wait")) + " for DNS", &text);
  }
  if (const int64_t servers = CountAt(waits, "wait_for_servers"); servers > 0) {
    AddPart(Counted(servers, "request") + (servers == 1 ? Markup(" waits") : Markup(" wait")) + " for a slow server",
            &text);
  }
  if (const int64_t disk = CountAt(waits, "waits_for_disk"); disk > 0) {
    AddPart(Counted(disk, "list") + (disk == 1 ? Markup(" waits") : Markup(" wait")) + " for the store", &text);
  }
  if (const int64_t attempt = CountAt(waits, "waits_for_attempt"); attempt > 0) {
    AddPart(Counted(attempt, "list") + (attempt == 1 ? Markup(" waits") : Markup(" wait")) +
                " for another attempt to give it up or to finish it",
            &text);
  }
  return text;
}

Markup NowText(const Json& status, const std::string& root, TimeMs now_ms) {
  const std::string state = TextAt(status, "state");
  if (state.empty() || state == "idle") return "<p class=\"lead\">" + IdleText(status, root, now_ms) + "</p>\n";
  Markup text = "<strong>" + DoingText(state) + ".</strong>";
  const std::string segment = TextAt(status, "segment");
  if (!segment.empty()) text += " Round " + SegmentLink(segment) + ".";
  const int64_t settled = CountAt(status, "settled"), left = CountAt(status, "left");
  if (state == "fetch" && settled + left > 0) {
    text += " " + Number(settled) + " of " + Counted(settled + left, "URL") + " done, " + Number(left) + " left.";
  }
  Markup page = "<p class=\"lead\">" + text + "</p>\n";
  if (state != "fetch") return page;
  page += Progress(settled, left);
  const Json& waits = MemberAt(status, "waits");
  const Markup waiting = WaitsText(waits);
  if (!waiting.empty()) page += "<p><strong>It waits for:</strong> " + waiting + "." + AgeNote(waits) + "</p>\n";
  return page;
}

Markup HoldCounts(const Json& status) {
  static constexpr std::pair<const char*, std::string_view> kKinds[] = {
      {"blocked", "blocked by the operator"},
      {"breaker_open", "with an open breaker, after failures in a row"},
      {"throttled", "asked to be left alone for a while"},
      {"dead_host", "where nobody is there"},
      {"robots_deferred", "whose robots.txt is awaited"},
      {"day_is_full", "that had all pages of their day"},
      {"host_is_full", "that had all their pages"},
      {"slow", "slow"},
      {"suspected_trap", "suspected traps"}};
  const Json& holds = MemberAt(status, "holds");
  Markup list;
  for (const auto& [name, words] : kKinds) {
    if (CountAt(holds, name) > 0)
      list += "<li><strong>" + Number(CountAt(holds, name)) + "</strong> " + Text(words) + "</li>\n";
  }
  return list.empty() ? Markup() : "<ul>\n" + list + "</ul>\n";
}

Markup RunningTable(const Json& status, TimeMs now_ms) {
  HtmlTable table("Rounds that are not applied yet", {{"Round"},
                                                      {"State"},
                                                      {"Opened"},
                                                      {"Lists done", ColumnKind::kNumber},
                                                      {"URLs done", ColumnKind::kNumber},
                                                      {"Left", ColumnKind::kNumber},
                                                      {"Holds its domains until"}});
  for (const Json& segment : ListAt(status, "segments")) {
    const std::string state = TextAt(segment, "state");
    const int64_t settled = CountAt(segment, "settled"), left = CountAt(segment, "left");
    table.Add({SegmentLink(TextAt(segment, "segment")),
               Badge(state == "expired" ? NoteKind::kBad : NoteKind::kPlain, state),
               {AtWithAge(TimeAt(segment, "opened"), now_ms), TimeAt(segment, "opened")},
               {Number(CountAt(segment, "lists_done")) + " of " + Number(CountAt(segment, "lists")),
                CountAt(segment, "lists_done")},
               {Number(settled), settled},
               {Number(left), left},
               {AtWithAge(TimeAt(segment, "until"), now_ms), TimeAt(segment, "until")}});
  }
  return table.rows() == 0 ? Markup() : table.Finish("running-table", "");
}

Markup WorkersTable(const Json& workers, const std::string& segment, TimeMs now_ms) {
  HtmlTable table("Attempts to fetch a list, as their last part said it", {{"List"},
                                                                           {"State"},
                                                                           {"Machine"},
                                                                           {"Round"},
                                                                           {"Since"},
                                                                           {"Last sign"},
                                                                           {"Pages", ColumnKind::kNumber},
                                                                           {"Pages/s", ColumnKind::kNumber},
                                                                           {"Done", ColumnKind::kNumber},
                                                                           {"Left", ColumnKind::kNumber}});
  for (const Json& worker : ListAt(workers, "workers")) {
    if (!segment.empty() && TextAt(worker, "segment") != segment) continue;
    const std::string state = TextAt(worker, "state");
    const double rate = NumberAt(worker, "pages_per_sec");
    const TimeMs seen_ms = TimeAt(worker, "last_seen_at");
    table.Add(
        {{Number(CountAt(worker, "task")), CountAt(worker, "task")},
         Badge(KindOf(state), state),
         Foreign(ShortMachine(TextAt(worker, "machine"))) + " <small class=\"quiet\">process " +
             Text(Readable(MemberAt(worker, "pid"))) + "</small>",
         SegmentLink(TextAt(worker, "segment")),
         {At(TimeAt(worker, "since")), TimeAt(worker, "since")},
         {Span(HasValue(worker, "age_ms") ? CountAt(worker, "age_ms") : now_ms - seen_ms) + " ago", seen_ms},
         {Number(CountAt(worker, "pages")), CountAt(worker, "pages")},
         {Decimal(rate, 1), static_cast<int64_t>(rate * 1000)},
         {HasValue(worker, "settled") ? Number(CountAt(worker, "settled")) : Markup("–"), CountAt(worker, "settled")},
         {HasValue(worker, "left") ? Number(CountAt(worker, "left")) : Markup("–"), CountAt(worker, "left")}},
        state == "silent" ? NoteKind::kBad : NoteKind::kPlain);
  }
  return table.Finish("workers-table", "No fetch has a worker now.");
}

}  // namespace trawl
