// Answers of trawl check KIND. A line that makes no sense is answered with `error`.
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kCheckAnswers[] = R"text(
part id
  id~  any  The `id` of the line.

part refresh = object?
  delay  number  Seconds.
  url    text    Where to.

part html-links = [object]
  url        text  Where it leads.
  text       text  The text of the link.
  kind       text  The element or relation.
  rel~       text  Its rel attribute.
  hreflang~  text  Its language.
  type~      text  Its media type.

part sitemap-entries = [object]
  loc          text      Where it is.
  lastmod_ms~  integer   When it changed.
  changefreq~  text      How often it changes.
  priority~    number    Its priority, from 0 to 1.
  details~     open      What its extensions say.
  alternates~  [object]  The page in other languages.
    hreflang  text  The language tag.
    loc       text  The page in it.

part directives
  noindex    flag  Whether it says noindex.
  nofollow   flag  Whether it says nofollow.
  noarchive  flag  Whether it says noarchive.
  nosnippet  flag  Whether it says nosnippet.
  noai       flag  Whether it says noai.

part verdict-robots
  allowed  flag?     Whether its rules allow the URL; null: not known.
  line     integer?  The line that decides.
  fetched  time?     When it was fetched.
  reason~  text      The line, or why it is not known.

answer check-url: check | url | lines
  A URL as it is read.
  &id
  href  text?  The URL; null: it is none.
  or
  &id
  error  text  Why it cannot be answered.

answer check-host: check | host | lines
  A host name as it is read.
  &id
  ascii   text?  Its name in ASCII; null: it is none.
  domain  text?  Its registrable domain.
  or
  &id
  error  text  Why it cannot be answered.

answer check-normalize: check | normalize | lines
  The normal form of a URL.
  &id
  url  text?  The normal form; null: it has none.
  or
  &id
  error  text  Why it cannot be answered.

answer check-urlfilter: check | urlfilter | lines
  What rules say of a URL.
  &id
  accept  flag     Whether they accept it.
  line    integer  The line that decides; 0: none.
  rule    text     That line.
  or
  &id
  error  text  Why it cannot be answered.

answer check-robots: check | robots | lines
  What a robots.txt says of a URL.
  &id
  allowed          flag      Whether it is allowed.
  line             integer?  The line that decides; null: none.
  sitemaps         [text]    The sitemaps that it names.
  crawl_delay      number?   Its Crawl-delay, in seconds.
  content_signals  [text]    Its content signals.
  or
  &id
  error  text  Why it cannot be answered.

answer check-robots-live: check | robots-live | lines
  What the robots.txt of a site says of a URL now.
  &id
  allowed  flag      Whether it is allowed.
  reason   text      The line that decides, or why none does.
  status   integer?  The HTTP status; null: no answer.
  or
  &id
  error  text  Why it cannot be answered.

answer check-headers: check | headers | lines
  What header fields say.
  &id
  mime              text?       The media type.
  charset           text?       The encoding that it names.
  refresh           =refresh    Where it refreshes to.
  canonical         text?       The canonical page that it names.
  robots            =directives  What X-Robots-Tag says.
  last_modified     integer?    Last-Modified, in seconds since 1970.
  retry_after       integer?    Retry-After, in seconds.
  content_encoding  [text]      The content codings.
  content_length    integer?    Content-Length, in bytes.
  etag              text?       The ETag.
  or
  &id
  error  text  Why it cannot be answered.

answer check-fetch: check | fetch | lines
  What came of a request.
  &id
  url            text      The URL that was asked last.
  status         integer?  The HTTP status; null: no answer.
  length         integer   Bytes of the body.
  sha1           text      SHA-1 of the body, in hexadecimal.
  error          text?     Why there is no answer.
  truncated      flag      Whether the body is not whole.
  outcome        text      What came of it, in a word.
  truncated_by~  text      Why the body is not whole.
  kept_codings~  text      Content codings that were not undone.
  or
  &id
  error  text  Why it cannot be answered.

answer check-sitemap: check | sitemap | lines
  What a sitemap lists.
  &id
  type       text      urlset, index, rss, atom, text or invalid.
  urls       =sitemap-entries  The pages that it lists.
  sitemaps   =sitemap-entries  The sitemaps that it lists.
  refused    integer   Entries that make no sense.
  truncated  flag      Whether it ends too early.
  problem~   text      What is wrong with it.
  or
  &id
  error  text  Why it cannot be answered.

answer check-simhash: check | simhash | lines
  How far two texts differ.
  &id
  a         text?     The fingerprint of the first; null: the text is too short.
  b         text?     The fingerprint of the second.
  distance  integer?  Bits in which they differ.
  or
  &id
  error  text  Why it cannot be answered.

