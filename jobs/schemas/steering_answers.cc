// Answers of trawl segments abandon, urls set, score, host, remove.
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kSteeringAnswers[] = R"text(
answer segments-abandon: segments abandon
  What is lost with a segment.
  &job-answer
  segment  text     The segment.
  dry_run  flag     Whether nothing was changed.
  fetched  integer  Requests of it that are lost.
  pages    integer  Pages of it that are lost.
  bytes    integer  Their bytes.

answer urls-set: urls set
  The change of URLs.
  &job-answer
  changed  integer  URLs that are different now: a count, not a flag.
  matched       integer   URLs that were selected.
  put_back      integer   URLs that a rule left out again.
  dropped       integer   URLs that stay as they are, since the operator dropped them.
  not_selected  integer   Named URLs that the selection leaves out.
  not_known     integer   Named URLs that are not in the crawl.
  bad           integer   Lines that make no sense.
  dry_run       flag      Whether nothing was changed.
  samples       =samples  Some of what is not known or makes no sense.

answer score: score
  The change of scores.
  &job-answer
  changed  integer  URLs that are different now: a count, not a flag.
  matched    integer   URLs of the lines that the crawl knows.
  dropped    integer   URLs that the operator dropped: they stay as they are.
  not_known  integer   URLs that are not in the crawl.
  repeated   integer   Lines that a later one replaces.
  bad        integer   Lines that make no sense.
  samples    =samples  Some of what is not known or makes no sense.

answer host: host | HOST | lines
  A host.
  &host
  known      true      The crawl knows it.
  of_domain  =domain   Its registrable domain, with all hosts of it.
  mirrors~   =mirrors  Of one host: what changes nothing in its URLs.
  or
  host   text   Its name.
  known  false  Nothing is known of it.

answer host-domain: host | --domain | lines
  A registrable domain.
  &domain
  known  flag  Whether something was decided or asked for.

answer host-robots: host | --robots | lines
  The robots.txt files of a host, and its breaker.
  host     text      Its name.
  robots   [object]  Its robots.txt files, one per scheme and port.
    url           text        Where it is.
    outcome       @outcomes   What came of the last request.
    status        integer     The HTTP status; 0 without an answer.
    fetched       time?       The last request.
    due           time?       The next request.
    failures      integer     Requests in a row that failed.
    redirect_to   text?       Where it redirected to.
    text          text?       The rules that serve; null: none were had.
    text_fetched  time?       When those were fetched.
    history       [text]      The last ten decisions, one line each.
  breaker  object    Its breaker.
    state              (closed|open|half-open|unknown)  Its state.
    until              time?                            Until when it is open.
    openings           integer                          How often it opened in a row.
    failures_in_a_row  integer                          Failures since the last answer.
    window_start       time?                            Since when requests are counted.
    window_requests    integer                          Requests since then.
    window_failures    integer                          Those of them that failed.
    slow_until         time?                            Until when the host is among the slow ones.
  or
  host   text   Its name.
  known  false  Nothing is known of it.

answer host-patterns: host | --patterns | lines
  What the patterns of a host's URLs yield.
  host      text      Its name.
  patterns  [object]  What the patterns of its URLs yield.
    pattern          text      The form of its URLs.
    fetched          integer   Its latest pages that count.
    new              integer   Those with content of their own.
    duplicates       integer   Those equal to another page.
    near_duplicates  integer   Those nearly equal to another page.
    likes            integer   Those whose text is like others of the pattern.
    soft_errors      integer   Those that look like error pages.
    links            integer   New URLs that they led to.
    fetched_ever     integer   Pages of it that were ever fetched.
    counted          time?     When that was counted.
    budget           integer?  Pages of it per round; null: no limit.
  learned   [object]  Parameters that change nothing, as was learned.
    pattern     text     The form of the URLs.
    parameter   text     The parameter that changes nothing.
    pairs       integer  Pairs of pages that showed it.
    taken_back  flag     Whether the operator took it back.
  or
  host   text   Its name.
  known  false  Nothing is known of it.

answer host-suggest: host | --suggest | lines
  Parameters of a host's URLs that may be ignored.
  host         text      Its name.
  suggestions  [object]  Parameters that may be ignored.
    pattern    text     The form of the URLs.
    parameter  text     The parameter that changes nothing.
    pairs      integer  Pairs of pages that show it.
    rule       text?    The line for --urls.ignore_parameters, where it holds everywhere.
  is_cut       flag      Whether there are more pages than were looked at.
  or
  host   text   Its name.
  known  false  Nothing is known of it.

answer host-change: host | with an option that changes something
  The change of hosts or domains.
  &job-answer
  bad_lines            integer   Lines that make no sense.
  unknown              integer   Hosts and domains that the crawl has not met.
  samples              =samples  Some of those.
  matched~             integer   Hosts and domains that were named.
  rows_changed~        integer   Those of them that are different now.
  patterns_forgotten~  integer   Patterns that were forgotten.
  host~                text      The host, where one was changed.
  domain~              text      The domain, where one was changed.

answer remove: remove
  What was removed.
  &job-answer
  removed~    integer  URLs that the crawl forgot.
  not_known~  integer  URLs that are not in the crawl.
  dropped~    integer  URLs that stay, since the operator dropped them.
)text";

}  // namespace trawl
