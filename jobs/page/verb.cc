// trawl page: shows one page of the crawl: text, body, headers, links, or every fetch of it. Writes nothing but the file
// of --output.
#include <algorithm>
#include <sstream>

#include "jobs/list/listing.h"
#include "jobs/page/page.h"
#include "jobs/page/page_json.h"
#include "jobs/policy/advice.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/typed_root.h"
#include "jobs/verb/url_arguments.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"
#include "runtime/process/whole_file.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct PageOptions {
  bool text = false;
  bool main = false;
  bool markdown = false;
  bool body = false;
  bool headers = false;
  bool links = false;
  bool inlinks = false;
  bool history = false;
  bool items = false;
  std::string output;
};

Status CheckOnePart(const PageOptions& options) {
  const int asked = options.text + options.main + options.markdown + options.body + options.headers + options.links +
                    options.inlinks + options.items + options.history;
  return asked <= 1
             ? Status::OK()
             : UsageError(
                   "--text, --main, --markdown, --body, --headers, --links, --inlinks, --items and --history are one "
                   "at a time; --json has all but the body, the inlinks and the items");
}

const OptionGroup<PageOptions>& PageOptionGroup() {
  static const auto group =
      OptionGroup<PageOptions>("page", "Which part of the page is printed")
          .Bool("text", &PageOptions::text, "print the text alone")
          .Bool("main", &PageOptions::main, "print the main text alone, without menus")
          .Bool("body", &PageOptions::body, "write the bytes of the body, decoded where possible")
          .Bool("headers", &PageOptions::headers, "print the headers of the last answer")
          .Bool("links", &PageOptions::links, "list the links, and which may enter the crawl")
          .Bool("inlinks", &PageOptions::inlinks, "list the pages that link to it, by trawl graph")
          .Bool("items", &PageOptions::items, "list its structured data, such as JSON-LD")
          .Bool("history", &PageOptions::history, "list all stored fetches of it, newest first")
          .String("output", &PageOptions::output, "write into this file; short: -o FILE", "FILE")
          .AllMain();
  return group;
}

// A group without a prefix, whose name wins over the short form of parse.markdown.
const OptionGroup<PageOptions>& MarkdownOptionGroup() {
  static const auto group =
      OptionGroup<PageOptions>("", "Also a part of the page")
          .Bool("markdown", &PageOptions::markdown, "print it as Markdown, as parse.markdown stored it")
          .AllMain();
  return group;
}

