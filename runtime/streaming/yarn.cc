#include "runtime/streaming/yarn.h"

#include <algorithm>
#include <filesystem>

#include "formats/documents/json.h"
#include "formats/hadoop/config.h"
#include "formats/hadoop/kerberos.h"
#include "runtime/http/call.h"
#include "runtime/process/own_process.h"
#include "runtime/process/read_file.h"
#include "runtime/process/status_detail.h"
#include "runtime/submit/client_settings.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxConfigBytes = int64_t{16} << 20;

// Without Kerberos, the services take any name they are told.
std::string UserParameter() {
  std::string user = Environment("HADOOP_USER_NAME");
  if (user.empty()) user = Environment("USER");
  const bool plain = !user.empty() && std::all_of(user.begin(), user.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  });
  return plain ? "user.name=" + user : "";
}

std::string WithUser(const std::string& url) {
  const std::string user = UserParameter();
  if (user.empty()) return url;
  return url + (url.find('?') == std::string::npos ? "?" : "&") + user;
}

// Returns the first line, which names the exception; its stack trace follows.
std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Result<YarnAddresses> FindYarn(const std::string& resource_manager) {
  HadoopConfig config;
  const std::string folder = HadoopConfigFolder();
  for (const char* name : {"/core-site.xml", "/yarn-site.xml", "/mapred-site.xml"}) {
    std::error_code error;
    if (folder.empty() || !std::filesystem::exists(folder + name, error)) continue;
    ARROW_ASSIGN_OR_RAISE(const std::string xml, ReadLocalFile(folder + name, kMaxConfigBytes));
    const Status added = config.Add(xml);
    if (!added.ok()) return added.WithMessage(folder, name, ": ", added.message());
  }
  YarnAddresses addresses{.resource_managers = config.ResourceManagers(), .history = config.HistoryServer()};
  if (!resource_manager.empty()) {
    addresses.resource_managers = {resource_manager};
  } else if (folder.empty()) {
    return UsageError(
        "the cluster is not known: set HADOOP_CONF_DIR to the folder of its settings (or HADOOP_HOME, or give ",
        "--streaming.resource_manager http://host:8088)");
  }
  for (std::string& address : addresses.resource_managers) {
    if (address.find("://") == std::string::npos) address = "http://" + address;
    while (address.ends_with('/')) address.pop_back();
  }
  return addresses;
}

Result<std::string> YarnClient::AskManager(const std::string& path) const {
  Status failure = Status::Invalid("the cluster's settings name no ResourceManager");
  for (const std::string& manager : addresses_.resource_managers) {
    const Result<HttpReply> reply = CallHttp({.url = WithUser(manager + path)});
    if (!reply.ok()) {
      failure = reply.status();
    } else if (reply->status == 200 && reply->body.starts_with("{")) {
      return reply->body;
    } else {
      // A standby ResourceManager says so in a page of its own.
      const std::string reason = "answered " + std::to_string(reply->status);
      failure = Status::IOError(manager, path, ": ", reason, KerberosAdvice(reason));
    }
  }
  return failure.WithMessage("YARN: ", failure.message());
}

Result<std::vector<YarnApplication>> YarnClient::ApplicationsTagged(const std::string& tag) const {
  ARROW_ASSIGN_OR_RAISE(const std::string text, AskManager("/ws/v1/cluster/apps?applicationTags=" + tag));
  ARROW_ASSIGN_OR_RAISE(std::vector<YarnApplication> applications, YarnApplicationsFrom(text));
  std::erase_if(applications, [&tag](const YarnApplication& application) { return !application.HasTag(tag); });
  std::sort(applications.begin(), applications.end(), [](const YarnApplication& a, const YarnApplication& b) {
    return a.started_ms != b.started_ms ? a.started_ms > b.started_ms : a.id > b.id;
  });
  return applications;
}

Result<YarnApplication> YarnClient::Application(const std::string& id) const {
  ARROW_ASSIGN_OR_RAISE(const std::string text, AskManager("/ws/v1/cluster/apps/" + id));
  return YarnApplicationFrom(text);
}

