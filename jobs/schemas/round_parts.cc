// The numbers of fetches and rounds, and what runs now.
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kRoundParts[] = R"text(
part ranges = [object]
  le     integer?  The upper bound of the range; null: none.
  count  integer   What lies in it.

part reasons = [object]
  reason    text     The outcome with its detail.
  count     integer  How often.
  example+  text?    A URL of them.

part rules = [object]
  rule      text     The line.
  count     integer  How often.
  example+  text?    A URL of them.

part holds
  blocked          integer  Hosts that the operator blocked.
  breaker_open     integer  Hosts whose breaker is open, after failures.
  throttled        integer  Hosts that asked to be left alone for a while.
  slow             integer  Hosts that are among the slow ones.
  suspected_trap   integer  Hosts that look like a trap.
  blocked_domains  integer  Registrable domains that the operator blocked.

part response
  average  number   Mean, in milliseconds.
  p50      integer  Half of them came within these milliseconds.
  p90+     integer  Nine of ten came within these milliseconds.
  p99      integer  99 of 100 came within these milliseconds.
  sum+     integer  Sum of all, in milliseconds.
  ranges+  =ranges  Answers by milliseconds.

part robots-numbers
  denied             integer   URLs that a rule denied.
  deferred           integer   URLs that wait for a robots.txt.
  unreachable_hosts  integer   Hosts whose robots.txt could not be read.
  rules              =rules    The lines that denied most.

part fetch-numbers
  pages           integer          Pages stored.
  fetched         integer          Requests for pages.
  statuses        {integer}        Answers by their HTTP status.
  outcomes        {integer}        URLs by what came of them.
  bytes           integer          Bytes of bodies, decoded.
  wire_bytes      integer          Bytes of bodies as they were sent.
  success_rate    number           Share of requests that succeeded, from 0 to 1.
  duplicate_rate  number           Share of pages equal to another one, from 0 to 1.
  response_ms     =response        Times of answers.
  answered        object?          When answers came; null without any.
    first_ms   integer  When the first hundredth had come.
    median_ms  integer  When half had come.
  top_errors      =reasons         The most frequent failures.
  hosts+          integer          Hosts that were asked.
  slowest_hosts   [object]         The hosts with the slowest answers.
    host        text     Its name.
    average_ms  integer  Mean time of its answers.
    answers     integer  Its answers.
  failing_hosts+  [object]         The hosts that failed most.
    host      text     Its name.
    failures  integer  Requests that failed.
    requests  integer  Requests in all.
  types+          {integer}        Stored bodies by media type.
  sizes+          =ranges          Stored bodies by bytes.
  truncated+      {integer}        Stored bodies that are not whole, by the reason.
  robots+         =robots-numbers  What robots.txt files kept away.

part fetch-rates
  &fetch-numbers
  pages_per_second~  number  Pages stored per second of fetch.
  bytes_per_second~  number  Bytes received per second of fetch.

part outlook
  due       integer   URLs that are due.
  held      [object]  What holds those back that are due and were not taken.
    why    text     What holds them back.
    urls   integer  How many.
    until  time?    When the first can be asked for; null: not by itself.
  next_due  time?     When something can be fetched next; null: never.

part classes = {object}
  longest_ms     integer    The longest interval of the class.
  refreshed      integer    Pages fetched again.
  within_window  integer    Those of them that were in time.
  age_ms         object     Age of its pages.
    p50  integer  Half are younger.
    p95  integer  95 of 100 are younger.
  ages           {integer}  Pages by age: numbers of ranges, each by a seventh longer than the one before.

part totals
  states             {integer}  URLs by their state.
  bodies             integer    URLs with a stored body.
  rounds             integer    Rounds that were applied.
  requests           integer    Requests for pages, ever.
  pages              integer    Pages stored, ever.
  bytes              integer    Bytes of bodies, decoded, ever.
  wire_bytes         integer    Bytes of bodies as they were sent, ever.
  exact_duplicates+  integer    URLs with equal content for which another stands.
  near_duplicates+   integer    URLs with nearly equal text for which another stands.
  shared_bytes+      integer    Bytes of bodies that were not stored a second time.

part duplicates
  exact        integer  URLs with equal content for which another stands.
  near         integer  URLs with nearly equal text for which another stands.
  bytes_saved  integer  Bytes of bodies that were not stored a second time.

part duplicates-of-round
  &duplicates
  shared~        integer  Bodies of this round that its lists had already.
  shared_bytes~  integer  Their bytes.

part filters
  files                integer  Filters that were measured.
  bytes                integer  Their bytes.
  false_positive_rate  number?  Share of unknown keys that they let through; null where there are no filters.

