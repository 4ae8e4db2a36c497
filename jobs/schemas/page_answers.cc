// Answers of trawl page, trawl readdb and trawl readseg.
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kPageAnswers[] = R"text(
part outcome
  url           text?          What was asked for.
  status        integer?       The HTTP status; null: no answer.
  outcome       @outcomes?     What came of it.
  reason        text?          The outcome with its detail, in words.
  bytes         integer        Bytes of the body, decoded.
  truncated     @truncations?  Why the body is not whole; null: it is.
  fetched_at    time?          When.
  kind          @kinds         What it is read as.
  requests      integer        Which request of the round it was; 0: none was sent.
  content_type  text?          The media type, as the answer said it.
  wire_bytes    integer        Bytes of the body as they were sent.
  total_ms      integer        Time of the whole request.
  depth         integer        Links between a seed and it.
  hops          integer        Redirects on the way to it.
  hop_of        text?          The URL that redirected to it.
  redirect      text?          Where it redirects to.
  body_digest   text?          SHA-256 of the body, in hexadecimal.

part whole-fetch
  request           text      The URL as it was asked for.
  listed            flag      Whether it was on a list; else a redirect led to it.
  conditional       flag      Whether it asked for changes only.
  blameless         flag      Whether our own machine failed.
  dns_ms            integer?  Time until the name was known.
  connect_ms        integer?  Time until the connection was there.
  tls_ms            integer?  Time until TLS was there.
  first_byte_ms     integer?  Time until the first byte of the answer.
  began_at          time?     When the request began.
  address           text?     The IP address.
  http_version      text?     The HTTP version of the answer.
  tls_version       text?     The TLS version.
  kept_codings      text?     Content codings that were not undone.
  etag              text?     Its ETag.
  last_modified     text?     Its Last-Modified.
  retry_after       time?     Until when the answer asks to wait.
  robots_line       integer?  The line of robots.txt that decided.
  robots_rule       text?     That line, or why none decided.
  content_file      text?     The file that has the body.
  shares_body       flag      Whether the body was stored for another URL.
  content_row       integer?  Its row in that file.
  request_headers   text      The request, word for word.
  response_headers  text      The head of the answer, word for word.

part parse = object?
  failed             flag         Whether the body could not be read.
  reason             text?        Why, or why it was cut.
  parser             integer      The version of the parser.
  media_type         text?        The media type that it was read as.
  charset            text?        The encoding of the body.
  charset_source     text?        What said so: bom, http, meta, xml, detected or default.
  title              text?        Its title.
  description        text?        Its own description.
  language           text?        The language of its text.
  declared_language  text?        The language that it declares.
  canonical          text?        The page that it names as its canonical one.
  refresh            text?        Where it refreshes to.
  directives         [text]       What its robots directives say.
  unavailable_after  time?        After when it asks not to be shown.
  content_signal     text?        The Content-Signal of the answer.
  tdm_reservation    flag?        Whether rights for text and data mining are reserved.
  tdm_policy         text?        Where its policy for text and data mining is.
  amphtml            text?        Its AMP page.
  alternates         =alternates  The page in other languages.
  needs_js           flag         Whether it shows its text only with JavaScript.
  content_digest     text?        Digest of the cleaned content, in hexadecimal.
  simhash            text?        Fingerprint of its text, in hexadecimal.
  text_bytes         integer      Bytes of its text.
  links              integer      Its links.
  links_cut          integer      Links beyond the limit of a page.
  tree               text?        Whether its tree is complete.
  sitemap            text?        Of a sitemap or feed: its type.
  &page-facts

answer page 1.1: page
  All that the crawl has of a page.
  &page

answer page-text: page | --text
  The text of a page.
  url    text  The page.
  title  text  Its title.
  text   text  Its text.

answer page-main: page | --main
  The main text of a page.
  url        text  The page.
  title      text  Its title.
  main_text  text  Its text without menus, comments and what else stands around it.

answer page-markdown: page | --markdown
  The main content of a page as Markdown, or all of it where it has none.
  url       text  The page.
  title     text  Its title.
  markdown  text  CommonMark with GFM's tables.

answer page-items: page | --items | lines
  An item of structured data on a page.
  syntax    (jsonld|microdata|rdfa|opengraph|twitter|dublincore)  How the page states it.
  type      text?    Its types without the prefix of schema.org, sorted, a blank between them.
  id        text?    Its id.
  json      text?    The item as JSON on one line, names sorted, numbers as written; null where it could not be read.
  block     integer  The number of its script on the page, from 0; -1: a note on all items.
  position  integer  Its number in the block.
  repaired  text?    What the block needed before it could be read.
  problem   text?    Why it could not be read, or what was left out.

answer page-body: page | --body
  The file with the body.
  url           text     The page.
  file          text     The file that was written.
  bytes         integer  Its bytes.
  content_type  text?    The media type, as the answer said it.
  kept_codings  text?    Content codings that were not undone.
  body_of       text?    The URL for which the body was stored, where it is another one.

answer page-headers: page | --headers
  The header fields of the last answer.
  url         text      The page.
  status      integer   The HTTP status.
  fetched_at  time?     When.
  headers     [[text]]  [name, value] each, in order.

answer page-links: page | --links | lines
  A link of a page.
  &page-link

