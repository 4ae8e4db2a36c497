#include "jobs/program/command.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>

#include "jobs/completion/answer.h"
#include "jobs/metrics/metrics_file.h"
#include "jobs/policy/advice.h"
#include "jobs/program/help.h"
#include "jobs/program/libraries.h"
#include "jobs/program/rooted_stream.h"
#include "jobs/verb/find_verb.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/typed_root.h"
#include "jobs/verb/version.h"
#include "runtime/process/input.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/nearest_name.h"
#include "runtime/terminal/printable_stream.h"
#include "runtime/terminal/progress.h"
#include "runtime/terminal/text.h"

namespace trawl {

using arrow::Result;
using arrow::Status;
using Words = std::vector<std::string>;

namespace {

enum class AskedHelp { kNone, kShort, kFull };

// Options may stand around --help, so that it can be added to any command; of other words only `all` may follow it.
// `command` is for messages: "trawl crawl".
Result<AskedHelp> ReadHelp(const std::string& command, const Words& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  auto at = std::find_if(words.begin(), end, IsHelp);
  if (at == end) return AskedHelp::kNone;
  const bool has_value = at->starts_with(kHelpIs);
  std::string topic = has_value ? at->substr(sizeof kHelpIs - 1) : "";
  ++at;
  if (!has_value && at != end && !at->starts_with('-')) topic = *at++;
  const bool is_known = topic == kAll || (topic.empty() && !has_value);
  if (is_known && (at == end || at->starts_with('-'))) return topic == kAll ? AskedHelp::kFull : AskedHelp::kShort;
  return UsageError("'", (is_known ? *at : topic).substr(0, 80), "' after --help is not known; write ", command,
                    " --help, or ", command, " --help all for every option");
}

Status UnknownVerb(const std::vector<Verb>& verbs, const Words& words) {
  if (words[0].front() == '-')
    return UsageError("the verb comes first: trawl VERB ", words[0].substr(0, 80), " …; trawl --help lists the verbs");
  const bool is_family = !FamilyHelp(verbs, words[0]).empty();
  const std::string typed = is_family && words.size() > 1 ? words[0] + " " + words[1] : words[0];
  std::vector<std::string> names;
  for (const Verb& verb : verbs) {
    if (!verb.is_hidden) names.push_back(verb.name);
  }
  const std::string nearest = NearestName(typed, names);
  const std::string list = is_family ? "trawl " + words[0] + " --help lists them" : "trawl --help lists the verbs";
  return UsageError("there is no verb '", typed.substr(0, 80), "'",
                    nearest.empty() ? "; " + list : "; did you mean " + nearest + "? (" + list + ")");
}

// The first line is that of every version; then the commit, where it is known, and the libraries.
Status PrintVersion(const Words& words, std::ostream& out) {
  const bool wants_json = words.size() == 2 && words[1] == "--json";
  if (words.size() > 1 && !wants_json)
    return UsageError("'", words[1].substr(0, 80),
                      "' after --version is not known; write trawl --version, or trawl --version --json");
  if (wants_json) {
    Json libraries = Json::object();
    for (const Library& library : Libraries()) libraries[library.name] = library.version;
    Json json = {{"version", kVersion}, {"commit", nullptr}, {"changed", kIsCommitChanged}, {"libraries", libraries}};
    if (!kCommit.empty()) json["commit"] = kCommit;
    out << DumpJson(json) << "\n";
    return Status::OK();
  }
  out << "trawl " << kVersion << "\n";
  if (!kCommit.empty()) out << "commit " << kCommit << (kIsCommitChanged ? ", with changes" : "") << "\n";
  for (const Library& library : Libraries()) out << library.name << " " << library.version << "\n";
  return Status::OK();
}

// Answers help, versions, shells and families, which need no verb. Nothing where a verb must be found.
Result<std::optional<int>> AnswerWithoutVerb(const std::vector<Verb>& verbs, const Words& words,
                                             ProcessContext& process) {
  if (words.empty()) {
    process.err << GeneralHelp(verbs);
    return kExitUsage;
  }
  const bool is_bare_help = words[0] == "help" && words.size() == 1;
  if (is_bare_help || IsHelp(words[0])) {
    if (!is_bare_help) ARROW_RETURN_NOT_OK(ReadHelp("trawl VERB", words));
    process.out << GeneralHelp(verbs);
    return kExitDone;
  }
  if (words[0] == "--version") {
    ARROW_RETURN_NOT_OK(PrintVersion(words, process.out));
    return kExitDone;
  }
  if (IsCompletionRequest(words)) {
    process.out << AnswerCompletion(verbs, words, process.environment);
    return kExitDone;
  }
  const std::string family = FindVerb(verbs, words).verb == nullptr ? FamilyHelp(verbs, words[0]) : "";
  if (!family.empty() && (words.size() == 1 || IsHelp(words[1]))) {
    ARROW_RETURN_NOT_OK(ReadHelp("trawl " + words[0] + " VERB", words));
    (words.size() == 1 ? process.err : process.out) << family;
    return words.size() == 1 ? kExitUsage : kExitDone;
  }
  return std::nullopt;
}

Status CheckArguments(const Verb& verb, const Words& arguments) {
  const std::string usage = "; write  trawl " + verb.name + (verb.arguments.empty() ? "" : " " + verb.arguments);
  if (arguments.size() < verb.least_arguments) return UsageError("trawl ", verb.name, " needs more arguments", usage);
  if (arguments.size() <= verb.most_arguments) return Status::OK();
  return UsageError("trawl ", verb.name, ": '", arguments[verb.most_arguments].substr(0, 80),
                    "' is one argument too many", usage);
}

// Runs the verb with a --metrics_file, if there is to be one. A file that cannot be replaced at the end fails no verb.
Result<int> RunMeasured(const Verb& verb, VerbContext& context) {
  if (context.global.metrics_file.empty()) return verb.run(context);
  const std::string& root = context.global.root;
  MetricsFileOptions options = {
      .file = context.global.metrics_file,
      .libhdfs = context.global.libhdfs,
      .metrics = {.crawl = NameOfRoot(root), .root = root, .threads = context.global.threads}};
  if (const Result<JobOptions> job = context.Read(JobOptionGroup()); job.ok()) {
    options.metrics.filter_rate = job->bloom_false_positives;
  }
  ARROW_ASSIGN_OR_RAISE(const auto file, MetricsFile::Start(options, context.process.clock));
  Result<int> code = verb.run(context);
  if (const Status written = file->Finish(); !written.ok())
    context.process.err << "trawl: " << written.message() << "\n";
  return code;
}

// Runs the verb with a log. Where the log goes to standard error, the texts for people become events of it; else they
// are in both.
Result<int> RunLogged(const Verb& verb, ResolvedOptions resolved, const GlobalOptions& global,
                      ProcessContext& process) {
  const bool is_on_err = global.log_file.empty();
  const LogFormat format = global.log_format == LogFormat::kOff ? LogFormat::kText : global.log_format;
  ARROW_ASSIGN_OR_RAISE(const auto log, EventLog::Open(format, global.log_file, process.clock));
  LoggedStream err(*log, is_on_err ? nullptr : &process.err);
  ProcessContext logged{process.environment,
                        process.in,
                        process.out,
                        err,
                        process.stop,
                        process.clock,
                        is_on_err ? -1 : process.progress_fd,
                        process.out_columns,
                        process.is_out_terminal,
                        log.get()};
  const Json about = {{"verb", verb.name}, {"root", global.root}, {"pid", getpid()}};
  log->Write(LogLevel::kInfo, "verb_began", about);
  VerbContext context{logged, verb.name, std::move(resolved.positional), std::move(resolved.options), global};
  Result<int> code = RunMeasured(verb, context);
  Json end = about;
  end["exit"] = code.ok() ? *code : ExitCodeOf(code.status());
  if (!code.ok()) end["text"] = code.status().message();
  log->Write(end["exit"] == kExitDone || end["exit"] == kExitStopped ? LogLevel::kInfo : LogLevel::kError, "verb_ended",
             end);
  if (!code.ok() && is_on_err) return ExitCodeOf(code.status());
  return code;
}

Result<int> RunResolved(const Verb& verb, ResolvedOptions resolved, const GlobalOptions& global,
                        ProcessContext& process) {
  const bool is_logged = global.log_format != LogFormat::kOff || !global.log_file.empty();
  if (is_logged) return RunLogged(verb, std::move(resolved), global, process);
  VerbContext context{process, verb.name, std::move(resolved.positional), std::move(resolved.options), global};
  return RunMeasured(verb, context);
}

Result<int> RunVerb(const std::vector<Verb>& verbs, const Verb& verb, const Words& words, ProcessContext& process) {
  ARROW_ASSIGN_OR_RAISE(ResolvedOptions resolved, ResolveOptions("trawl " + verb.name, GroupsOf(verb), AllGroups(verbs),
                                                                 {words, process.environment}));
  ARROW_RETURN_NOT_OK(CheckArguments(verb, resolved.positional));
  ARROW_ASSIGN_OR_RAISE(const GlobalOptions given, resolved.options.Read(GlobalOptionGroup()));
  if (given.root.empty()) return UsageError("--root is empty; write a path, hdfs://… or s3://…");
  const GlobalOptions global = Completed(given, process.environment, process.clock);
  resolved.options.FillIn(GlobalOptionGroup().Print(global));
  const std::string root = TypedRoot(resolved.options);
  if (root.empty()) return RunResolved(verb, std::move(resolved), global, process);
  RootedStream err(process.err, root);
  ProcessContext rooted{process.environment,
                        process.in,
                        process.out,
                        err,
                        process.stop,
                        process.clock,
                        process.progress_fd,
                        process.out_columns,
                        process.is_out_terminal,
                        process.log};
  const Result<int> code = RunResolved(verb, std::move(resolved), global, rooted);
  if (code.ok()) return code;
  return code.status().WithMessage(WithRoot(code.status().message(), root));
}

Result<int> FindAndRun(const std::vector<Verb>& verbs, Words words, ProcessContext& process) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<int> code, AnswerWithoutVerb(verbs, words, process));
  if (code) return *code;
  if (words[0] == "help") {
    words.erase(words.begin());
    const bool wants_all = words.size() > 1 && words.back() == kAll;
    words.insert(words.end() - (wants_all ? 1 : 0), "--help");
    return FindAndRun(verbs, words, process);
  }
  const FoundVerb found = FindVerb(verbs, words);
  if (found.verb == nullptr) return UnknownVerb(verbs, words);
  words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(found.words));
  ARROW_ASSIGN_OR_RAISE(const AskedHelp help, ReadHelp("trawl " + found.verb->name, words));
  if (help != AskedHelp::kNone) {
    process.out << (help == AskedHelp::kFull ? FullVerbHelp(*found.verb) : VerbHelp(*found.verb));
    return kExitDone;
  }
  return RunVerb(verbs, *found.verb, words, process);
}

