// `trawl completion SHELL`: the script that a shell loads. What it calls at each Tab is jobs/completion/answer.h.
#include "jobs/verb/verb.h"

#include "jobs/completion/scripts.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"

namespace trawl {

namespace {

arrow::Result<int> RunCompletion(VerbContext& context) {
  const std::string& shell = context.arguments.front();
  const std::string_view script = CompletionScript(shell);
  if (script.empty())
    return UsageError("there is no completion for '", shell.substr(0, 80), "'; write bash, zsh or fish");
  context.process.out << script;
  ARROW_RETURN_NOT_OK(CheckOutput(context.process.out));
  return kExitDone;
}

}  // namespace

Verb CompletionVerb() {
  return {
      .name = "completion",
      .summary = "print the script with which a shell completes commands",
      .purpose = VerbPurpose::kDiagnose,
      .arguments = "bash|zsh|fish",
      .least_arguments = 1,
      .most_arguments = 1,
      .description =
          "Prints a script for bash, zsh or fish. A shell that has loaded it completes verbs, options, values, files "
          "and folders, and the ids of segments, jobs and snapshots of a crawl on this machine: that of --root, "
          "TRAWL_ROOT or a config file, else ./crawl. A crawl on HDFS or S3 is not asked.",
      .examples = {{"In this bash", ". <(trawl completion bash)"},
                   {"In every bash", "trawl completion bash > ~/.local/share/bash-completion/completions/trawl"},
                   {"In every zsh, where that folder is in $fpath", "trawl completion zsh > ~/.zfunc/_trawl"},
                   {"In every fish", "trawl completion fish > ~/.config/fish/completions/trawl.fish"}},
      .run = RunCompletion};
}

}  // namespace trawl
