// `trawl docs`: the page docs/options.md, printed from the option table.
#include "jobs/program/help.h"
#include "jobs/verb/verb.h"
#include "runtime/process/output.h"

namespace trawl {

namespace {

arrow::Result<int> RunDocs(VerbContext& context) {
  context.process.out << OptionsPage(Verbs());
  ARROW_RETURN_NOT_OK(CheckOutput(context.process.out));
  return kExitDone;
}

}  // namespace

Verb DocsVerb() {
  return {.name = "docs",
          .summary = "print the page of all options",
          .description = "Prints docs/options.md from the option table.",
          .examples = {{"Bring the page up to date", "trawl docs > docs/options.md"}},
          .run = RunDocs,
          .is_hidden = true};
}

}  // namespace trawl
