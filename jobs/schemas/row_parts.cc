// What rows look like where verbs, the API and documents show them.
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kRowParts[] = R"text(
part seal
  seal  text  XXH3-64 of the document with zeros in its place, in hexadecimal.

part file-seal
  bytes   integer  Its bytes.
  chunks  [text]   XXH3-64 of every MiB, in hexadecimal.

part file-receipt
  name            text        The file.
  rows            integer     Its rows.
  removed         integer     Those of them that are tombstones.
  digest          text        The logical digest of its rows.
  first_slot      integer     The slot of its first row; 0 where rows are not sorted.
  last_slot       integer     The slot of its last row.
  first_key       text        The key of its first row; empty where rows are not sorted.
  last_key        text        The key of its last row.
  data            =file-seal  The seal of the file.
  sidecar~        =file-seal  The seal of its sidecar.
  small_sidecar~  text        A small sidecar itself, in hexadecimal.

part samples = [object]
  source  text     The file, or what was named.
  number  integer  The line; 0 where it is none.
  reason  text     What is wrong with it.
  text    text     The line, or its beginning.

part job-answer
  job       text     The job that did it; empty where there was nothing to do.
  changed   flag     Whether something is different now.
  snapshot  integer  The snapshot that has the change, or showed that there was none to make.
  seconds   number   How long it took.

part url
  url                 text           The URL in its normal form.
  request             text           The URL as it is asked for.
  key                 text           Its key in the tables.
  kind                @kinds         What it is read as.
  state               @states        Its state (docs/states.md).
  status              integer?       The HTTP status of the last answer.
  outcome             @outcomes?     What came of the last request; null before the first.
  reason              text?          The outcome with its detail, in words.
  depth               integer        Links between a seed and it.
  seed                flag           Whether it is a seed.
  score               number         Its score, from 0 to 1.
  fixed_score         flag           Whether the operator set the score.
  tier                @tiers?        The tier that the operator chose; null: by rule.
  due                 time?          When it is asked for next; null: not again.
  due_set             time?          When the operator set `due`, until it is asked for.
  interval_ms         integer        Time between two fetches.
  own_interval_ms     integer?       The interval that the operator set; null: by its changes.
  discovered          time?          When it became known.
  via                 text?          The page that linked to it first; null for a seed.
  fetched_at          time?          The last request that counted.
  changed_at          time?          When its content was new the last time.
  fetches             integer        Requests that counted.
  retries             integer        Rounds of failure in a row.
  unchanged           integer        Fetches in a row that found no change.
  change_rate         number         Share of fetches that found a change, from 0 to 1.
  response_ms         integer        Time of the last answer.
  content_type        text?          The media type, as the answer said it.
  bytes               integer        Bytes of the last body, decoded.
  truncated           @truncations?  Why the body is not whole; null: it is.
  etag                text?          The ETag of the last answer.
  last_modified       text?          The Last-Modified of the last answer.
  body_digest         text?          SHA-256 of the body, in hexadecimal.
  content_digest      text?          Digest of the cleaned content, in hexadecimal.
  segment             text?          The segment that has its latest body.
  redirect            text?          Where it redirects to.
  canonical           text?          The page that it names as its canonical one.
  duplicate_of        text?          The page with equal content that stands for it.
  near_duplicate_of   text?          The page with nearly equal text that stands for it.
  distance            integer?       Bits in which the fingerprints of near ones differ.
  inlinks             integer        Linking hosts, each once per round.
  signals             [@signals]     What the page asks of those who use it.
  sitemap             text?          The sitemap that listed it.
  stated_priority     number?        The priority that the sitemap states, from 0 to 1.
  stated_interval_ms  integer?       The change frequency that the sitemap states.
  stated_lastmod      time?          The last change that the sitemap states.
  entries             integer?       Of a sitemap or feed: the entries that it listed; null for a page.
  metadata            {text}         What seed lines said of it, by name.

part explanations = [object]
  about  text   What the line is about, such as rule or robots.
  time   time?  When that was, or will be.
  text   text   One line for people.

part operator
  blocked               flag      Whether the operator blocked it.
  reason                text?     Why, in the operator's words.
  operator_delay_ms     integer?  The delay that the operator set; null: none.
  operator_pages_a_day  integer?  The operator's limit of pages per day; null: none.
  operator_pages        integer?  The operator's limit of pages in all; null: none.

