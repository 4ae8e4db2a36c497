#include "runtime/submit/client_settings.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "formats/text/ascii.h"
#include "formats/zip/entry.h"
#include "runtime/process/own_process.h"
#include "runtime/process/read_file.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

namespace stdfs = std::filesystem;

constexpr int64_t kMaxConfigBytes = int64_t{16} << 20, kMaxJarBytes = int64_t{256} << 20;

// The parts of Hadoop's settings in the order in which its client reads them: the file's name, and its jar's without version.
struct Part {
  const char* name;
  const char* jar;
  bool is_needed = true;
};
constexpr Part kParts[] = {{"core", "hadoop-common"},
                           {"mapred", "hadoop-mapreduce-client-core"},
                           {"yarn", "hadoop-yarn-common"},
                           // A machine that is no node may lack it, and its client then has no such defaults either.
                           {"hdfs", "hadoop-hdfs", /*is_needed=*/false}};

// The folders that may have Hadoop's jars: those of the class path, and where distributions put them.
std::vector<std::string> JarFolders() {
  std::vector<std::string> folders;
  const std::string path = Environment("CLASSPATH");
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const stdfs::path entry = path.substr(begin, end - begin);
    if (entry.extension() == ".jar" || entry.filename() == "*") folders.push_back(entry.parent_path());
    begin = end + 1;
  }
  for (const std::string& home : {Environment("HADOOP_HOME"), std::string("/usr/lib/hadoop")}) {
    if (home.empty()) continue;
    for (const char* part : {"common", "mapreduce", "yarn", "hdfs"}) folders.push_back(home + "/share/hadoop/" + part);
    for (const char* part : {"", "-mapreduce", "-yarn", "-hdfs"}) folders.push_back(home + part);
  }
  return folders;
}

// "hadoop-common-3.5.0.jar" and "hadoop-common.jar", but not "hadoop-common-3.5.0-tests.jar".
bool IsJar(const std::string& file, const std::string& name) {
  if (!file.starts_with(name) || !file.ends_with(".jar")) return false;
  const std::string version = file.substr(name.size(), file.size() - name.size() - 4);
  const bool is_versioned = version.size() > 1 && version[0] == '-' && IsAsciiDigit(version[1]);
  return (version.empty() || is_versioned) && !version.ends_with("-tests") && !version.ends_with("-sources");
}

Result<std::string> FindJar(const std::vector<std::string>& folders, const std::string& name) {
  for (const std::string& folder : folders) {
    std::string best;
    std::error_code ignored;
    for (const auto& entry : stdfs::directory_iterator(folder, ignored)) {
      if (IsJar(entry.path().filename(), name)) best = std::max(best, entry.path().string());
    }
    if (!best.empty()) return best;
  }
  return Status::NotImplemented("this machine has no ", name, "*.jar below HADOOP_HOME or in CLASSPATH");
}

Status AddDefaults(const std::vector<std::string>& folders, const Part& part, HadoopConfig* settings) {
  const std::string name = std::string(part.name) + "-default.xml";
  ARROW_ASSIGN_OR_RAISE(const std::string jar, FindJar(folders, part.jar));
  ARROW_ASSIGN_OR_RAISE(const std::string bytes, ReadLocalFile(jar, kMaxJarBytes));
  const Result<std::string> xml = ReadZipEntry(bytes, name, kMaxConfigBytes);
  const Status added = xml.ok() ? settings->Add(*xml, name) : xml.status();
  return added.ok() ? added : Status::NotImplemented(jar, ": ", added.message());
}

Status AddSite(const std::string& folder, const Part& part, HadoopConfig* settings) {
  const std::string name = std::string(part.name) + "-site.xml", path = folder + "/" + name;
  std::error_code error;
  if (!stdfs::exists(path, error)) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const std::string xml, ReadLocalFile(path, kMaxConfigBytes));
  const Status added = settings->Add(xml, name);
  return added.ok() ? added : added.WithMessage(path, ": ", added.message());
}

}  // namespace

std::string HadoopConfigFolder() {
  const std::string named = Environment("HADOOP_CONF_DIR");
  if (!named.empty()) return named;
  const std::string home = Environment("HADOOP_HOME");
  return home.empty() ? "" : home + "/etc/hadoop";
}

std::string HadoopUser() {
  const std::string named = Environment("HADOOP_USER_NAME");
  if (!named.empty()) return named;
  passwd entry = {};
  passwd* found = nullptr;
  char buffer[4096];
  const bool is_known = getpwuid_r(getuid(), &entry, buffer, sizeof buffer, &found) == 0 && found != nullptr;
  return is_known ? entry.pw_name : Environment("USER");
}

Result<HadoopConfig> ReadClientSettings(const std::string& folder) {
  if (folder.empty()) return Status::NotImplemented("neither HADOOP_CONF_DIR nor HADOOP_HOME is set");
  const std::vector<std::string> folders = JarFolders();
  HadoopConfig settings;
  for (const Part& part : kParts) {
    const Status added = AddDefaults(folders, part, &settings);
    if (!added.ok() && part.is_needed) return added;
    ARROW_RETURN_NOT_OK(AddSite(folder, part, &settings));
  }
  return settings;
}

}  // namespace trawl