Result<PageOptions> ReadPageOptions(const VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(PageOptions options, context.Read(PageOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const PageOptions other, context.Read(MarkdownOptionGroup()));
  options.markdown = other.markdown;
  ARROW_RETURN_NOT_OK(CheckOnePart(options));
  return options;
}

// Writes to the file of --output, or to standard output.
Status Write(VerbContext& context, const PageOptions& options, std::string_view bytes) {
  if (options.output.empty()) {
    context.process.out << bytes;
    return CheckOutput(context.process.out);
  }
  return WriteWholeFile(options.output, bytes);
}

// A part that is not there: says why, and what helps. The exit code is that of "nothing".
Result<int> SayMissing(VerbContext& context, const Page& page, const std::string& what, const std::string& why) {
  Json json = {{"url", page.url}, {what, nullptr}, {"reason", why}, {"advice", TextOrNull(page.advice)}};
  if (context.global.json) {
    ARROW_RETURN_NOT_OK(context.Answer(json, ""));
  } else {
    context.process.err << Printable(page.url + ": " + why + (page.advice.empty() ? "" : "; " + page.advice)) << "\n";
  }
  return kExitNothingDue;
}

Result<int> ShowBody(VerbContext& context, const PageOptions& options, const Page& page) {
  if (!page.body) return SayMissing(context, page, "body", page.no_body);
  const std::string& body = page.body->body;
  if (options.output.empty()) {
    if (context.global.json) return UsageError("--body writes bytes; name a file with -o FILE, or leave out --json");
    if (context.process.is_out_terminal && body.find('\0') != std::string::npos) {
      return UsageError("the body is no text; name a file with -o FILE, or send it through a pipe");
    }
  }
  ARROW_RETURN_NOT_OK(Write(context, options, body));
  const std::string codings = page.body->kept_codings;
  const std::string note = codings.empty() ? "" : "; it is still coded: " + codings;
  // Not said where bytes alone are wanted: they are the page's own, too.
  const std::string shared = page.body_of.empty() ? "" : "; stored once, for " + page.body_of;
  if (options.output.empty()) {
    if (!note.empty() && !context.global.quiet) context.process.err << Printable(page.url + note) << "\n";
    return kExitDone;
  }
  ARROW_RETURN_NOT_OK(context.Summarize(
      {{"url", page.url},
       {"file", options.output},
       {"bytes", body.size()},
       {"content_type", TextOrNull(page.body->content_type)},
       {"kept_codings", TextOrNull(codings)},
       {"body_of", TextOrNull(page.body_of)}},
      ReadableSize(static_cast<int64_t>(body.size())) + " in " + options.output + note + shared + "\n"));
  return kExitDone;
}

template <typename Row>
Status List(VerbContext& context, ListShape shape, const std::vector<Row>& rows) {
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  Listing listing(context, format, std::move(shape));
  for (const Row& row : rows) ARROW_RETURN_NOT_OK(listing.Add(ToJson(row)));
  return listing.Finish();
}

Result<int> ShowLinks(VerbContext& context, const Page& page) {
  if (!page.links) return SayMissing(context, page, "links", page.no_body);
  ARROW_RETURN_NOT_OK(List(context, LinksShape(), *page.links));
  const std::string note = page.links_note.empty() && page.links->empty() ? "the page has no links" : page.links_note;
  if (!note.empty() && !context.global.quiet) {
    context.process.err << Printable(page.url + ": " + note) << "\n";
  }
  return kExitDone;
}

Result<int> ShowItems(VerbContext& context, const Page& page) {
  if (!page.parsed) return SayMissing(context, page, "items", page.no_text);
  ARROW_RETURN_NOT_OK(List(context, ItemsShape(), page.items));
  if (page.items.empty() && !context.global.quiet) {
    const std::string why = page.facts
                                ? "the page has no structured data"
                                : "a version of trawl that knew no items has read it; trawl reparse reads it again";
    context.process.err << Printable(page.url + ": " + why) << "\n";
  }
  return kExitDone;
}

Result<int> ShowInlinks(VerbContext& context, const Page& page) {
  if (page.graph_snapshot < 0) return SayMissing(context, page, "inlinks", "the crawl has no graph yet");
  if (!page.is_known() && page.inlinks.links == 0) return SayMissing(context, page, "inlinks", "not in the crawl");
  ARROW_ASSIGN_OR_RAISE(const Json json, InlinksJson(page));
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  if (context.global.json && format == ListFormat::kJsonLines) {
    context.process.out << DumpJson(json) << "\n";
    ARROW_RETURN_NOT_OK(CheckOutput(context.process.out));
    return kExitDone;
  }
  Listing listing(context, format, InlinksShape());
  for (const Json& link : json["inlinks"]) ARROW_RETURN_NOT_OK(listing.Add(link));
  ARROW_RETURN_NOT_OK(listing.Finish());
  const auto listed = static_cast<int64_t>(json["inlinks"].size());
  if (listed == 0 && !context.global.quiet) {
    context.process.err << Printable(page.url + ": no page links to it, as of snapshot " +
                                     std::to_string(page.graph_snapshot) + ", of which the graph is")
                        << "\n";
  }
  if (listed < page.inlinks.links && !context.global.quiet) {
    context.process.err << ReadableCount(page.inlinks.links) << " pages link to it; these are the first "
                        << ReadableCount(listed) << "\n";
  }
  return kExitDone;
}

Result<int> ShowHistory(VerbContext& context, const Page& page) {
  if (page.history.empty())
    return SayMissing(context, page, "history", page.is_known() ? "no fetch of it is stored" : page.no_text);
  ARROW_RETURN_NOT_OK(List(context, HistoryShape(), page.history));
  return kExitDone;
}

Result<int> ShowHeaders(VerbContext& context, const PageOptions& options, const Page& page) {
  const std::string text = HeadersText(page);
  if (text.empty()) {
    const std::string why =
        page.row && page.row->fetches > 0 ? "its answers lie in segments that are gone" : page.no_text;
    return SayMissing(context, page, "headers", why.empty() ? "no answer is stored" : why);
  }
  if (context.global.json) {
    const FetchRow& row = page.answer ? *page.answer : *page.body_answer;
    ARROW_RETURN_NOT_OK(context.Answer({{"url", page.url},
                                        {"status", row.status},
                                        {"fetched_at", TimeJson(row.fetched_ms)},
                                        {"headers", HeadersJson(row.response_headers)}},
                                       ""));
    return kExitDone;
  }
  ARROW_RETURN_NOT_OK(Write(context, options, Printable(text)));
  return kExitDone;
}

Result<int> ShowText(VerbContext& context, const PageOptions& options, const Page& page) {
  if (!page.no_text.empty()) return SayMissing(context, page, "text", page.no_text);
  if (context.global.json) {
    ARROW_RETURN_NOT_OK(
        context.Answer({{"url", page.url}, {"title", page.parsed->title}, {"text", page.parsed->text}}, ""));
    return kExitDone;
  }
  ARROW_RETURN_NOT_OK(Write(context, options, page.parsed->text + "\n"));
  return kExitDone;
}

// Why a part is missing that parse makes besides the text.
std::string WhyNoFact(const Page& page, bool was_made, const std::string& otherwise) {
  if (!page.no_text.empty()) return page.no_text;
  return was_made ? otherwise : "it was parsed without that; trawl reparse --all reads stored pages again";
}

Result<int> ShowFact(VerbContext& context, const PageOptions& options, const Page& page, const std::string& name,
                     const std::string& text, const std::string& why) {
  if (text.empty()) return SayMissing(context, page, name, why);
  if (context.global.json) {
    ARROW_RETURN_NOT_OK(context.Answer({{"url", page.url}, {"title", page.parsed->title}, {name, text}}, ""));
    return kExitDone;
  }
  ARROW_RETURN_NOT_OK(Write(context, options, text + "\n"));
  return kExitDone;
}

Result<int> ShowMain(VerbContext& context, const PageOptions& options, const Page& page) {
  const bool was_made = page.facts && page.facts->main_rule != 0;
  return ShowFact(context, options, page, "main_text", page.facts ? page.facts->main_text : "",
                  WhyNoFact(page, was_made, "it has no prose that stands out from what is around it"));
}

Result<int> ShowMarkdown(VerbContext& context, const PageOptions& options, const Page& page) {
  const std::string markdown = page.facts ? page.facts->markdown : "";
  return ShowFact(context, options, page, "markdown", markdown,
                  page.no_text.empty() ? "it was parsed without parse.markdown; trawl reparse --all --parse.markdown "
                                         "reads stored pages again"
                                       : page.no_text);
}

Result<int> ShowAll(VerbContext& context, const PageOptions& options, const Page& page) {
  const std::string text = context.global.json ? DumpJson(ToJson(page)) + "\n" : Printable(SummaryText(page));
  ARROW_RETURN_NOT_OK(Write(context, options, text));
  return page.is_known() && page.no_text.empty() ? kExitDone : kExitNothingDue;
}

Result<int> RunPage(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const PageOptions options, ReadPageOptions(context));
  ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfArgument(context.arguments.front(), crawl->normal_form()));
  const bool wants_all = !options.text && !options.main && !options.markdown && !options.body && !options.headers &&
                         !options.links && !options.inlinks && !options.items && !options.history;
  const PageParts parts = {.answer = wants_all || options.headers,
                           .body = options.body,
                           .text = !options.body && !options.links && !options.inlinks,
                           .links = wants_all || options.links,
                           .history = options.history,
                           .inlinks = options.inlinks,
                           .items = options.items};
  const PageContext page_context = {.store = crawl->store(),
                                    .snapshot = &crawl->manifest(),
                                    .options = context.options.texts(),
                                    .now_ms = context.global.now_ms};
  ARROW_ASSIGN_OR_RAISE(Page page, ReadPage(page_context, key, parts));
  page.advice = WithRoot(page.advice, TypedRoot(context.options));
  const auto show = [&]() -> Result<int> {
    if (options.body) return ShowBody(context, options, page);
    if (options.links) return ShowLinks(context, page);
    if (options.inlinks) return ShowInlinks(context, page);
    if (options.items) return ShowItems(context, page);
    if (options.history) return ShowHistory(context, page);
    if (options.headers) return ShowHeaders(context, options, page);
    if (options.text) return ShowText(context, options, page);
    if (options.main) return ShowMain(context, options, page);
    if (options.markdown) return ShowMarkdown(context, options, page);
    return ShowAll(context, options, page);
  };
  // Lists and JSON go to standard output by themselves; with -o they are caught on their way.
  const bool is_list = options.links || options.inlinks || options.items || options.history;
  const bool is_caught =
      is_list || (context.global.json && (options.headers || options.text || options.main || options.markdown));
  if (options.output.empty() || !is_caught || options.body) return show();
  std::stringbuf caught;
  std::streambuf* const out = context.process.out.rdbuf(&caught);
  const Result<int> code = show();
  context.process.out.rdbuf(out);
  ARROW_RETURN_NOT_OK(code.status());
  ARROW_RETURN_NOT_OK(WriteWholeFile(options.output, caught.str()));
  return code;
}

}  // namespace

Verb PageVerb() {
  return {.name = "page",
          .summary = "show one page: its text, main text, body, headers or links",
          .purpose = VerbPurpose::kLook,
          .arguments = "URL",
          .least_arguments = 1,
          .most_arguments = 1,
          .description =
              "Shows the page as the crawl has it now: the newest stored text, even if the last answer was 304 or an "
              "error. Where something is missing, it says why and what helps, and the exit code is 1. Files and "
              "pipes get text and body byte by byte; a terminal gets no control characters.",
          .examples = {{"What the crawl has of a page", "trawl page https://www.example.com/"},
                       {"Its body as a file", "trawl page https://www.example.com/ --body -o page.html"},
                       {"Its main text, without menus", "trawl page https://www.example.com/ --main"},

                       {"All of it for a program", "trawl page https://www.example.com/ --json"}},
          .groups = {&PageOptionGroup(), &MarkdownOptionGroup(), &FormatOptionGroup(), &ReadingOptionGroup()},
          .other_groups = PageLinkGroups(),
          .run = RunPage};
}

}  // namespace trawl