part minutes
  step_ms  integer      Time from one row to the next.
  rows     [[integer]]  [time in ms, pages, bytes, requests, errors] each.

part lag = object?
  median  integer  Of half of the answers.
  p99     integer  Of the first hundredth of the answers.

part used
  processes              integer  Processes that fetched.
  seconds                number   How long they ran.
  cpu_seconds            number   Processor time.
  cpu_share              number   Share of all processors, from 0 to 1.
  disk_read_bytes        integer  Bytes read from disks.
  disk_written_bytes     integer  Bytes written to disks.
  disk_bytes_per_second  number   Both, per second.
  wire_bytes_per_second  number   Bytes received per second.

part dashboard
  pagesPerSecond           number?    Pages stored per second of fetch.
  bytesPerSecond           number?    Bytes received per second of fetch.
  frontierSize             integer?   URLs that were never fetched.
  uniqueDomainsInFrontier  integer?   Registrable domains of those.
  successRate              number?    Share of requests that succeeded, from 0 to 1.
  errorsByType             {integer}  Failures by their outcome.
  averageResponseTime      number?    Mean time of answers, in milliseconds.
  activeWorkers            integer    Fetch tasks that are at work.
  workerUtilization        number?    Share of the time that fetch tasks worked.
  totalPagesStored         integer?   URLs with a stored body.
  storageUsedGB            number?    Tables and segments, in 10^9 bytes.
  bloomFilterSize          integer?   Bytes of the Bloom filters.
  duplicateRate            number?    Share of pages equal to another one.

part taken-up = [object]
  segment  text     An unfinished segment that was gone on with.
  urls     integer  Its URLs.
  opened   time?    When its lists were made.

part failures = [object]
  url      text     What was asked for.
  outcome  text     What came of it.
  status   integer  The HTTP status; 0 without an answer.
  reason   text     The detail, in words.

part step
  job      text                The job.
  base+    integer?            The snapshot that it read.
  began    time?               When.
  seconds  number?             How long it took; null: killed before its report.
  runner+  (local|streaming)?  Where its tasks ran.
  runner_reason+  text?        Why there.

part politeness
  hosts           integer   Hosts that were asked.
  requests        integer   Requests to them.
  gaps            integer   Gaps between an answer and the next request to the host.
  violations      integer   Gaps that were shorter than the delay.
  smallest_ratio  number?   The smallest gap as a share of its delay.
  dots            [object]  Hosts with their smallest gaps, 200 at most.
    host      text     The host.
    requests  integer  Requests to it.
    gap_ms    integer  Its smallest gap.
    delay_ms  integer  The delay that was in force then.

part ever
  rounds      integer    Rounds up to this one.
  duplicates  integer    Pages equal to another one.
  outcomes    {integer}  URLs by what came of them.
  codes       {integer}  Answers by the class of their status.
  answers     object     Answers by time.
    within_ms  [integer]  Upper bounds of the ranges.
    counts     [integer]  Answers in each range; the last has no bound.
    sum_ms     integer    Sum of all times.

part reading
  policy        text      The rules by which links were judged.
  to_read       integer?  Pages that are to be read again under them; null: not counted.
  pages~        integer   Of a reading: pages that were read again.
  bodies_gone~  integer   Of a reading: pages without a body.

part stored
  tables   integer   Bytes of the tables.
  segment  integer   Bytes of the round's segment.
  free+    integer?  Bytes free on a local disk; null elsewhere.

part list-of-round
  list    integer  Its number.
  urls    integer  Its URLs.
  hosts   integer  Its hosts.
  ran_ms  integer  How long it was fetched.

part links-of-round
  found         integer    Links on pages that may enter.
  new           integer    Links to URLs that were not known.
  known         integer    Links to known URLs.
  out_of_scope  integer    Links out of the scope.
  refused       {integer}  Links that may not enter, by the rule.

