// Answers about the crawl as a whole: its rounds, what runs, segments, snapshots, jobs, settings.
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kCrawlAnswers[] = R"text(
part round-in-brief
  segment        text              Its segment.
  snapshot       integer           The snapshot that has it.
  kind           (round|reparse)?  A round, or pages read again.
  applied_ms     integer?          When it was applied.
  seconds        object            How long each step took.
    generate~  number?  Of generate.
    fetch~     number?  Of fetch.
    parse~     number?  Of parse.
    updatedb~  number?  Of updatedb.
  pages          integer?          Pages stored.
  requests       integer?          Requests for pages.
  bytes          integer?          Bytes of bodies, decoded.
  outcomes       {integer}?        URLs by what came of them.
  states         {integer}?        URLs of the crawl by their state, afterwards.
  links          object            The links of its pages.
    new           integer?  To URLs that were not known.
    known         integer?  To known URLs.
    out_of_scope  integer?  Out of the scope.
  refreshed      integer?          Pages fetched again.
  within_window  integer?          Those of them that were in time.
  storage        object            Bytes that are stored.
    tables   integer?  Bytes of the tables.
    segment  integer?  Bytes of its segment.

part present
  urls         integer      URLs that the crawl knows.
  states       {integer}    They, by their state.
  due          integer      URLs that are due.
  next_due_ms  integer?     When the next URL is due.
  due_by_hour  object       URLs that come due in the next week.
    from_ms  integer    When the first hour begins.
    counts   [integer]  URLs that come due in each hour.
    later    integer    URLs that come due after those.
  ages         [object]     Time since pages were fetched.
    le     integer?  The upper bound in milliseconds; null: none.
    count  integer   Pages of that age.
  frontier     object       What was never fetched.
    urls     integer  URLs that were never fetched.
    hosts    integer  Their hosts.
    domains  integer  Their registrable domains.
  hosts        object       Hosts.
    count  integer      Hosts that the crawl knows.
    holds  =holds       Hosts that are held.
    pages  [[integer]]  [pages, hosts] each: how many hosts have as many.
  storage      object       Bytes that are stored.
    tables    integer  Bytes of the tables.
    segments  integer  Bytes of the segments.
  filters      =filters     The Bloom filters of urls.
  duplicates   =duplicates  Duplicates in the crawl.

answer segments-list: segments list | | lines
  A segment.
  &segment

answer rounds 1.1: rounds | | lines
  The document of a round.
  &round
  or
  segment   text     Its segment.
  snapshot  integer  The snapshot that has it.
  fetch     null     It has no document: an older version applied it, or somebody deleted it.

answer watch: watch | | lines
  What runs now; one object per look.
  &live
  list  [=worker]  The fetch tasks of open segments.

answer report 1.1: report
  The report of the rounds in numbers.
  crawl                   text               The name of the crawl: the last part of its root.
  snapshot                integer            The snapshot that is reported.
  published               time               When that was published.
  now                     time               The time for which the report is.
  round                   =round?            The round that is told in full; null: there is none.
  rounds                  [=round-in-brief]  The rounds up to it, the oldest first.
  rounds_without_numbers  integer            Rounds without a document.
  present                 =present           The crawl at this snapshot.
  dashboard               =dashboard         Numbers of the last round, for dashboards.

answer health: health
  The crawl against limits.
  ok        flag      Whether all checks are within their limits.
  checks    [object]  The checks.
    name      text                   What was checked.
    ok        flag                   Whether it is within its limit.
    value     number?                What it is; null: not known.
    limit     number                 Its limit.
    unit      (ratio|ms|count|days)  The unit of both.
    is_least  flag                   Whether the value must be at least the limit, not at most.
  snapshot  integer   The snapshot that was looked at.

answer sitemaps: sitemaps | | lines
  A sitemap or feed of a host.
  url          text            Where it is.
  kind         (sitemap|feed)  What it is.
  type         text?           urlset, index, rss, atom or text; null before it was read.
  state        @states         The state of its URL.
  status       integer?        The HTTP status of the last answer.
  entries      integer?        What it listed; null before it was read.
  read         time?           When it was read.
  changed      time?           When it was another one the last time.
  interval_ms  integer?        Time between two readings.
  next         time?           When it is read next.
  named_by     text            Who named it: a URL, or words.
  lastmod      time?           The change that its own sitemap states.
  believed     flag            Whether what the host's sitemaps state is believed.
  trust        text            The same in words.

answer config-get: config get
  Settings by name, as texts.
  *  text  A setting.

answer config-get-jsonl: config get | --format jsonl | lines
  An option and its value.
  name    text  The option.
  value   text  Its value as a text.
  is_set  flag  Whether the crawl has a setting; else it is the default.

answer config-set: config set
  The change of settings.
  &job-answer
  pages_to_read~  integer  Stored pages that are to be read again under the new rules.

answer snapshot-list: snapshot list | | lines
  A snapshot.
  &snapshot

answer snapshot-show 1.1: snapshot show
  The manifest of a snapshot.
  &manifest

answer jobs 1.1: jobs | | lines
  A job.
  &job

answer jobs-status 1.1: jobs status
  A job.
  &job

answer jobs-kill: jobs kill
  The end of a job.
  job      text  The job.
  changed  flag  Whether it was stopped; else it was over.
)text";

}  // namespace trawl