answer check-lang: check | lang | lines
  The language of a text.
  &id
  lang  text?  The language; null: not known.
  or
  &id
  error  text  Why it cannot be answered.

answer check-html 1.1: check | html | lines
  A page as it is read.
  &id
  encoding         text         The encoding that it was read in.
  base             text         The URL against which links are resolved.
  title            text         Its title.
  text             text         Its text.
  main_text+       text         Its main text; empty where it has none.
  main_from+       (none|article|density)  Where that came from.
  markdown+        text         Its main content as Markdown; of a page without one all that it shows.
  links            =html-links  Its links.
  resources        =html-links  Its images, scripts, styles and media.
  refresh          =refresh     Where it refreshes to.
  robots           object       Its robots directives.
    &directives
    noimageai  flag  Whether it says noimageai.
  language         text         The language that it declares.
  description      text         Its own description.
  tdm_reservation  integer?     What it says of text and data mining, as a number; null: nothing.
  read_by          (scan|tree)  What read it.
  wild             text?        Why the scan left it to the tree.
  tree             text         Whether its tree is complete.
  content_digest   text         Digest of the cleaned content, in hexadecimal.
  items+           [object]     Its items of structured data.
    syntax    (jsonld|microdata|rdfa|opengraph|twitter|dublincore)  How the page states it.
    type      text     Its types without the prefix of schema.org, sorted, a blank between them.
    id        text     Its id.
    json      text     The item as JSON on one line; empty where it could not be read.
    block     integer  The number of its script on the page, from 0; -1: a note on all items.
    position  integer  Its number in the block.
    repaired  text     What the block needed before it could be read.
    problem   text     Why it could not be read, or what was left out.
  statements+      object       What the page states of itself; empty or null: nothing.
    published_ms    integer?  When it came out.
    published_from  text      Where that comes from.
    modified_ms     integer?  When it was changed last.
    modified_from   text      Where that comes from.
    author          text      Its authors.
    author_from     text      Where that comes from.
    headline        text      Its headline.
    headline_from   text      Where that comes from.
    image           text      The URL of its main image.
    image_from      text      Where that comes from.
    site_name       text      The name of its site.
    site_name_from  text      Where that comes from.
    schema_types    text      The types of schema.org of its items.
    og_type         text      Its type for Open Graph.
  or
  &id
  error  text  Why it cannot be answered.

answer check-charset: check | charset | lines
  The encoding of a body.
  &id
  encoding  text  The encoding.
  source    text  What said so.
  or
  &id
  error  text  Why it cannot be answered.

answer check-tree: check | tree | lines
  The parse tree of a page.
  &id
  tree  text  The tree as lines.
  or
  &id
  error  text  Why it cannot be answered.

answer check-warc: check | warc | lines
  Whether a WARC file is valid.
  &id
  file~    text      Of an argument: the file.
  valid    flag      Whether it is.
  records  integer   Records that could be read.
  offset   integer?  Where the first fault is.
  fault    text?     What is wrong there.
  or
  &id
  error  text  Why it cannot be answered.

answer check-url-verdict: check | url URL… | lines
  What would become of a URL.
  url         text             As it was given.
  href        text?            As it is read; null: it is no URL.
  forms~      {text?}          Its normal forms, by their names.
  normal      text?            Its normal form.
  key         text?            Its key in the tables.
  slot        integer?         The slot of its host.
  host        text?            Its host.
  domain      text?            Its registrable domain.
  length      integer          Bytes of its normal form.
  parameters  integer          Its parameters.
  loop        text?            What of its path repeats.
  accepted    flag             Whether the crawl would take it.
  rule        text             What decides.
  reason      text             The same in words.
  snapshot~   integer          With a crawl: the snapshot that was looked at.
  known~      flag             With a crawl: whether it has the URL.
  state~      @states?         With a crawl: the state of the URL.
  depth~      integer?         With a crawl: links between a seed and it.
  due~        time?            With a crawl: when it is asked for next.
  robots~     =verdict-robots?  With a crawl: what its robots.txt says; null: not fetched yet.
  holds~      [text]           With a crawl: what holds it back.

answer check-urlfilter-verdict: check | urlfilter FILE URL… | lines
  What a file of rules says of a URL.
  url     text     The URL.
  accept  flag     Whether the rules accept it.
  rule    text     What decides.
  line    integer  The line that decides; 0: none.
  reason  text     The same in words.

answer check-unsupported: check | with a kind that this version lacks | lines
  That there is no check of that name.
  &id
  unsupported  true  This version has no such check.
)text";

}  // namespace trawl