part round
  format                integer               The major version of this document.
  kind+                 (round|reparse)       A round, or pages read again.
  reading+              =reading              What is to be read again under changed rules.
  segment               text                  Its segment.
  job                   text                  The updatedb that applied it.
  snapshot              integer               The snapshot that has it.
  applied               time                  When it was applied.
  ran_by+               object                Who applied it.
    machine  text  The machine that applied it.
    version  text  Trawl's version there.
  steps                 object                Its steps.
    generate~  =step  Chose the URLs; missing in a reading.
    fetch~     =step  Asked for them; missing in a reading.
    parse      =step  Read the bodies.
    updatedb   =step  Applied the outcome.
  lists                 [=list-of-round]      Its lists, the longest first, 1,000 at most.
  due                   integer?              URLs that were due when its lists were made.
  left_out              {integer}?            URLs that were due and not taken, by the reason.
  fetch                 =fetch-rates          What fetch met.
  used~                 =used?                What fetch used.
  minutes               =minutes              The fetch minute by minute.
  politeness+           =politeness?          How long hosts were left alone.
  languages+            {integer}?            Pages by language.
  answer_to_applied_ms  =lag                  Time from an answer to its application.
  links                 =links-of-round       The links of its pages.
  needs_js+             object                Pages without text unless scripts run.
    round  integer  Of this round.
    ever   integer  Of all rounds so far.
  urls_new              integer               URLs that became known.
  refreshed             integer               Pages fetched again.
  within_window         integer               Those of them that were in time.
  totals                =totals               Numbers of the whole crawl afterwards.
  duplicates+           =duplicates-of-round  Duplicates, before the settle that follows.
  frontier              integer               URLs that were never fetched, afterwards.
  storage               =stored               Bytes that are stored.
  filters               =filters              The Bloom filters of the newest files.
  ever+                 =ever                 Sums over all rounds up to this one.
  counters              object                What each step counted, by name.
    generate~  {integer}  Of generate.
    fetch~     {integer}  Of fetch.
    parse      {integer}  Of parse.
    updatedb   {integer}  Of updatedb.
  classes~              =classes              What each refresh class promised and kept.

part worker
  id            text                   The attempt.
  task          integer                The list that it works on.
  segment       text                   The segment.
  job           text                   The job.
  machine       text                   The machine's boot, and the namespace of its processes.
  pid           integer                The process.
  since         time                   When it began.
  last_seen_at  time                   Its last sign of life.
  lease_ms      integer                How long a sign of life counts.
  state         (active|silent|ended)  Whether it lives.
  age_ms        integer                Time since its last sign of life.

part live
  state          text      The step that runs, or idle.
  segment        text?     The segment that it works on.
  snapshot       integer   The newest snapshot.
  read_at        time      When that was read.
  pages_per_sec  number    Pages stored per second, of the last five minutes.
  rate           object    The rate of the last five minutes.
    over_ms        integer  The time that was measured; 0: nothing was.
    age_ms         integer  Age of the measure.
    pages_per_sec  number   Pages stored per second.
    bytes_per_sec  number   Bytes received per second.
    fetched        integer  Requests in that time.
    errors         integer  Those of them that failed.
  settled        integer   URLs that are done, of all open segments.
  left           integer   URLs that are left, of all open segments.
  waits          object    What hosts wait for.
    is_known           flag     Whether a fetch said so.
    hosts_active       integer  Hosts with a request in flight.
    wait_for_delay     integer  Hosts that wait for their delay.
    next_ms            integer  Time until the first of them may be asked.
    wait_for_names     integer  Hosts that wait for a name server.
    wait_for_servers   integer  Hosts that wait for an answer.
    waits_for_disk     integer  Tasks that wait for a disk.
    waits_for_attempt  integer  Tasks that wait for the end of another attempt.
    age_ms             integer  Age of these numbers.
  jobs           [object]  Jobs that run.
    job            text      Its id.
    verb           text      What it does.
    segment        text?     The segment that it works on.
    machine        text      Where its driver runs.
    pid            integer   The driver's process.
    is_on_cluster  flag      Whether its tasks run on a cluster.
    is_sure        flag      Whether its process is known to live.
    began          time      When.
    text           text?     What it does now, in words.
    age_ms         integer?  Age of that; null: it has said nothing yet.
  segments       [object]  Open segments.
    segment      text     Its id.
    state        (open|fetched|parsed|expired)  How far it is.
    opened       time     When its lists were made.
    until        time     Until when it holds its domains.
    lists        integer  Its lists.
    lists_begun  integer  Lists that were begun.
    lists_done   integer  Lists that are done.
    settled      integer  URLs that are done.
    left         integer  URLs that are left.
    most_left    integer  URLs left on the list with most of them.
    pages        integer  Pages stored.
    bytes        integer  Bytes of bodies, decoded.
    fetched      integer  Requests for pages.
    errors       integer  Requests that failed.
    age_ms       integer  Age of these numbers.
  workers        object    Fetch tasks, by whether they live.
    active  integer  At work.
    silent  integer  Without a sign of life for a lease.
    ended   integer  Done.
  is_whole       flag      Whether everything could be read.
  faults         [text]    What could not be read.
)text";

}  // namespace trawl