answer page-inlinks: page | --inlinks
  The links to a page.
  url             text       The page.
  inlinks         [=inlink]  Links to it, 10,000 at most.
  count           integer    Links to it in all.
  of_other_hosts  integer    Those of them from other hosts.
  graph_snapshot  integer    The snapshot of which the graph is.

answer page-history: page | --history | lines
  A fetch of a page that is still stored.
  &past-fetch

answer page-missing 1.1: page | where that part is missing
  That a part of the page is not there, and what helps; the exit code is 1.
  url       text   The page.
  text~     null   What is missing.
  main_text~  null  What is missing.
  markdown~   null  What is missing.
  body~     null   What is missing.
  headers~  null   What is missing.
  links~    null   What is missing.
  inlinks~  null   What is missing.
  history~  null   What is missing.
  items~    null   What is missing.
  reason    text   Why it is not there.
  advice    text?  The command that helps.

answer readdb-stats: readdb stats
  The numbers of the crawl.
  snapshot       integer      The snapshot that was counted.
  urls           integer      URLs that the crawl knows.
  hosts          integer      Hosts that have a URL.
  by_state       {integer}    URLs by their state.
  by_kind        {integer}    URLs by what they are read as.
  signals        {integer}    Pages by what they ask of those who use them.
  bodies         integer      URLs with a stored body.
  due            integer      URLs that are due.
  next_due       time?        When the next URL is due.
  frontier       object       What was never fetched.
    urls     integer  URLs that were never fetched.
    hosts    integer  Their hosts.
    domains  integer  Their registrable domains.
  holds          =holds       Hosts that are held.
  ever           object?      Sums over all rounds; null before a version that counts them.
    rounds      integer  Rounds that were applied.
    requests    integer  Requests for pages.
    pages       integer  Pages stored.
    bytes       integer  Bytes of bodies, decoded.
    wire_bytes  integer  Bytes of bodies as they were sent.
  duplicates     =duplicates  Duplicates in the crawl.
  needs_js       integer      Pages without text unless scripts run.
  runs           integer      Runs of the table of URLs.
  runs_by_table  {integer}    Runs of each table.
  bytes          integer      Bytes of the tables.
  storage        object       Bytes that are stored.
    tables           integer    Bytes of the tables.
    segments         integer    Bytes of the segments.
    segments_by_age  {integer}  These, by age: day, week, month, quarter, older.
  filters        =filters     The Bloom filters of urls.
  open_segments  integer      Segments that are open.

answer readdb-get: readdb get | | lines
  A URL as the crawl knows it.
  &url
  or
  url     text                     The URL in its normal form.
  state   null                     Not in the crawl.
  reason  'not known' / 'removed'  Whether it never was, or is no longer.

answer readdb-get-explain: readdb get | --explain | lines
  A URL, and why it is as it is.
  &url
  explain  =explanations  Why, line by line.
  or
  url     text                     The URL in its normal form.
  state   null                     Not in the crawl.
  reason  'not known' / 'removed'  Whether it never was, or is no longer.
  explain~  =explanations           Why, line by line.

answer readdb-dump: readdb dump | | lines
  A URL of the crawl.
  &url

answer readdb-hosts: readdb hosts | | lines
  A host of the crawl.
  &host

answer readseg-list: readseg list | | lines
  A segment with the data that it has.
  segment   text      Its id.
  state     text      Its state, as trawl segments list has it.
  datasets  {object}  The data of its finished steps, by name.
    rows   integer  Its rows.
    files  integer  Its files.
    bytes  integer  Their bytes.

answer readseg-get 1.1: readseg get | | lines
  A request for a URL, or that a segment read its body again.
  segment  text    The segment that has it.
  &outcome
  &whole-fetch
  parse    =parse  What was read; null: nothing yet.
  or
  segment     text    The segment that has it.
  url         text    The page.
  read_again  true    The stored body was read again.
  parse       =parse  What was read.
  or
  url      text  What was asked about.
  segment  null  No fetched segment has it.

answer readseg-dump 1.1: readseg dump | | lines
  The outcome of a URL of a segment, or that it read a stored body again.
  &outcome
  text~       text?  With --text: its text.
  title~      text?  With --text: its title.
  main_text~  text?  With --text: its main text.
  main_from~  (none|article|density)?  With --text: where that came from.
  markdown~   text?  With --text: its main content as Markdown.
  published~  time?  With --text: when it came out, as the page states it.
  modified~   time?  With --text: when it was changed last, as the page states it.
  author~     text?  With --text: its authors.
  schema_types~  text?  With --text: the types of schema.org of its items.
  body_file~  text?  With --body: the file that was written.
  or
  url         text    The page.
  read_again  true    The stored body was read again.
  parse       =parse  What was read.
  text~       text?   With --text: its text.
  title~      text?   With --text: its title.
  main_text~  text?   With --text: its main text.
  main_from~  (none|article|density)?  With --text: where that came from.
  markdown~   text?   With --text: its main content as Markdown.
  published~  time?   With --text: when it came out, as the page states it.
  modified~   time?   With --text: when it was changed last, as the page states it.
  author~     text?   With --text: its authors.
  schema_types~  text?  With --text: the types of schema.org of its items.
)text";

}  // namespace trawl
