#include "jobs/verb/verb.h"

#include <algorithm>

#include "jobs/policy/advice.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/typed_root.h"
#include "runtime/process/output.h"
#include "runtime/streaming/options.h"
#include "runtime/terminal/text.h"

namespace trawl {

using arrow::Status;

Status VerbContext::UseSettings(const OptionTexts& settings, const std::string& where) {
  return options.ApplySettings(settings, where);
}

std::unique_ptr<Progress> VerbContext::ShowProgress(ProgressSource source) const {
  const ProgressMode mode = ChooseProgressMode(process.progress_fd, global.quiet);
  return std::make_unique<Progress>(ProgressSettings{mode, process.progress_fd, verb_name}, process.clock,
                                    std::move(source));
}

Status VerbContext::Answer(const Json& json, std::string_view text) {
  if (global.json) {
    process.out << DumpJson(json) << "\n";
  } else {
    process.out << Printable(text);
  }
  return CheckOutput(process.out);
}

Status VerbContext::Summarize(const Json& json, std::string_view text) {
  if (global.json) return Answer(json, "");
  if (!global.quiet) process.err << Printable(text) << std::flush;
  return Status::OK();
}

Status VerbContext::Conclude(const Json& json, std::string_view text, std::string_view notes) {
  if (global.json) return Answer(json, "");
  if (global.quiet) return Status::OK();
  ARROW_RETURN_NOT_OK(Answer(json, WithRoot(text, TypedRoot(options))));
  process.out.flush();  // on a terminal the answer stands above its notes
  Warn(process.err, Printable(notes));
  return Status::OK();
}

OptionGroups GroupsOf(const Verb& verb) {
  OptionGroups groups = verb.groups;
  groups.insert(groups.end(), verb.other_groups.begin(), verb.other_groups.end());
  // Every verb that runs jobs can run them on a cluster.
  const bool runs_jobs = std::find(groups.begin(), groups.end(), &JobOptionGroup()) != groups.end();
  if (runs_jobs) groups.push_back(&StreamingOptionGroup());
  groups.push_back(&GlobalOptionGroup());
  return groups;
}

bool IsMainOption(const Verb& verb, const OptionSpec& option) {
  const auto& others = verb.other_main_options;
  if (std::find(others.begin(), others.end(), option.name) != others.end()) return true;
  OptionGroups groups = verb.groups;
  groups.push_back(&GlobalOptionGroup());
  return option.is_main && FindOption(groups, option.name) == &option;
}

OptionGroups AllGroups(const std::vector<Verb>& verbs) {
  OptionGroups all = {&GlobalOptionGroup()};
  for (const Verb& verb : verbs) {
    for (const AnyOptionGroup* group : GroupsOf(verb)) {
      if (std::find(all.begin(), all.end(), group) == all.end()) all.push_back(group);
    }
  }
  return all;
}

}  // namespace trawl
