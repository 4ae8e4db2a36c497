// `trawl check`: lists the kinds, answers JSON lines, or prints the answer to its arguments for people. See check.h.
#include "jobs/verb/verb.h"

#include <sstream>
#include <utility>

#include "formats/text/ascii.h"
#include "jobs/check/check.h"
#include "jobs/check/url_verdict.h"
#include "jobs/check/warc.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/verb/crawl.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/nearest_name.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct CheckOptions {
  std::string agent;
};

const OptionGroup<CheckOptions>& CheckOptionGroup() {
  static const auto group = OptionGroup<CheckOptions>("", "For checks of robots.txt and header fields")
                                .String("agent", &CheckOptions::agent,
                                        "name of the crawler, for the kinds that take one; others ignore it", "TOKEN")
                                .AllMain();
  return group;
}

Status ListKinds(std::ostream& out) {
  for (const CheckKind& kind : CheckKinds()) {
    out << "trawl check " << kind.name << (kind.arguments.empty() ? "" : " " + kind.arguments) << "\n";
  }
  return CheckOutput(out);
}

// The words of "[--agent TOKEN] FILE [URL]" that stand for arguments, without brackets: FILE, URL.
std::vector<std::string> PlacesOf(const std::string& arguments) {
  std::vector<std::string> places;
  std::istringstream words(arguments);
  for (std::string word; words >> word;) {
    std::erase_if(word, [](char c) { return c == '[' || c == ']'; });
    if (!word.starts_with("--") && word != "TOKEN") places.push_back(word);
  }
  return places;
}

// The member of an input that has the bytes of a FILE.
const char* FileMemberOf(const CheckKind& kind) {
  if (kind.name == "html" || kind.name == "tree") return "html";
  if (kind.name == "robots") return "robots";
  return kind.name == "headers" ? "raw" : "body";
}

// The input that a program would send for these arguments: {"html": "…", "url": "…"}.
Result<Json> InputOf(const CheckKind& kind, std::vector<std::string> arguments) {
  Json input = Json::object();
  const bool takes_url = kind.arguments.ends_with("FILE [URL]");
  if (takes_url) input["url"] = kind.name == "html" ? "http://localhost/" : "";
  while (!arguments.empty() && arguments[0].starts_with("--")) {
    const bool is_agent = arguments[0] == "--agent" && arguments.size() > 1;
    if (!is_agent && arguments[0] != "--follow") break;
    input[is_agent ? "agent" : "follow"] = is_agent ? Json(arguments[1]) : Json(true);
    arguments.erase(arguments.begin(), arguments.begin() + (is_agent ? 2 : 1));
  }
  const std::vector<std::string> places = PlacesOf(kind.arguments);
  if (arguments.size() > places.size()) return UsageError("trawl check ", kind.name, " takes ", kind.arguments);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (places[i] == "FILE") {
      ARROW_ASSIGN_OR_RAISE(input[FileMemberOf(kind)], ReadCheckedFile(arguments[i]));
    } else if (places[i].find('|') != std::string::npos) {
      input["form"] = arguments[i];
    } else {
      input[AsciiLower(places[i])] = arguments[i];
    }
  }
  return input;
}

// Prints the answer to the arguments' input, one line per member.
Status PrintAnswer(const CheckKind& kind, const std::vector<std::string>& arguments, std::ostream& out) {
  ARROW_ASSIGN_OR_RAISE(const Json input, InputOf(kind, arguments));
  ARROW_ASSIGN_OR_RAISE(const Json answer, kind.answer(input));
  for (const auto& [name, value] : answer.items()) {
    out << name << ": " << (value.is_string() ? value.get<std::string>() : DumpJson(value)) << "\n";
  }
  return Status::OK();
}

Result<const CheckKind*> FindKind(const std::string& name) {
  std::vector<std::string> names;
  for (const CheckKind& kind : CheckKinds()) {
    if (kind.name == name) return &kind;
    names.push_back(kind.name);
  }
  const std::string nearest = NearestName(name, names);
  return UsageError("there is no check '", name, "'", nearest.empty() ? "" : "; did you mean " + nearest + "?",
                    nearest.empty() ? "; trawl check lists all checks" : " (trawl check lists all checks)");
}