part host
  host               text     Its name.
  &operator
  discovered_at      time?    When it became known.
  delay_ms           integer  The pause between two requests, as of the last answer.
  response_ms        integer  Time of its answers, averaged.
  answered           time?    The last answer.
  not_before         time?    Until when it asked to be left alone.
  breaker            (closed|open|half-open|unknown)  Its breaker: open after failures.
  breaker_until      time?    Until when the breaker is open.
  slow_until         time?    Until when it is among the slow hosts.
  pages_today        integer  Pages asked for on this day.
  pages              integer  Pages asked for, ever.
  bytes              integer  Bytes received, ever.
  discovered         integer  URLs of it that entered the crawl.
  fetched            integer  URLs of it that were fetched.
  suspected_trap     flag     Whether it looks like a trap: endless URLs.
  addresses          text     IP addresses of the last lookup, separated by blanks.
  sitemaps           text     How far its sitemaps are believed, in words.
  lastmods_checked   integer  Changes stated by its sitemaps that were checked.
  lastmods_wrong     integer  Those of them that were wrong.
  priorities_stated  integer  Priorities that its sitemaps stated.
  priorities_top     integer  Those of them that were the highest.
  guessed_sitemap    time?    When /sitemap.xml entered as a guess.
  domain_blocked~    flag     True where the operator blocked its registrable domain.

part domain
  domain       text     The registrable domain.
  &operator
  day          time?    The day of the count.
  pages_today  integer  Pages of all its hosts on this day.
  pages        integer  Pages of all its hosts, ever.

part mirrors = [object]
  kind   (scheme|www|slash|case|index|host)  What changes nothing.
  below  text?    The folder to which it is limited.
  of     text?    The other host.
  pages  integer  Pairs of pages that were compared.
  equal  integer  Those of them that were equal.
  text   text     The same for people.

part alternates = [object]
  language  text  The language tag.
  url       text  The page in it.

part page-facts
  main_from+         (none|article|density)?  Where the main text came from; null: nobody looked for it.
  main_rule+         integer?        The version of the rule that looked for it.
  main_words+        integer?        Its words.
  words+             integer?        Words of the whole text.
  link_density+      number?         The part of the text that stands in links.
  challenge+         text?           Who asks for a proof that a person reads: cloudflare, akamai and others.
  soft_404+          text?           Where the page says that it is not there: title, heading, text.
  published+         time?           When it came out, as the page states it.
  published_from+    text?           Where that comes from: jsonld, opengraph, microdata, rdfa, meta, time or url.
  modified+          time?           When it was changed last, as the page states it.
  modified_from+     text?           Where that comes from.
  author+            text?           Its authors, with commas between.
  author_from+       text?           Where that comes from.
  headline+          text?           Its headline.
  headline_from+     text?           Where that comes from.
  image+             text?           The URL of its main image.
  image_from+        text?           Where that comes from.
  site_name+         text?           The name of its site.
  site_name_from+    text?           Where that comes from.
  schema_types+      text?           The types of schema.org of its items, a blank between them.
  og_type+           text?           Its type for Open Graph.
  items+             integer?        Items of structured data on the page; trawl page URL --items lists them.

