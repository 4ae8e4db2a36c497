// Documents of roots (docs/storage.md).
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kRootDocuments[] = R"text(
part process
  machine  text     The machine's boot, and the namespace of its processes.
  pid      integer  The process.
  started  integer  When it started, in ticks since the boot.

part run-record
  format   integer          The major version of this document.
  table    text             The table.
  schema   integer          The version of the table's rows.
  job      text             The job that wrote it; the run has its id.
  rows     integer          Its rows.
  removed  integer          Those of them that are tombstones.
  digest   text             The logical digest of its rows.
  files    [=file-receipt]  Its files.

part gauge
  pages              integer  Pages stored.
  bytes              integer  Bytes of bodies, decoded.
  errors             integer  Requests that failed.
  settled            integer  URLs that are done.
  left               integer  URLs that are left.
  hosts_active       integer  Hosts with a request in flight.
  wait_for_delay     integer  Hosts that wait for their delay.
  next_ms            integer  Time until the first of them may be asked.
  wait_for_names     integer  Hosts that wait for a name server.
  wait_for_servers   integer  Hosts that wait for an answer.
  busy_percent       integer  Share of the time that its thread worked.
  waits_for_disk     integer  1 while it waits for a disk, else 0.
  waits_for_attempt  text     The attempt whose end it waits for; empty: none.

part manifest
  format           integer                 The major version of roots.
  number           integer                 The number of the snapshot.
  job              text                    The job that published it; empty for the first.
  verb             text                    What that job did.
  published_ms     integer                 When.
  previous         text                    The seal of the manifest before; empty for the first.
  url_policy       (strict|standard|fold)  The normal form of URLs.
  unicode          text                    The version of Unicode by which names of hosts are read.
  tables           {[object]}              The runs of each table, the oldest first.
    run       text     The id of the job that wrote it.
    rows      integer  Its rows.
    removed   integer  Those of them that are tombstones.
    bytes     integer  Bytes of its files.
    digest    text     The logical digest of its rows.
    seal      text     The seal of its record.
    settled~  true     Of urls: settle has seen its rows.
  open_segments    [object]                Segments that are open.
    id         text     The segment.
    opened_ms  integer  When its lists were made.
    until_ms   integer  Until when it holds its domains.
    job        text     The job that opened it.
    lists      text     The seal of the record of its lists.
  closed_segments  [object]                Segments that were closed.
    id         text     The segment.
    how        (applied|abandoned|expired)  How it ended.
    job        text     The job that opened it.
    lists      text     The seal of the record of its lists; empty: it had none.
    snapshot   integer  The snapshot that closed it.
    updatedb~  text     The job that applied it.
    round~     text     The seal of its round document.
  settings         {text}                  The settings of the crawl, as texts.
  totals+          =totals                 Numbers of the whole crawl.
  read_to+         {integer}               What settle, graph and reparse have read, by name.

part orders = [object]
  order        text  Its id.
  verb         text  What it asks for.
  name         text  The client's name for it: its Idempotency-Key.
  fingerprint  any   What tells it from another one of that name.
  counts       open  What it counted.

document manifest 1.1: snapshots/NUMBER.json
  A snapshot: the runs of each table, the segments, the settings.
  &seal
  &manifest

document run-record: crawldb/TABLE/RUN/_run.json
  A run of a table: its files.
  &seal
  &run-record

document run-records: crawldb/_runs/RUN/_run.json
  The small runs that one job wrote.
  &seal
  format  integer        The major version of this document.
  runs    [=run-record]  A record for each, without a seal.

document plan 2.1: jobs/ID/plan.json
  What a job decided before it started.
  &seal
  format            integer            The major version of this document.
  job               text               The job.
  verb              text               What it does.
  version           text               The version of Trawl that planned it.
  snapshot          integer            The snapshot that it reads.
  now_ms            integer            The time of it, by the clock of the command, or as --now says.
  planned_ms        integer            When it was planned, by the machine's clock.
  process           =process           The process that runs it.
  options           {text}             Its options, as texts.
  runner+           (local|streaming)  Where its tasks run, also when another command goes on with it.
  runner_reason+    text               Why there.
  outlives_driver+  flag               Whether a later command goes on with it when its process is dead.
  work+             object             What it was expected to do.
    bytes    integer  Bytes that its tasks read and write, as stored.
    wait_ms  integer  Time that passes while its tasks wait for others.
  facts             open               What its verb decided: of that version of Trawl alone.
  partitions        integer            Its reduce tasks.
  parts             [open]             The input of each map task: of that version of Trawl alone.

