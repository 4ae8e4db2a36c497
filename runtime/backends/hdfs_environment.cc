// Defines PrepareLibHdfs of hdfs_client.h: finds libhdfs.so and sets the environment that it needs.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "arrow/filesystem/hdfs.h"
#include "runtime/backends/hdfs_client.h"
#include "runtime/process/own_process.h"

namespace trawl {

namespace {

namespace stdfs = std::filesystem;

constexpr char kLibrary[] = "libhdfs.so";

std::string FolderOfBinary() {
  std::error_code ignored;
  return stdfs::read_symlink("/proc/self/exe", ignored).parent_path();
}

// Where to look, best first; the loader searches for the last one.
std::vector<std::string> Candidates() {
  std::vector<std::string> folders;
  if (const std::string set = Environment("ARROW_LIBHDFS_DIR"); !set.empty()) folders.push_back(set);
  if (const std::string home = Environment("HADOOP_HOME"); !home.empty()) folders.push_back(home + "/lib/native");
  folders.push_back(FolderOfBinary());
  folders.push_back(FolderOfBinary() + "/../lib");
  return folders;
}

arrow::Result<std::string> FindLibrary(const std::string& wanted) {
  std::error_code ignored;
  if (!wanted.empty()) {
    const std::string file = stdfs::is_directory(wanted, ignored) ? wanted + "/" + kLibrary : wanted;
    if (stdfs::exists(file, ignored)) return file;
    return arrow::Status::Invalid("HDFS needs Hadoop's libhdfs.so, and ", file, " does not exist");
  }
  for (const std::string& folder : Candidates()) {
    if (stdfs::exists(folder + "/" + kLibrary, ignored)) return folder + "/" + kLibrary;
  }
  return std::string(kLibrary);
}

// Hadoop's own layout; distributions that scatter it have a command `hadoop classpath`.
std::string ClassPathOf(const std::string& hadoop_home) {
  const std::string conf = Environment("HADOOP_CONF_DIR");
  std::string path = conf.empty() ? hadoop_home + "/etc/hadoop" : conf;
  for (const char* part : {"common/lib", "common", "hdfs/lib", "hdfs"}) {
    path += ":" + hadoop_home + "/share/hadoop/" + part + "/*";
  }
  return path;
}

arrow::Status SetClassPath() {
  if (!Environment("CLASSPATH").empty()) return arrow::Status::OK();
  const std::string home = Environment("HADOOP_HOME");
  if (home.empty()) {
    return arrow::Status::Invalid(
        "HDFS needs Hadoop's Java classes: set HADOOP_HOME, or export CLASSPATH=\"$(hadoop classpath --glob)\"");
  }
  setenv("CLASSPATH", ClassPathOf(home).c_str(), 1);
  return arrow::Status::OK();
}

// -Xrs leaves SIGINT and SIGTERM to us: they close a fetch's parts.
void SetJavaOptions() {
  std::string options = Environment("LIBHDFS_OPTS");
  if (options.empty()) options = "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";
  if (options.find("-Xrs") == std::string::npos) options += " -Xrs";
  setenv("LIBHDFS_OPTS", options.c_str(), 1);
}

// libhdfs and Arrow find Java only by JAVA_HOME; most machines have a `java` from which it can be found.
void SetJavaHome() {
  if (!Environment("JAVA_HOME").empty()) return;
  const std::string path = Environment("PATH");
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    std::error_code error;
    const stdfs::path java = stdfs::canonical(path.substr(begin, end - begin) + "/java", error);
    if (!error) {
      setenv("JAVA_HOME", java.parent_path().parent_path().c_str(), 1);
      return;
    }
    begin = end + 1;
  }
}

}  // namespace

arrow::Result<std::string> PrepareLibHdfs(const std::string& libhdfs) {
  ARROW_ASSIGN_OR_RAISE(std::string library, FindLibrary(libhdfs));
  ARROW_RETURN_NOT_OK(SetClassPath());
  SetJavaOptions();
  SetJavaHome();
  // Arrow takes a folder. It loads Java's own library first, without which libhdfs does not load.
  const std::string folder = stdfs::path(library).parent_path();
  if (!folder.empty()) setenv("ARROW_LIBHDFS_DIR", folder.c_str(), 1);
  const arrow::Status loaded = arrow::fs::HaveLibHdfs();
  if (loaded.ok()) return library;
  std::string looked;
  for (const std::string& candidate : Candidates()) looked += candidate + ", ";
  return arrow::Status::Invalid(
      "HDFS needs Hadoop's libhdfs.so and Java's libjvm.so, but one of them does not load: set JAVA_HOME, ",
      "and for libhdfs --libhdfs, ARROW_LIBHDFS_DIR or HADOOP_HOME (looked in ", looked,
      "and where the loader looks): ", loaded.message());
}

}  // namespace trawl