// The width of a table: what $COLUMNS says, as for other programs, else the terminal's. A pipe has no width of its own.
size_t OutColumns(const Words& environment) {
  constexpr std::string_view kName = "COLUMNS=";
  constexpr size_t kLeast = 20, kMost = 10'000;
  for (const std::string& variable : environment) {
    if (!variable.starts_with(kName)) continue;
    size_t columns = 0;
    const char* const end = variable.data() + variable.size();
    const auto [last, error] = std::from_chars(variable.data() + kName.size(), end, columns);
    if (error == std::errc() && last == end && columns >= kLeast) return std::min(columns, kMost);
  }
  return TerminalColumns(STDOUT_FILENO);
}

// Makes a message one line.
void PrintFailure(const Status& status, std::ostream& err) {
  std::string message = Printable(status.message());
  std::replace(message.begin(), message.end(), '\n', ' ');
  err << "trawl: " << message << std::endl;
}

}  // namespace

int ExitCodeOf(const Status& status) {
  if (status.ok()) return kExitDone;
  const std::optional<StatusKind> kind = KindOf(status);
  if (!kind) return kExitFailed;
  switch (*kind) {
    case StatusKind::kUsage:
      return kExitUsage;
    case StatusKind::kConflict:
      return kExitConflict;
    case StatusKind::kStopped:
      return kExitStopped;
    case StatusKind::kOutputClosed:
      return kExitDone;  // the reader has gone away
  }
  return kExitFailed;
}