document job-report 1.1: jobs/ID/report.json
  What came of a job.
  &seal
  job                    text              The job.
  verb                   text              What it did.
  changed                flag              Whether it published something.
  snapshot               integer           The snapshot that it published, or read.
  now_ms                 integer           The time of it, by the clock of the command, or as --now says.
  seconds                number            How long it took.
  counters~              {integer}         What it counted, by name.
  lost~                  true              Another job published first: it was done again under the next id.
  tasks~                 integer           Its tasks.
  samples~               =samples          Some of the lines that make no sense.
  runs~                  {object}          The runs that it wrote, by table.
    rows     integer  Its rows.
    removed  integer  Those of them that are tombstones.
    bytes    integer  Bytes of its files.
    digest   text     The logical digest of its rows.
  orders~                =orders           The orders of a server's clients that it carried out.
  base+                  integer           The snapshot that it read.
  planned_ms+            integer           When it was planned, by the machine's clock.
  version+               text              The version of Trawl that planned it.
  options+               {text}            Its options, as texts.
  runner~                (local|streaming)  Where its tasks ran.
  runner_reason~         text              Why there.
  shuffle~               object            What its map tasks sent to its reduce tasks.
    records   integer  Records that were sent.
    combined  integer  Those of them that were folded into others on their way.
    bytes     integer  Bytes of the keys and values that came.
  due~                   integer           Of generate: URLs that were due.
  left_out~              {integer}         Of generate: URLs that were due and not taken, by the reason.
  fetch~                 =fetch-rates      Of fetch: what it met.
  used~                  =used             Of fetch: what it used.
  links~                 object / integer  Of updatedb: the links of its pages. Of graph: their number.
    found         integer    Links that may enter.
    new           integer    Links to URLs that were not known.
    known         integer    Links to known URLs.
    out_of_scope  integer    Links out of the scope.
    refused       {integer}  Links that may not enter, by the rule.
  answer_to_applied_ms~  =lag              Of updatedb: time from an answer to its application.
  frontier~              integer           Of updatedb: URLs that were never fetched.
  totals~                =totals           Of updatedb: numbers of the whole crawl.
  classes~               =classes          Of updatedb: what each refresh class promised and kept.
  duplicate_rate~        number            Of updatedb: share of pages equal to another one.
  of_snapshot~           integer           Of graph: the snapshot of which it is.
  hosts~                 integer           Of graph: its hosts.
  edges~                 integer           Of graph: pairs of hosts with a link.
  domain_edges~          integer           Of graph: pairs of domains with a link.
  linked_pages~          integer           Of graph: pages that links lead to.
  iterations~            integer           Of graph: iterations of PageRank.
  harmonic~              object            Of graph: how harmonic centrality was found.
    method  (exact|hyperball)  How it was found.
    steps   integer            Steps that it took.
    error   number             The standard error that is expected.
  pages~                 integer           Of graph and settle: pages that were looked at.
  all~                   flag              Of settle: whether everything was decided anew.
  exact~                 integer           Of settle: pages that point to another with equal content than before.
  near~                  integer           Of settle: pages that point to another with nearly equal text than before.
  cleared~               integer           Of settle: pages that stand for themselves again.
  bytes_saved~           integer           Of settle: bytes that are pointed to instead of stored.
  or
  &seal
  job      text     The job.
  verb     'crawl'  Of trawl crawl, what it answered.
  changed  flag     Whether it published something.
  now_ms   integer  The time of it, by the clock of the command, or as --now says.
  &crawl

document round-document 1.1: jobs/ID/round.json
  All about the round that an updatedb applied.
  &seal
  &round

document job-ended: jobs/ID/ended.json
  Why a job ended without a report.
  &seal
  job      text              The job.
  verb     text              What it did.
  state    (stopped|failed)  How it ended.
  reason~  text              Why it failed.
  seconds  number            How long it ran.

document job-live: jobs/ID/_live-NUMBER.json
  What a job that runs now is doing.
  &seal
  job      text       The job.
  at_ms    integer    When it said so, by the machine's clock.
  gauges   object?    What its fetch tasks do; null: it has none.
    &gauge
    pages_per_second  number   Pages stored per second.
    bytes_per_second  number   Bytes received per second.
    tasks             integer  Its tasks that said something.
  text     text       What it does now, in words.
  maps     [integer]  Map tasks that are done, and all.
  reduces  [integer]  Reduce tasks that are done, and all.
  rows     integer    Rows that its tasks wrote.

document attempt-entry 1.1: segments/ID/_attempts/TASK/NUMBER.json
  What an attempt of a fetch task says.
  &seal
  format      integer                The major version of this document.
  kind        (begin|part|beat|end)  What the attempt says.
  attempt     text                   The attempt.
  &process
  lease_ms    integer                How long the entry counts as a sign of life.
  at_ms       integer                When, by the machine's clock.
  lists_job~  text                   Of begin: the job that made the lists.
  files~      {[=file-receipt]}      Of part: its files, by dataset.
  counters~   {integer}              Of part: what was counted since the one before.
  done~       flag                   Of end: whether the list is done.
  gauges+     =gauge                 What the task does at that time.

document step-record: segments/ID/fetchlist/_JOB.json, fetch/_done.json, parse/_done.json
  A step of a segment that is done: its files.
  &seal
  segment   text                     The segment.
  step      (fetchlist|fetch|parse)  The step.
  job       text                     The job that did it.
  snapshot  integer                  The snapshot that it read.
  now_ms    integer                  The time of it, by the clock of the command, or as --now says.
  schemas   {integer}                The version of the rows of each dataset.
  counters  {integer}                What it counted, by name.
  tasks     [object]                 Its tasks, in order.
    files  {[=file-receipt]}  The files that it wrote, by dataset.
    facts  open               What the step tells of the task (docs/storage.md).
)text";

}  // namespace trawl