Status PrintCheck(const std::string& name, const std::vector<std::string>& arguments, bool as_json, std::ostream& out) {
  ARROW_ASSIGN_OR_RAISE(const CheckKind* kind, FindKind(name));
  if (kind->arguments.empty())
    return UsageError("trawl check ", name, " takes no arguments; it reads JSON lines on standard input");
  if (as_json) {
    ARROW_ASSIGN_OR_RAISE(const Json input, InputOf(*kind, arguments));
    ARROW_ASSIGN_OR_RAISE(const Json answer, kind->answer(input));
    out << DumpJson(answer) << "\n";
    return CheckOutput(out);
  }
  ARROW_RETURN_NOT_OK(kind->print ? kind->print(arguments, out) : PrintAnswer(*kind, arguments, out));
  return CheckOutput(out);
}

Result<int> RunCheck(VerbContext& context) {
  ProcessContext& process = context.process;
  if (context.arguments.empty()) {
    ARROW_RETURN_NOT_OK(ListKinds(process.out));
    return kExitDone;
  }
  const std::string& kind = context.arguments.front();
  ARROW_ASSIGN_OR_RAISE(const CheckOptions options, context.Read(CheckOptionGroup()));
  std::vector<std::string> arguments(context.arguments.begin() + 1, context.arguments.end());
  if (kind == "url" && !arguments.empty()) return RunUrlChecks(context, arguments);
  if (kind == "urlfilter" && !arguments.empty()) return RunUrlFilter(context, arguments);
  if (kind == "warc" && !arguments.empty()) return RunWarcChecks(context, arguments);
  if (!arguments.empty()) {
    // The name may come from the environment, so kinds that take none ignore it.
    ARROW_ASSIGN_OR_RAISE(const CheckKind* named, FindKind(kind));
    const bool takes_agent = named->arguments.find("--agent ") != std::string::npos;
    if (takes_agent && !options.agent.empty()) arguments.insert(arguments.begin(), {"--agent", options.agent});
    ARROW_RETURN_NOT_OK(PrintCheck(kind, arguments, context.global.json, process.out));
    return kExitDone;
  }
  const Status status = AnswerChecks(kind, process.in, process.out);
  ARROW_RETURN_NOT_OK(CheckOutput(process.out));
  ARROW_RETURN_NOT_OK(status);
  if (process.in.bad()) return Status::IOError("standard input cannot be read");
  ARROW_RETURN_NOT_OK(process.stop.Check());
  return kExitDone;
}

}  // namespace

Verb CheckVerb() {
  return {.name = "check",
          .summary = "show how Trawl reads a URL, robots.txt, page or answer",
          .purpose = VerbPurpose::kDiagnose,
          .arguments = "[KIND [ARGUMENT]…]",
          .most_arguments = kAnyNumber,
          .description =
              "With arguments, prints how the crawler reads them, with the same code that the jobs use. With a KIND "
              "alone, it reads JSON objects from standard input, one per line, and answers each with one line; this is "
              "for programs. Without a KIND it lists the kinds.",
          .examples = {{"What would become of a URL", "trawl check url 'HTTP://Example.com:80/a/../b' --depth 3"},
                       {"Which rule of a file decides", "trawl check urlfilter rules.txt https://example.com/a"},
                       {"Which line of a robots.txt decides",
                        "trawl check robots --agent trawl robots.txt https://example.com/a"},
                       {"Where an archive is damaged", "trawl check warc pages.warc.gz"},
                       {"For a program", "echo '{\"id\":1,\"url\":\"http://a/\"}' | trawl check url"}},
          .groups = {&CheckOptionGroup(), &CheckUrlOptionGroup(), &ScopeOptionGroup()},
          .other_groups = {&NewCrawlOptionGroup(), &FetchOptionGroup(), &RobotsOptionGroup(), &GenerateOptionGroup()},
          .run = RunCheck};
}

}  // namespace trawl
