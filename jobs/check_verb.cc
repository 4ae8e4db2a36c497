// `trawl check`: lists the kinds, answers JSON lines, or prints readably what the arguments ask for. See check.h.
#include "jobs/check.h"
#include "jobs/verb.h"
#include "runtime/nearest_name.h"
#include "runtime/output.h"
#include "runtime/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Status ListKinds(std::ostream& out) {
  for (const CheckKind& kind : CheckKinds()) {
    out << "trawl check " << kind.name << (kind.arguments.empty() ? "" : " " + kind.arguments) << "\n";
  }
  return CheckOutput(out);
}

Status PrintCheck(const std::string& name, const std::vector<std::string>& arguments, std::ostream& out) {
  std::vector<std::string> names;
  for (const CheckKind& kind : CheckKinds()) {
    names.push_back(kind.name);
    if (kind.name != name) continue;
    if (!kind.print) return UsageError("trawl check ", name, " takes no arguments; it reads JSON lines on standard input");
    ARROW_RETURN_NOT_OK(kind.print(arguments, out));
    return CheckOutput(out);
  }
  const std::string nearest = NearestName(name, names);
  return UsageError("there is no check '", name, "'", nearest.empty() ? "" : "; did you mean " + nearest + "?",
                    nearest.empty() ? "; trawl check lists them" : " (trawl check lists them)");
}

Result<int> RunCheck(VerbContext& context) {
  ProcessContext& process = context.process;
  if (context.arguments.empty()) {
    ARROW_RETURN_NOT_OK(ListKinds(process.out));
    return kExitDone;
  }
  const std::string& kind = context.arguments.front();
  if (context.arguments.size() > 1) {
    ARROW_RETURN_NOT_OK(PrintCheck(kind, {context.arguments.begin() + 1, context.arguments.end()}, process.out));
    return kExitDone;
  }
  // Whoever sends one line and waits for its answer gets it: what is written goes out before the next read.
  std::ostream* const tied = process.in.tie(&process.out);
  const Status status = AnswerChecks(kind, process.in, process.out);
  process.in.tie(tied);
  ARROW_RETURN_NOT_OK(CheckOutput(process.out));
  ARROW_RETURN_NOT_OK(status);
  return kExitDone;
}

}  // namespace

Verb CheckVerb() {
  return {.name = "check",
          .summary = "show what the crawler makes of a URL, a robots.txt, a page or an answer",
          .arguments = "[KIND [ARGUMENT]…]",
          .most_arguments = kAnyNumber,
          .description = "With arguments it prints what the crawler makes of them, with the very code that the jobs use. Without, "
                         "it reads one JSON object a line on standard input and answers each with one, which is for programs. "
                         "Without a kind it lists the kinds.",
          .examples = {{"What becomes of a URL", "trawl check url 'HTTP://Example.com:80/a/../b'"},
                       {"The same for a program", "echo '{\"id\":1,\"url\":\"http://a/\"}' | trawl check url"}},
          .run = RunCheck};
}

}  // namespace trawl
