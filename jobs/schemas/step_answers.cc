// Answers of trawl crawl, trawl round, and of the steps one by one.
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kStepAnswers[] = R"text(
part parse-counters
  pages~               integer  Bodies that were read.
  failed~              integer  Bodies that could not be read.
  links~               integer  Links that may enter.
  links_no_url~        integer  Links that are no URL.
  links_out_of_scope~  integer  Links out of the scope.
  links_nofollow~      integer  Links that their pages ask not to follow.
  links_cut~           integer  Links beyond the limit of a page.
  needs_js~            integer  Pages without text unless scripts run.
  noindex~             integer  Pages that ask not to be indexed.
  sitemaps~            integer  Sitemaps and feeds that were read.
  items~               integer  Items of structured data that were found.
  read_by_scan~        integer  Pages that the scan read.
  read_by_tree~        integer  Pages that were read from a tree.
  bodies_gone~         integer  Pages without a body.
  signal.*             integer  Pages that ask for it, by its name.
  wild.*               integer  Pages that the scan left to the tree, by the reason.
  links_refused.*      integer  Links that may not enter, by the rule.

part updatedb-counters
  fetched~               integer  Pages with an answer that has a body.
  new~                   integer  Pages fetched for the first time.
  unchanged~             integer  Pages that are as they were.
  not_parsed~            integer  Pages that were not read.
  not_modified~          integer  Pages of which the server said that they are unchanged.
  redirected~            integer  URLs that redirect.
  gone~                  integer  URLs that are gone.
  failing~               integer  URLs that failed.
  throttled~             integer  URLs whose host asked for time.
  denied~                integer  URLs that robots.txt denies.
  deferred~              integer  URLs that wait for a robots.txt.
  refused~               integer  URLs that a rule of the crawl refuses.
  late~                  integer  Outcomes that a later one had replaced.
  given_back~            integer  URLs that were not reached: they are as they were.
  refreshed~             integer  Pages fetched again.
  within_window~         integer  Those of them that were in time.
  links~                 integer  Links that may enter.
  links_new~             integer  Links to URLs that were not known.
  links_known~           integer  Links to known URLs.
  links_raised~          integer  Links that brought a known URL nearer to a seed.
  links_too_deep~        integer  Links that are too far from a seed.
  links_trap~            integer  Links to hosts that look like a trap.
  links_over_limit~      integer  Links beyond the limit of new URLs.
  removed~               integer  URLs that were removed.
  links_foreign~         integer  Entries of sitemaps for other hosts.
  lists_over_limit~      integer  Sitemaps beyond the limit of a host.
  entries_over_limit~    integer  Entries beyond the limit of a host.
  due_by_lastmod~        integer  Pages that are due since a sitemap says that they changed.
  no_sitemap~            integer  Guessed sitemaps that are not there.
  urls~                  integer  Rows of URLs that were written.
  urls_new~              integer  URLs that became known.
  pages_changed~         integer  Pages whose content changed.
  outlinks~              integer  Pages whose links were written.
  outlinks_cut~          integer  Links beyond the end of their list.
  hosts~                 integer  Rows of hosts that were written.
  hosts_new~             integer  Hosts that became known.
  hosts_suspected~       integer  Hosts that look like a trap.
  domains~               integer  Rows of domains that were written.
  robots~                integer  Rows of robots.txt files that were written.
  reread~                integer  Pages whose stored body was read again.
  to_read~               integer  How many more pages are to be read again.
  to_read_more~          integer  Pages that came to those.
  probes~                integer  Answers to paths that cannot exist.
  frontier~              integer  URLs that were never fetched, afterwards.

