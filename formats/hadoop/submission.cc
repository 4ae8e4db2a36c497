#include "formats/hadoop/submission.h"

#include <charconv>
#include <map>

#include "formats/answers/base64url.h"
#include "formats/documents/json.h"
#include "formats/text/ascii.h"

namespace trawl {

using arrow::Result;
using arrow::Status;
using Environment = std::map<std::string, std::string>;

namespace {

// Hadoop's defaults of settings whose place in its *-default.xml is empty.
constexpr char kYarnClassPath[] =
    "$HADOOP_CONF_DIR,$HADOOP_COMMON_HOME/share/hadoop/common/*,$HADOOP_COMMON_HOME/share/hadoop/common/lib/*,"
    "$HADOOP_HDFS_HOME/share/hadoop/hdfs/*,$HADOOP_HDFS_HOME/share/hadoop/hdfs/lib/*,"
    "$HADOOP_YARN_HOME/share/hadoop/yarn/*,$HADOOP_YARN_HOME/share/hadoop/yarn/lib/*";
constexpr char kMapReduceClassPath[] =
    "$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/*,$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/lib/*";
constexpr char kMasterAdminEnvironment[] = "LD_LIBRARY_PATH={{HADOOP_COMMON_HOME}}/lib/native";

constexpr char kMasterMemory[] = "yarn.app.mapreduce.am.resource.mb";
constexpr char kMasterCores[] = "yarn.app.mapreduce.am.resource.cpu-vcores";
constexpr std::string_view kMasterResources = "yarn.app.mapreduce.am.resource.";

// Settings that make Hadoop's client do more than this file knows, and their value where they do not; "" stands for none.
constexpr std::pair<const char*, const char*> kOnlyWithout[] = {
    {"hadoop.security.authentication", "simple"},
    {"yarn.http.policy", "HTTP_ONLY"},
    {"mapreduce.framework.name", "yarn"},
    {"yarn.federation.enabled", "false"},
    {"yarn.is.minicluster", "false"},
    {"yarn.app.mapreduce.am.profile", "false"},
    {"yarn.app.mapreduce.am.staging-dir.erasurecoding.enabled", "false"},
    {"mapreduce.job.classloader", "false"},
    {"mapreduce.job.user.classpath.first", "false"},
    {"mapreduce.app-submission.cross-platform", "false"},
    {"mapreduce.job.encrypted-intermediate-data", "false"},
    {"mapreduce.job.sharedcache.mode", "disabled"},
    {"mapreduce.job.max.map", "-1"},
    {"mapreduce.application.framework.path", ""},
    {"mapreduce.job.log4j-properties-file", ""},
    {"mapreduce.job.send-token-conf", ""},
    {"mapreduce.job.reservation.id", ""},
    {"mapreduce.job.am.strict-locality", ""},
    {"mapreduce.job.classpath.files", ""},
    {"mapreduce.job.classpath.archives", ""},
    {"mapreduce.job.credentials.binary", ""},
    {"mapreduce.job.cache.files", ""},
    {"mapreduce.job.cache.archives", ""},
    {"tmpfiles", ""},
    {"tmpjars", ""},
    {"tmparchives", ""},
};
// Old names of settings that are read here. Hadoop would know what they mean.
constexpr const char* kOldNames[] = {"fs.default.name",
                                     "mapred.job.queue.name",
                                     "mapred.job.priority",
                                     "mapred.job.name",
                                     "mapred.cache.files",
                                     "mapred.cache.archives",
                                     "mapreduce.user.classpath.first",
                                     "mapred.job.classpath.files"};
// Settings that are read here; one that refers to something outside the settings is Java's to understand.
constexpr const char* kRead[] = {"fs.defaultFS",
                                 "yarn.app.mapreduce.am.staging-dir",
                                 "mapreduce.job.queuename",
                                 "mapreduce.job.name",
                                 "mapreduce.job.tags",
                                 "mapreduce.job.priority",
                                 "mapreduce.job.node-label-expression",
                                 "mapreduce.job.am.node-label-expression",
                                 "mapreduce.am.max-attempts",
                                 kMasterMemory,
                                 kMasterCores};

const std::pair<const char*, int> kPriorities[] = {{"VERY_HIGH", 5}, {"HIGH", 4},     {"NORMAL", 3},
                                                   {"LOW", 2},       {"VERY_LOW", 1}, {"DEFAULT", 0}};

std::vector<std::string> ItemsOf(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view item = TrimBytes(text.substr(0, comma), " \t\r\n");
    if (!item.empty()) items.emplace_back(item);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return items;
}

Result<int64_t> NumberOf(const HadoopConfig& job, const char* name, const char* otherwise) {
  const std::string text = job.Get(name, otherwise);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Status::Invalid("the setting ", name, " is not a number: ", text);
  }
  return number;
}

void AddPath(const std::string& name, const std::string& value, Environment* environment) {
  std::string& path = (*environment)[name];
  path += (path.empty() ? "" : ":") + value;
}

bool IsInName(char c) { return IsAsciiDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Replaces $NAME by what is known of it here, as Hadoop's client does; ${NAME} and {{NAME}} are the node's.
std::string Replaced(std::string_view text, const Environment& environment, const EnvironmentLookup& own) {
  std::string out;
  while (!text.empty()) {
    size_t end = 1;
    while (end < text.size() && IsInName(text[end])) ++end;
    const bool is_name = text[0] == '$' && end > 1 && !IsAsciiDigit(text[1]);
    if (is_name) {
      const std::string name(text.substr(1, end - 1));
      const auto found = environment.find(name);
      out += found != environment.end() ? found->second : own(name);
    } else {
      end = 1;
      out += text[0];
    }
    text.remove_prefix(end);
  }
  return out;
}

// Adds the variables of a setting: NAME=VALUE,NAME=VALUE, and further settings below its name, which count more.
void AddVariables(const HadoopConfig& job, const std::string& setting, const std::string& otherwise,
                  const EnvironmentLookup& own, Environment* environment) {
  Environment added;
  for (const std::string& item : ItemsOf(job.Get(setting, otherwise))) {
    const size_t equals = item.find('=');
    if (equals != std::string::npos && equals > 0) added[item.substr(0, equals)] = item.substr(equals + 1);
  }
  const std::string below = setting + ".";
  for (auto each = job.values().lower_bound(below); each != job.values().end(); ++each) {
    if (!each->first.starts_with(below)) break;
    added[each->first.substr(below.size())] = job.Get(each->first);
  }
  for (const auto& [name, value] : added) AddPath(name, Replaced(value, *environment, own), environment);
}

Environment MasterEnvironment(const HadoopConfig& job, const EnvironmentLookup& own) {
  Environment environment;
  const char* const kPath = "CLASSPATH";
  AddPath(kPath, "$PWD", &environment);
  for (const auto& item : ItemsOf(job.Get("yarn.application.classpath", kYarnClassPath)))
    AddPath(kPath, item, &environment);
  for (const auto& item : ItemsOf(job.Get("mapreduce.application.classpath", kMapReduceClassPath))) {
    AddPath(kPath, item, &environment);
  }
  for (const char* item : {"job.jar/*", "job.jar/classes/", "job.jar/lib/*", "$PWD/*"})
    AddPath(kPath, item, &environment);
  environment["SHELL"] = job.Get("mapreduce.admin.user.shell", "/bin/bash");
  AddPath("LD_LIBRARY_PATH", "$PWD", &environment);
  AddVariables(job, "yarn.app.mapreduce.am.admin.user.env", kMasterAdminEnvironment, own, &environment);
  AddVariables(job, "yarn.app.mapreduce.am.env", "", own, &environment);
  return environment;
}

Result<std::string> MasterCommand(const HadoopConfig& job) {
  ARROW_ASSIGN_OR_RAISE(const int64_t log_kb, NumberOf(job, "yarn.app.mapreduce.am.container.log.limit.kb", "0"));
  ARROW_ASSIGN_OR_RAISE(const int64_t backups, NumberOf(job, "yarn.app.mapreduce.am.container.log.backups", "0"));
  const bool rolls = log_kb > 0 && backups > 0;
  std::string command =
      "$JAVA_HOME/bin/java -Djava.io.tmpdir=$PWD/tmp -Dlog4j.configuration=container-log4j.properties";
  command +=
      " -Dyarn.app.container.log.dir=<LOG_DIR> -Dyarn.app.container.log.filesize=" + std::to_string(log_kb * 1024);
  if (rolls) command += " -Dyarn.app.container.log.backups=" + std::to_string(backups);
  command += " -Dhadoop.root.logger=" + job.Get("yarn.app.mapreduce.am.log.level", "INFO") + (rolls ? ",CRLA" : ",CLA");
  command += " -Dhadoop.root.logfile=syslog";
  command += " " + job.Get("yarn.app.mapreduce.am.admin-command-opts");
  command += " " + job.Get("yarn.app.mapreduce.am.command-opts", "-Xmx1024m");
  if (job.Get("mapreduce.jvm.add-opens-as-default") == "true") command += " <ADD_OPENS>";
  return command + " org.apache.hadoop.mapreduce.v2.app.MRAppMaster 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr";
}

// A map, as YARN's services write one: {"entry": [{"key": …, "value": …}, …]}.
template <typename Value>
Json EntriesOf(const std::map<std::string, Value>& values) {
  Json entries = Json::array();
  for (const auto& [key, value] : values) entries.push_back({{"key", key}, {"value", value}});
  return {{"entry", std::move(entries)}};
}

Json ResourceJson(const NodeResource& resource) {
  static constexpr const char* kKinds[] = {"FILE", "ARCHIVE", "PATTERN"};
  static constexpr const char* kSharings[] = {"PUBLIC", "PRIVATE", "APPLICATION"};
  return {{"resource", resource.url},
          {"type", kKinds[static_cast<int>(resource.kind)]},
          {"visibility", kSharings[static_cast<int>(resource.sharing)]},
          {"size", resource.size_bytes},
          {"timestamp", resource.modified_ms}};
}

Result<int64_t> PriorityOf(const HadoopConfig& job) {
  const std::string text = job.Get("mapreduce.job.priority");
  for (const auto& [name, number] : kPriorities) {
    if (text == name) return number;
  }
  return NumberOf(job, "mapreduce.job.priority", "0");
}

}  // namespace

Result<std::string> SubmissionText(const HadoopConfig& job, const Submission& submission,
                                   const EnvironmentLookup& own_environment) {
  ARROW_ASSIGN_OR_RAISE(const std::string command, MasterCommand(job));
  ARROW_ASSIGN_OR_RAISE(const int64_t memory_mb, NumberOf(job, kMasterMemory, "1536"));
  ARROW_ASSIGN_OR_RAISE(const int64_t cores, NumberOf(job, kMasterCores, "1"));
  ARROW_ASSIGN_OR_RAISE(const int64_t attempts, NumberOf(job, "mapreduce.am.max-attempts", "2"));
  std::map<std::string, Json> resources;
  for (const NodeResource& resource : submission.resources) resources[resource.link] = ResourceJson(resource);
  // A list of groups alone begins with a blank.
  const std::map<std::string, std::string> rights = {{"VIEW_APP", job.GetWhole("mapreduce.job.acl-view-job", " ")},
                                                     {"MODIFY_APP", job.GetWhole("mapreduce.job.acl-modify-job", " ")}};
  const std::map<std::string, std::string> secrets = {
      {"MapReduceShuffleToken", Base64UrlOf(submission.shuffle_secret)}};
  Json master = {{"local-resources", EntriesOf(resources)},
                 {"environment", EntriesOf(MasterEnvironment(job, own_environment))},
                 {"commands", {{"command", command}}},
                 {"application-acls", EntriesOf(rights)},
                 {"credentials", {{"secrets", EntriesOf(secrets)}}}};
  Json body = {{"application-id", submission.application},
               {"application-name", job.Get("mapreduce.job.name", "N/A")},
               {"application-type", "MAPREDUCE"},
               {"queue", job.Get("mapreduce.job.queuename", "default")},
               {"am-container-spec", std::move(master)},
               {"unmanaged-AM", false},
               {"cancel-tokens-when-complete", true},
               {"keep-containers-across-application-attempts", false},
               {"max-app-attempts", attempts},
               {"resource", {{"memory", memory_mb}, {"vCores", cores}}}};
  const std::vector<std::string> tags = ItemsOf(job.Get("mapreduce.job.tags"));
  if (!tags.empty()) body["application-tags"] = {{"tag", tags}};
  if (job.Has("mapreduce.job.priority")) {
    ARROW_ASSIGN_OR_RAISE(body["priority"], PriorityOf(job));
  }
  for (const auto& [member, name] :
       {std::pair{"app-node-label-expression", "mapreduce.job.node-label-expression"},
        std::pair{"am-container-node-label-expression", "mapreduce.job.am.node-label-expression"}}) {
    if (const std::string label = job.Get(name); !label.empty()) body[member] = label;
  }
  return DumpJson(body);
}

std::string WhyNotByRest(const HadoopConfig& job) {
  if (job.Get("hadoop.security.authentication", "simple") != "simple") {
    return "the cluster asks for Kerberos, whose tokens Hadoop's client gets for the tasks";
  }
  if (job.has_includes()) return "a file of Hadoop's settings includes another one";
  for (const auto& [name, value] : kOnlyWithout) {
    const std::string text = job.Get(name, value);
    if (text != value) return std::string("only Hadoop's client knows what ") + name + "=" + text + " asks for";
  }
  for (const char* name : kOldNames) {
    if (job.Has(name)) return std::string("only Hadoop's client knows the old name of a setting, ") + name;
  }
  for (const auto& [name, value] : job.values()) {
    if (name.starts_with(kMasterResources) && name != kMasterMemory && name != kMasterCores) {
      return "only Hadoop's client knows what " + name + " asks for";
    }
  }
  for (const char* name : kRead) {
    if (job.Get(name).find("${") != std::string::npos) {
      return std::string("only Java knows what ") + name + "=" + job.Get(name) + " refers to";
    }
  }
  const std::string file_system = job.Get("fs.defaultFS");
  if (!file_system.starts_with("hdfs://")) return "fs.defaultFS is " + file_system + ", not hdfs://…";
  return "";
}

}  // namespace trawl