part page
  url                text            The page.
  state              @states?        The state of its URL; null: not in the crawl.
  status             integer?        The HTTP status of the last answer.
  outcome            @outcomes?      What came of the last request.
  fetched_at         time?           The last request that counted.
  changed_at         time?           When its content was new the last time.
  due                time?           When it is asked for next.
  redirect           text?           Where it redirects to.
  duplicate_of       text?           The page with equal content that stands for it.
  near_duplicate_of  text?           The page with nearly equal text that stands for it.
  distance           integer?        Bits in which the fingerprints of near ones differ.
  content_type       text?           The media type, as the answer said it.
  bytes              integer         Bytes of the body, decoded.
  truncated          @truncations?   Why the body is not whole; null: it is.
  body_sha256        text?           SHA-256 of the body, in hexadecimal.
  body_segment       text?           The segment that has the body.
  shares_body        flag            Whether the body was stored for another URL.
  headers            [[text]]   Header fields of the last answer, [name, value] each.
  body_headers       [[text]]?  Header fields of the answer that brought the body, where that was an earlier one.
  body_fetched_at    time?           When the body was fetched.
  title              text?           Its title; null before it was read.
  description        text?           Its own description.
  language           text?           The language of its text; und: not known.
  canonical          text?           The page that it names as its canonical one.
  directives         [text]          What its robots directives say.
  unavailable_after  time?           After when it asks not to be shown.
  content_signal     text?           The Content-Signal of the answer.
  tdm_reservation    flag?           Whether rights for text and data mining are reserved; null: not said.
  tdm_policy         text?           Where its policy for text and data mining is.
  amphtml            text?           Its AMP page.
  alternates         =alternates     The page in other languages.
  signals            [@signals]      What the page asks of those who use it.
  needs_js           flag            Whether it shows its text only with JavaScript.
  text               text?           Its text; null where there is none, for the `reason`.
  main_text+         text?           Its main text, without menus and the like; null where it has none.
  markdown+          text?           Its main content as Markdown; null without parse.markdown.
  &page-facts
  links              [=page-link]    Its links, in the order of the page.
  links_note         text?           What is to be known of the list of links.
  reason             text?           Why the text or the body is not there.
  advice             text?           The command that helps.

part page-link
  url       text?  Where it leads.
  text      text   The text of the link.
  how       text   The element or relation: a, canonical, sitemap.
  rel       text   Its rel attribute.
  enters    flag   Whether its target may enter the crawl.
  nofollow  flag   Whether the page asks not to follow it.
  reason    text?  Why it may not enter.

part inlink
  url       text?  The page that has the link.
  text      text   The text of the link.
  how       text   The element or relation.
  nofollow  flag   Whether that page asks not to follow it.

part past-fetch
  fetched_at       time?       When it was asked for.
  outcome          @outcomes?  What came of it.
  status           integer?    The HTTP status.
  reason           text?       The detail, in words.
  bytes            integer     Bytes of the body, decoded.
  total_ms         integer     Time of the whole request.
  requests         integer     Which request of the round it was; 0: none was sent.
  conditional      flag        Whether it asked for changes only.
  redirected_from  text?       The URL that redirected to it.
  segment          text        The segment that has it.
  applied          flag        Whether that segment is applied.

part job
  job                 text       Its id.
  state               (done|done again|running|unfinished|failed|stopped|to be taken up)  What became of it.
  runner+             (local|streaming)  Where its tasks run or ran.
  runner_reason~      text       Why there.
  verb~               text       What it does.
  snapshot~           integer    The snapshot that it published, or read.
  now_ms~             integer    The time for which it ran.
  changed~            flag       Whether it published something.
  seconds~            number     How long it took.
  counters~           {integer}  What it counted, by name.
  reason~             text       Why it failed.
  application~        text       On a cluster: YARN's id of it.
  queue~              text       On a cluster: its queue.
  application_state~  text       On a cluster: YARN's word for its state.
  tracking_url~       text       On a cluster: YARN's page of it.
  maps~               [integer]  On a cluster: map tasks that are done, and all.
  reduces~            [integer]  On a cluster: reduce tasks that are done, and all.
  failed_attempts~    integer    On a cluster: attempts of tasks that failed.
  live_age_ms~        integer    While it runs here: age of `live`.
  live~               open       While it runs here: what it says of itself (documents/job-live.json).

part segment
  segment  text                    Its id.
  state    (open|fetched|parsed|expired|applied|abandoned)  Its state.
  step     (generated|fetched|parsed|applied)  The last step that is done.
  urls     integer?                URLs on its lists; null where they are gone.
  lists    integer?                Its lists, one per fetch task.
  opened   time?                   When its lists were made.
  until    time?                   Until when it holds its domains.
  job      text                    The job that opened it.
  kind     (round|reparse|bodies)  A round, pages read again, or a store of bodies.

part snapshot
  snapshot       integer   Its number.
  verb           text      The verb that published it; empty for the first.
  job            text      The job that published it.
  published      time?     When.
  tables         {object}  The tables, by name.
    runs         integer  Its runs.
    stored_rows  integer  Rows of all runs, also those that later ones replace.
  open_segments  integer   Segments that are open.
)text";

}  // namespace trawl