part crawl
  rounds            integer      Rounds of this command.
  &fetch-numbers!
  seconds           number       How long it took.
  pages_per_second  number       Pages stored per second.
  bytes_per_second  number       Bytes received per second.
  urls              integer      URLs that the crawl knows.
  hosts             integer      Hosts that have a URL.
  by_state          {integer}    They, by their state.
  &outlook
  frontier          object       What was never fetched.
    urls   integer  URLs that were never fetched.
    hosts  integer  Their hosts.
  tasks             object       The tasks of its fetches.
    fetch        integer  Fetch tasks that ran.
    utilisation  number   Share of the fetches' time that they worked.
  storage           object       Bytes that are stored.
    tables    integer  Bytes of the tables.
    segments  integer  Bytes of the segments.
  filters           object       The Bloom filters of urls.
    bytes                integer  Their bytes.
    false_positive_rate  number   Share of unknown keys that they let through.
  duplicates        =duplicates  Duplicates in the crawl.
  dashboard         =dashboard   Numbers of its rounds, for dashboards.
  counters          {integer}    What its jobs counted, by verb and name.
  classes           =classes     What each refresh class promised and kept.
  ended             text         Why it ended, in words.
  taken_up          =taken-up    Unfinished segments that were gone on with.
  failures~         =failures    Some failures, where nothing else came of it.
  snapshot          integer      The present snapshot.

part generated
  urls             integer    URLs of the round.
  more_due         flag       Whether more URLs are due.
  expected_ms      integer    Time of the longest list that is expected.
  tiers            object     Its URLs by tier.
    high    integer  First.
    medium  integer  After those.
    low     integer  Last.
  lists            [object]   Its lists, one per fetch task.
    urls            integer  Its URLs.
    hosts           integer  Its hosts.
    domains         integer  Its registrable domains.
    expected_bytes  integer  Bytes that are expected.
    expected_ms     integer  Time that is expected.
    slow            flag     Whether it has the hosts that fail often.
  hosts            integer    Its hosts.
  domains          integer    Its registrable domains.
  expected_bytes   integer    Bytes that are expected.
  left_out         {integer}  URLs that are due and were not taken, by the reason.
  left_out_until   {time?}    Until when, by the reason.
  due              integer    URLs that are due.
  held             [object]   What holds those back that are due and were not taken.
    why    text     What holds them back.
    urls   integer  How many.
    until  time?    When the first can be asked for; null: not by itself.
  changed          flag       Whether a segment was opened.

answer crawl: crawl
  What a crawl did, and how the crawl is now.
  &crawl

answer inject: inject
  What became of the seeds.
  &job-answer
  lines           integer   Lines and arguments.
  bad             integer   Lines that make no sense.
  skipped         integer   URLs that the scope refuses.
  seeds           integer   Different URLs.
  new             integer   URLs that became known.
  known           integer   URLs that were known.
  updated         integer   Known URLs that took what their line names.
  would_update    integer   Known URLs whose line names something else.
  warnings        integer   Lines with something that was not understood.
  contradictions  integer   Lines that contradict another one.
  known_dropped   integer   Known URLs that the operator dropped.
  blocked_hosts   integer   Hosts of them that the operator blocked.
  samples         =samples  Some of the lines that make no sense.
  known_refused~  integer   Known URLs that a rule refuses.
  known_gone~     integer   Known URLs that are gone.
  known_denied~   integer   Known URLs that robots.txt denies.

answer round: round
  What one round did.
  segment     text?        Its segment; null: nothing could be fetched.
  changed     flag         Whether a round was applied now.
  snapshot    integer      The snapshot that has it.
  &fetch-numbers!
  found       integer      URLs that became known.
  &outlook
  duplicates  =duplicates  Duplicates in the crawl.
  seconds     number       How long it took.
  counters    {integer}    What its jobs counted, by verb and name.
  classes     =classes     What each refresh class promised and kept.
  taken_up    =taken-up    Unfinished segments that were gone on with.
  failures~   =failures    Some failures, where nothing else came of it.

answer generate: generate
  The segment that was opened.
  &job-answer
  &generated
  segment  text  The segment that is open now.

answer generate-again: generate | where the segment is there
  The segment that was there before.
  changed   false    Nothing was opened.
  segment   text     The segment, which was there.
  snapshot  integer  The present snapshot.

answer generate-dry-run: generate | --dry_run
  What a round would take.
  &generated
  dry_run  true  Nothing was opened.

answer generate-nothing: generate | where nothing is due
  Why nothing can be fetched.
  &generated
  segment   null   No segment was opened.
  next_due  time?  When something can be fetched next; null: never.