Result<YarnRoom> YarnClient::RoomOf(const std::string& queue) const {
  ARROW_ASSIGN_OR_RAISE(const std::string metrics, AskManager("/ws/v1/cluster/metrics"));
  ARROW_ASSIGN_OR_RAISE(const YarnRoom cluster, YarnRoomOfCluster(metrics));
  ARROW_ASSIGN_OR_RAISE(const std::string scheduler, AskManager("/ws/v1/cluster/scheduler"));
  return YarnRoomOfQueue(scheduler, queue, cluster);
}

Status YarnClient::Kill(const YarnApplication& application, const std::string& why) const {
  const std::string body = DumpJson({{"state", "KILLED"}, {"diagnostics", why}});
  Status failure;
  for (const std::string& manager : addresses_.resource_managers) {
    const std::string url = manager + "/ws/v1/cluster/apps/" + application.id + "/state";
    const Result<HttpReply> reply = CallHttp({.url = WithUser(url), .method = "PUT", .body = body});
    if (reply.ok() && (reply->status == 200 || reply->status == 202)) return Status::OK();
    const Result<YarnApplication> now = Application(application.id);
    if (now.ok() && now->is_over()) return Status::OK();
    failure = reply.ok() ? Status::IOError(url, ": answered ", reply->status) : reply.status();
  }
  return failure.WithMessage("YARN: ", failure.message(), "; stop it with  yarn application -kill ", application.id);
}

Result<std::string> YarnClient::AskJob(const YarnApplication& application, const std::string& what) const {
  return AskManager("/proxy/" + application.id + "/ws/v1/mapreduce/jobs/" + application.JobId() + what);
}

std::optional<YarnJob> YarnClient::JobOf(const YarnApplication& application) const {
  const Result<std::string> text = AskJob(application, "");
  if (!text.ok()) return std::nullopt;
  const Result<YarnJob> job = YarnJobFrom(*text);
  return job.ok() ? std::optional<YarnJob>(*job) : std::nullopt;
}

std::vector<YarnTask> YarnClient::TasksOf(const YarnApplication& application) const {
  const Result<std::string> text = AskJob(application, "/tasks");
  const Result<std::vector<YarnTask>> tasks = text.ok() ? YarnTasksFrom(*text) : text.status();
  return tasks.ok() ? *tasks : std::vector<YarnTask>();
}

std::map<std::string, int64_t> YarnClient::CountersOf(const YarnApplication& application,
                                                      const std::string& group) const {
  const Result<std::string> text = AskJob(application, "/counters");
  const auto counters =
      text.ok() ? YarnCountersFrom(*text, group) : Result<std::map<std::string, int64_t>>(text.status());
  return counters.ok() ? *counters : std::map<std::string, int64_t>();
}

Result<std::string> YarnClient::AskHistory(const YarnApplication& application, const std::string& what) const {
  const std::string url = addresses_.history + "/ws/v1/history/mapreduce/jobs/" + application.JobId() + what;
  ARROW_ASSIGN_OR_RAISE(const HttpReply reply, CallHttp({.url = WithUser(url)}));
  if (reply.status != 200) return Status::IOError(url, ": answered ", reply.status);
  return reply.body;
}

std::string YarnClient::FailureOf(const YarnApplication& application) const {
  const Result<std::string> tasks_text = AskHistory(application, "/tasks");
  if (!tasks_text.ok()) return "";
  const Result<std::vector<YarnTask>> tasks = YarnTasksFrom(*tasks_text);
  if (!tasks.ok()) return "";
  for (const YarnTask& task : *tasks) {
    if (task.state != "FAILED") continue;
    const Result<std::string> text = AskHistory(application, "/tasks/" + task.id + "/attempts");
    if (!text.ok()) continue;
    const Result<std::vector<YarnAttempt>> attempts = YarnAttemptsFrom(*text);
    if (!attempts.ok()) continue;
    for (auto attempt = attempts->rbegin(); attempt != attempts->rend(); ++attempt) {
      if (attempt->state != "FAILED" || attempt->diagnostics.empty()) continue;
      return attempt->id + (attempt->node.empty() ? "" : " on " + attempt->node) + ": " +
             FirstLine(attempt->diagnostics);
    }
  }
  return "";
}

}  // namespace trawl
