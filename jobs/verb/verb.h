// The door of jobs/verb: a verb of the binary as a value, `trawl VERB`. Start here to add one.
//
// A verb is one function `Verb NameVerb()` in the file of its job, which describes it and names the function that runs
// it, and one line in jobs/program/verbs.cc. Help, option checking, exit codes and signals come from
// jobs/program/command.h.
#pragma once

#include <cstddef>
#include <istream>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/json.h"
#include "jobs/verb/exit_code.h"
#include "runtime/options/global.h"
#include "runtime/options/resolve.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/terminal/event_log.h"
#include "runtime/terminal/progress.h"

namespace trawl {

// The streams and surroundings of the process. Tests hand in their own.
struct ProcessContext {
  std::vector<std::string> environment;  // NAME=VALUE
  std::istream& in;
  // Answers go to `out`, everything else to `err`.
  std::ostream& out;
  std::ostream& err;
  StopToken stop;
  const Clock& clock;
  // Where progress is shown; -1 for nowhere.
  int progress_fd = -1;
  // The width of a table on `out`.
  size_t out_columns = 80;
  bool is_out_terminal = false;
  // May be null.
  EventLog* log = nullptr;
};

// A running verb's arguments, options and surroundings.
struct VerbContext {
  ProcessContext& process;
  std::string verb_name;
  // They come after the verb and between its options; their number has been checked.
  std::vector<std::string> arguments;
  // Every option of the verb's groups; UseSettings adds the crawl's settings.
  EffectiveOptions options;
  // threads, temp_dir and now are filled in; the plan's texts have them too.
  GlobalOptions global;

  template <typename T>
  arrow::Result<T> Read(const OptionGroup<T>& group) const {
    return options.Read(group);
  }
  // Call it once the crawl is open and before options are read. `where` says whose they are: "settings of snapshot 42".
  arrow::Status UseSettings(const OptionTexts& settings, const std::string& where);

  // Shows what long work is doing until the result is destroyed.
  std::unique_ptr<Progress> ShowProgress(ProgressSource source) const;
  // Prints the answer that the verb was asked for on standard output: `json` with --json, else `text`.
  arrow::Status Answer(const Json& json, std::string_view text);
  // Reports what the verb has done: with --json as `json` on standard output, else as `text` on standard error unless
  // --quiet.
  arrow::Status Summarize(const Json& json, std::string_view text);
  // The same for a verb whose summary is all that it answers: `text` goes to standard output, and `notes`, the lines about
  // single records and what to type next, go to standard error.
  arrow::Status Conclude(const Json& json, std::string_view text, std::string_view notes);
};

// The purpose for which a user looks for a verb. `trawl --help` lists the verbs under these, in this order.
enum class VerbPurpose { kRun, kLook, kSteer, kStep, kShrink, kDiagnose };

struct VerbExample {
  std::string what;     // "Only the hundred best"
  std::string command;  // "trawl generate --top_n 100"
};

struct Verb {
  // One word, or two where a family has several: "readdb stats".
  std::string name;
  // One line, for the list of verbs: "choose what to fetch next".
  std::string summary;
  VerbPurpose purpose = VerbPurpose::kRun;
  // For the usage line: "SEED…". Empty where there are none.
  std::string arguments = {};
  size_t least_arguments = 0;
  size_t most_arguments = 0;
  // A paragraph for newcomers.
  std::string description = {};
  std::vector<VerbExample> examples = {};
  // The groups that the verb is about. Its short help shows their main options, and those of the global group.
  OptionGroups groups = {};
  // Groups that it obeys too, such as the rules of a step whose work it plans.
  OptionGroups other_groups = {};
  // Full names of further options that the short help shows, without the mark of their group.
  std::vector<std::string> other_main_options = {};
  // Returns an exit code. A failed Status is printed as one line, and its kind (runtime/process/status_detail.h)
  // decides the exit code.
  arrow::Result<int> (*run)(VerbContext& context) = nullptr;
  // Whether it is left out of the list of verbs.
  bool is_hidden = false;
};

inline constexpr size_t kAnyNumber = std::numeric_limits<size_t>::max();

// Every verb, in the order of the help text.
const std::vector<Verb>& Verbs();

// All groups of the verb; the global one comes last.
OptionGroups GroupsOf(const Verb& verb);
// Whether the verb's short help shows the option.
bool IsMainOption(const Verb& verb, const OptionSpec& option);
// The global group and every group of any verb, each once.
OptionGroups AllGroups(const std::vector<Verb>& verbs);

}  // namespace trawl