answer fetch: fetch
  What a fetch met.
  &job-answer
  segment                      text     The segment that was fetched.
  &fetch-numbers~
  pages_per_second~            number   Pages stored per second of fetch.
  bytes_per_second~            number   Bytes received per second of fetch.
  used~                        =used    What the fetch used.
  given_back~                  integer  URLs that are left for another round.
  not_reached~                 integer  URLs that were not asked for.
  skipped_for_delay~           integer  URLs of hosts with a long Crawl-delay.
  robots_requests~             integer  Requests for robots.txt files.
  robots_unreachable_allowed~  integer  Hosts without a readable robots.txt that were asked all the same.
  retries~                     integer  Requests that were repeated.
  retries_left~                integer  URLs that failed and might have been asked for again.
  hops~                        integer  Redirects that were followed.
  hops_known~                  integer  Redirects to URLs that are due in their own time.
  bodies_shared~               integer  Bodies that the list had already.
  bytes_shared~                integer  Their bytes.
  probes~                      integer  Paths asked for that cannot exist.
  answers_ms~                  integer  Sum of the times of answers.
  outcome.*                    integer  URLs by what came of them.
  status.*                     integer  Answers by their HTTP status.
  answers_in.*                 integer  Answers within so many milliseconds.

answer fetch-nothing: fetch | where no segment is ready
  That no segment is ready.
  changed  false  Nothing was done.
  segment  null   No segment is ready for this step.

answer parse: parse
  What was read.
  &job-answer
  segment  text  The segment that was read.
  &parse-counters

answer parse-nothing: parse | where no segment is ready
  That no segment is ready.
  changed  false  Nothing was done.
  segment  null   No segment is ready for this step.

answer updatedb: updatedb
  What a segment changed.
  &job-answer
  segment                text       The segment that was applied.
  &updatedb-counters
  links_refused~         {integer}  Links that may not enter, by the rule.
  answer_to_applied_ms~  =lag       Time from an answer to its application.
  totals~                =totals    Numbers of the whole crawl afterwards.
  classes~               =classes   What each refresh class promised and kept.
  duplicate_rate~        number     Share of pages equal to another one, from 0 to 1.

answer updatedb-nothing: updatedb | where no segment is ready
  That no segment is ready.
  changed  false  Nothing was done.
  segment  null   No segment is ready for this step.

answer settle: settle
  What was decided about equal pages.
  &job-answer
  all                  flag     Whether everything was decided anew.
  pages                integer  Pages that came, went or changed.
  exact                integer  Pages that point to another with equal content than before.
  near                 integer  Pages that point to another with nearly equal text than before.
  cleared              integer  Pages that stand for themselves again.
  bytes_saved          integer  Bytes of bodies that are pointed to instead of stored.
  contents~            integer  Contents of these pages.
  contents_changed~    integer  Contents whose pages were decided.
  groups_read~         integer  Contents of which all pages were read.
  near_decided~        integer  Contents that were compared.
  near_found~          integer  Those of them that are near another.
  patterns_changed~    integer  Patterns whose yield changed.
  patterns_limited~    integer  Patterns that got a budget.
  patterns_recovered~  integer  Patterns that lost their budget.
  parameters_learned~  integer  Parameters that change nothing, as was learned now.
  shared~              integer  Bodies that are pointed to instead of stored.
  urls~                integer  Rows of URLs that were written.

answer reparse: reparse
  What reading again brought.
  &parse-counters
  &updatedb-counters
  changed      flag      Whether something is different now.
  snapshot     integer   The snapshot that has the change.
  segment      text?     The segment of the reading; null: nothing was to be read.
  pages        integer   Pages that were read again.
  failed       integer   Those of them that could not be read.
  links        integer   Links that may enter.
  urls_new     integer   URLs that became known.
  late         integer   Pages that were fetched anew meanwhile.
  bodies_gone  integer   Pages without a body.
  left         integer?  Pages that are still to be read; null: not counted.
  seconds      number    How long it took.

answer reparse-dry-run: reparse | --dry_run
  What reading again would bring.
  changed      false      Nothing was changed.
  dry_run      true       Nothing was changed.
  pages        integer    Pages that would be read again.
  links        integer    Links that would enter.
  urls_new     integer    URLs that would become known.
  let_in       {integer}  Links that would enter and did not, by the rule that lets them in.
  leave_out    {integer}  Links that would not enter any more, by the rule.
  bodies_gone  integer    Pages without a body.
  seconds      number     How long it took.
)text";

}  // namespace trawl