namespace {

// On a terminal nothing that a site has sent is a command. Files and pipes get the bytes as they are.
Result<int> FindAndRunHere(const std::vector<Verb>& verbs, const Words& words, ProcessContext& process) {
  if (!process.is_out_terminal) return FindAndRun(verbs, words, process);
  PrintableStream out(process.out);
  ProcessContext shown{process.environment, process.in,          out,
                       process.err,         process.stop,        process.clock,
                       process.progress_fd, process.out_columns, process.is_out_terminal,
                       process.log};
  return FindAndRun(verbs, words, shown);
}

}  // namespace

int RunCommand(const std::vector<Verb>& verbs, const Words& arguments, ProcessContext& process) {
  const Result<int> code = FindAndRunHere(verbs, arguments, process);
  if (code.ok()) return *code;
  if (KindOf(code.status()) != StatusKind::kOutputClosed) PrintFailure(code.status(), process.err);
  return ExitCodeOf(code.status());
}

int RunProcess(int argc, char** argv, char** environment) {
  const Result<StopSource> stop = StopSource::Make();
  if (!stop.ok()) {
    PrintFailure(stop.status(), std::cerr);
    return kExitFailed;
  }
  const StopOnSignals signals(*stop);
  Words variables;
  for (char** variable = environment; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  OutputStream out(STDOUT_FILENO);
  InputStream in(STDIN_FILENO, stop->token(), &out);
  const size_t columns = OutColumns(variables);
  ProcessContext process{
      std::move(variables),      in, out, std::cerr, stop->token(), SystemClock(), STDERR_FILENO, columns,
      isatty(STDOUT_FILENO) == 1};
  const int code = RunCommand(Verbs(), Words(argv + std::min(argc, 1), argv + argc), process);
  const Status written = out.Finish();
  if (written.ok() || KindOf(written) == StatusKind::kOutputClosed) return code;
  PrintFailure(written, std::cerr);
  return code == kExitStopped ? code : kExitFailed;
}

}  // namespace trawl
