#include "runtime/streaming/hadoop_client.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "formats/hadoop/kerberos.h"
#include "formats/text/ascii.h"
#include "runtime/process/child_process.h"
#include "runtime/process/own_process.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

namespace stdfs = std::filesystem;

bool IsExecutable(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

std::string OnPath(const std::string& program) {
  const std::string path = Environment("PATH");
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const std::string candidate = path.substr(begin, end - begin) + "/" + program;
    if (IsExecutable(candidate)) return candidate;
    begin = end + 1;
  }
  return "";
}

Result<std::string> FindCommand(const std::string& wanted) {
  if (!wanted.empty()) {
    if (IsExecutable(wanted)) return wanted;
    const std::string found = OnPath(wanted);
    return found.empty() ? UsageError("--streaming.hadoop ", wanted, ": there is no such command")
                         : Result<std::string>(found);
  }
  const std::string home = Environment("HADOOP_HOME");
  if (!home.empty() && IsExecutable(home + "/bin/hadoop")) return home + "/bin/hadoop";
  std::string found = OnPath("hadoop");
  if (!found.empty()) return found;
  return UsageError(
      "--runner streaming needs a Hadoop client on this machine: set HADOOP_HOME, or give --streaming.hadoop FILE");
}

// Returns the newest hadoop-streaming-*.jar (not of sources or tests) of a folder; empty where it has no such file.
std::string JarIn(const std::string& folder) {
  std::string best;
  std::error_code ignored;
  for (const auto& entry : stdfs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    const bool is_jar = name.starts_with("hadoop-streaming") && name.ends_with(".jar") &&
                        name.find("-sources") == std::string::npos && name.find("-tests") == std::string::npos;
    if (is_jar) best = std::max(best, entry.path().string());
  }
  return best;
}

Result<std::string> FindJar(const std::string& wanted, const std::string& command) {
  if (!wanted.empty()) {
    if (access(wanted.c_str(), R_OK) == 0) return wanted;
    return UsageError("--streaming.jar ", wanted, ": cannot be read");
  }
  std::error_code ignored;
  const std::string beside = stdfs::canonical(command, ignored).parent_path().parent_path();
  for (const std::string& home : {Environment("HADOOP_HOME"), beside, std::string("/usr/lib/hadoop")}) {
    for (const char* folder : {"/share/hadoop/tools/lib", "", "-mapreduce", "/../hadoop-mapreduce"}) {
      const std::string jar = home.empty() ? "" : JarIn(home + folder);
      if (!jar.empty()) return jar;
    }
  }
  return UsageError("there is no hadoop-streaming jar below HADOOP_HOME: give --streaming.jar FILE");
}

bool IsIdDigit(char c) { return IsAsciiDigit(c) || c == '_'; }

}  // namespace

Result<HadoopClient> FindHadoop(const StreamingOptions& options) {
  HadoopClient client;
  ARROW_ASSIGN_OR_RAISE(client.command, FindCommand(options.hadoop));
  ARROW_ASSIGN_OR_RAISE(client.streaming_jar, FindJar(options.jar, client.command));
  return client;
}

std::string ApplicationIn(const std::string& printed) {
  constexpr std::string_view kBefore = "Submitted application ";
  const size_t found = printed.rfind(kBefore);
  if (found == std::string::npos) return "";
  const size_t begin = found + kBefore.size();
  constexpr std::string_view kId = "application_";
  if (printed.compare(begin, kId.size(), kId) != 0) return "";
  size_t end = begin + kId.size();
  while (end < printed.size() && IsIdDigit(printed[end])) ++end;
  return printed.substr(begin, end - begin);
}

std::string ReasonIn(const std::string& printed) {
  std::string reason;
  std::string last;
  for (size_t begin = 0; begin < printed.size();) {
    const size_t end = std::min(printed.find('\n', begin), printed.size());
    const std::string line(TrimBytes(std::string_view(printed).substr(begin, end - begin), " \t\r"));
    begin = end + 1;
    if (line.empty() || line.starts_with("at ")) continue;
    last = line;
    const bool tells = line.find("ERROR") != std::string::npos || line.find("Exception") != std::string::npos ||
                       line.find("Error") != std::string::npos;
    if (tells && reason.empty()) reason = line;
  }
  return (reason.empty() ? last : reason).substr(0, 500);
}

Result<std::string> SubmitStreaming(const HadoopClient& client, const std::vector<std::string>& arguments,
                                    const StopToken& stop) {
  ChildRequest request{.command = {client.command, "jar", client.streaming_jar}, .stop = stop};
  request.command.insert(request.command.end(), arguments.begin(), arguments.end());
  ARROW_ASSIGN_OR_RAISE(const ChildResult result, RunChild(request));
  std::string application = ApplicationIn(result.err + "\n" + result.out);
  if (!application.empty()) return application;
  ARROW_RETURN_NOT_OK(stop.Check());
  const std::string printed = result.err + "\n" + result.out;
  // Of a missing ticket several lines tell; the first is often a warning that it could not be renewed.
  return Status::IOError(client.command, " submitted nothing (exit code ", result.exit_code, "): ", ReasonIn(printed),
                         KerberosAdvice(printed));
}

}  // namespace trawl
