#include "runtime/submit/submit.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <future>

#include "formats/digests/digest.h"
#include "formats/text/ascii.h"
#include "runtime/process/own_process.h"
#include "runtime/process/read_file.h"
#include "runtime/root/layout.h"
#include "runtime/root/streaming_jar.h"
#include "runtime/submit/client_settings.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxFileBytes = int64_t{1} << 30;
constexpr size_t kSecretBytes = 8;  // of HMAC-SHA1, as Hadoop's client has it
constexpr char kStagingDir[] = "yarn.app.mapreduce.am.staging-dir";

// Names that mean the same as a path, in a URL and in a list with commas.
bool IsPlain(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return IsAsciiDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._/:=+~").find(c) != std::string_view::npos;
  });
}

std::string LastName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "hdfs://host:port".
std::string FileSystemOf(const HadoopConfig& settings) {
  std::string name = settings.Get("fs.defaultFS");
  while (name.ends_with('/')) name.pop_back();
  return name;
}

// A name without a port means the usual one.
std::string WithoutUsualPort(std::string name) {
  constexpr std::string_view kUsualPort = ":8020";
  if (name.ends_with(kUsualPort)) name.resize(name.size() - kUsualPort.size());
  return name;
}

// Returns the path of a whole name, where it is on that file system; else nothing.
std::string PathOn(const std::string& file_system, const std::string& name) {
  const size_t scheme_end = name.find("://");
  const size_t path = scheme_end == std::string::npos ? scheme_end : name.find('/', scheme_end + 3);
  if (path == std::string::npos || !name.starts_with("hdfs://")) return "";
  const bool is_default = path == scheme_end + 3;
  return is_default || WithoutUsualPort(name.substr(0, path)) == WithoutUsualPort(file_system) ? name.substr(path) : "";
}

std::string HostName() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return host;
}

// For people who look at the job; empty where the host's own name is not known.
std::string AddressOf(const std::string& host) {
  addrinfo wanted = {};
  wanted.ai_family = AF_INET;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &wanted, &found) != 0 || found == nullptr) return "";
  char text[INET_ADDRSTRLEN] = "";
  inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(found->ai_addr)->sin_addr, text, sizeof text);
  freeaddrinfo(found);
  return text;
}

Result<std::string> NewSecret() {
  std::string secret(kSecretBytes, '\0');
  if (getrandom(secret.data(), secret.size(), 0) != static_cast<ssize_t>(secret.size())) {
    return Status::IOError("the kernel gives no random bytes");
  }
  return secret;
}

// Before the job is sent nothing runs, and Hadoop's client may do what did not succeed here.
Status NothingSent(const Status& failure) {
  return failure.IsNotImplemented() ? failure : Status::NotImplemented(failure.message());
}

}  // namespace

Result<std::unique_ptr<RestSubmitter>> RestSubmitter::Make(std::vector<std::string> managers) {
  const std::string user = HadoopUser();
  if (!IsPlain(user)) return Status::NotImplemented("the name of the user has odd characters: ", user);
  if (!Environment("HADOOP_PROXY_USER").empty()) return Status::NotImplemented("HADOOP_PROXY_USER is set");
  ARROW_ASSIGN_OR_RAISE(HadoopConfig settings, ReadClientSettings(HadoopConfigFolder()));
  // What a setting may refer to, beside other settings.
  if (!settings.Has("user.name")) settings.Set("user.name", user, "");
  const std::string reason = WhyNotByRest(settings);
  if (!reason.empty()) return Status::NotImplemented(reason);
  for (const std::string& manager : managers) {
    if (!manager.starts_with("http://"))
      return Status::NotImplemented("the ResourceManager is at ", manager, ", not http://…");
  }
  return std::unique_ptr<RestSubmitter>(
      new RestSubmitter(std::move(settings), ManagerClient(std::move(managers), user), user));
}

std::string RestSubmitter::WhyNot(const RestJob& job) const {
  HadoopConfig settings = settings_;
  for (const auto& [name, value] : job.job.settings) settings.Set(name, value, "");
  if (const std::string reason = WhyNotByRest(settings); !reason.empty()) return reason;
  const std::string file_system = FileSystemOf(settings_);
  for (const std::string& name : {job.work, job.job.control, job.job.output}) {
    if (PathOn(file_system, name).empty()) return name + " is not on the cluster's own file system, " + file_system;
    if (!IsPlain(name)) return "odd characters in the name " + name;
  }
  for (const std::string& file : {job.bundle, job.jar}) {
    if (file.find("://") != std::string::npos) return file + " is not a file of this machine";
  }
  for (const std::string& file : job.files) {
    const bool is_local = file.find("://") == std::string::npos && IsPlain(file);
    if (!is_local) return file + " is not a file of this machine, or has odd characters in its name";
  }
  if (!settings.Get(kStagingDir).starts_with('/')) return std::string(kStagingDir) + " is " + settings.Get(kStagingDir);
  return "";
}

Result<std::string> RestSubmitter::Submit(const RestJob& job, const StopToken& stop) {
  if (const std::string reason = WhyNot(job); !reason.empty()) return Status::NotImplemented(reason);
  HadoopConfig settings = settings_;
  for (const auto& [name, value] : job.job.settings) settings.Set(name, value, "");
  const std::string queue = QueueOf(settings);
  Submission submission;
  auto asked = std::async(std::launch::async, [this, &queue, &submission]() -> Result<ManagerAnswer> {
    ARROW_ASSIGN_OR_RAISE(submission.queue, manager_.DefaultsOf(queue));
    return manager_.NewApplication();
  });
  ClientPlace place;
  const Status stored = StoreShared(job, &place);
  ARROW_ASSIGN_OR_RAISE(const ManagerAnswer answer, asked.get());
  if (answer.id.empty()) return Status::NotImplemented(answer.refused);
  if (!stored.ok()) return NothingSent(stored);
  const std::string file_system = FileSystemOf(settings_);
  const std::string user_folder = settings_.Get(kStagingDir) + "/" + user_ + "/.staging";
  const std::string job_id = "job" + answer.id.substr(answer.id.find('_'));
  auto folder = StagingFolder::Make(files_.get(), file_system, user_folder, job_id, user_);
  if (!folder.ok()) return NothingSent(folder.status());
  place.folder = folder->path();
  if (const int copies = std::atoi(settings_.Get("mapreduce.client.submit.file.replication").c_str()); copies > 0) {
    folder->SetReplication(copies);
  }
  submission.application = answer.id;
  const Result<std::string> body = Fill(job, *folder, std::move(place), std::move(submission));
  if (body.ok() && !stop.stopped()) return Send(answer.id, *body, *folder, stop);
  (void)folder->Remove();
  return stop.stopped() ? stop.Check() : NothingSent(body.status());
}

// Stores the files that jobs have in common.
Status RestSubmitter::StoreShared(const RestJob& job, ClientPlace* place) {
  const std::string file_system = FileSystemOf(settings_);
  if (files_ == nullptr) {
    ARROW_ASSIGN_OR_RAISE(files_, OpenHadoopFiles(file_system));
  }
  const std::string work = PathOn(file_system, job.work);
  const auto bundle_path = [&work](const std::string& digest) { return work + "/" + BundlePath(digest); };
  const auto jar_path = [&work](const std::string& digest) { return work + "/" + StreamingJarPath(digest); };
  ARROW_ASSIGN_OR_RAISE(place->bundle, StoreOnce(job.bundle, bundle_path, "trawl", NodeResource::Kind::kArchive));
  ARROW_ASSIGN_OR_RAISE(place->jar, StoreOnce(job.jar, jar_path, "job.jar", NodeResource::Kind::kJar));
  return Status::OK();
}

Result<NodeResource> RestSubmitter::StoreOnce(const std::string& local,
                                              const std::function<std::string(const std::string& digest)>& path_of,
                                              const std::string& link, NodeResource::Kind kind) {
  ARROW_ASSIGN_OR_RAISE(const std::string bytes, ReadLocalFile(local, kMaxFileBytes));
  // The other half of the digest names the file that Hadoop's client uses, whose time is not a whole second.
  const std::string path = path_of(ToHex(Sha256Of(bytes)).substr(32));
  ARROW_RETURN_NOT_OK(files_->Publish(path, bytes));
  // What an encryption zone has, a node reads as the user alone.
  const bool may_be_public = settings_.Get("hadoop.security.key.provider.path").empty() &&
                             settings_.Get("dfs.encryption.key.provider.uri").empty();
  return ResourceOf(files_.get(), FileSystemOf(settings_), path, link, kind, may_be_public);
}

// Stores the job's own files, and returns what YARN is to be told.
Result<std::string> RestSubmitter::Fill(const RestJob& rest, const StagingFolder& folder, ClientPlace place,
                                        Submission submission) const {
  const std::string file_system = FileSystemOf(settings_);
  StreamingJob job = rest.job;
  job.control = file_system + PathOn(file_system, job.control);
  job.output = file_system + PathOn(file_system, job.output);
  for (const std::string& file : rest.files) {
    ARROW_ASSIGN_OR_RAISE(const std::string bytes, ReadLocalFile(file, kMaxFileBytes));
    ARROW_ASSIGN_OR_RAISE(NodeResource stored, folder.Add("files/" + LastName(file), bytes, LastName(file)));
    stored.sharing = NodeResource::Sharing::kUser;
    place.files.push_back(std::move(stored));
  }
  place.user = user_;
  place.host = HostName();
  place.address = AddressOf(place.host);
  place.home = file_system + "/user/" + user_;
  HadoopConfig settings = settings_;
  AddJobSettings(job, place, &settings);
  std::vector<JobSetting> in_order = InOrder(settings);
  std::erase_if(in_order, [](const JobSetting& setting) { return setting.source.empty(); });
  ARROW_ASSIGN_OR_RAISE(const std::string xml, JobXml(in_order));
  const SplitFiles splits = SplitFilesOf(job.control, LineSplits(job.control_text));
  submission.resources = place.files;
  submission.resources.push_back(place.bundle);
  submission.resources.push_back(place.jar);
  const std::pair<const char*, const std::string*> own[] = {
      {"job.split", &splits.splits}, {"job.splitmetainfo", &splits.meta_info}, {"job.xml", &xml}};
  for (const auto& [name, content] : own) {
    const std::string link = content == &xml ? name : std::string("jobSubmitDir/") + name;
    ARROW_ASSIGN_OR_RAISE(NodeResource stored, folder.Add(name, *content, link));
    stored.sharing = NodeResource::Sharing::kApplication;
    submission.resources.push_back(std::move(stored));
  }
  ARROW_ASSIGN_OR_RAISE(submission.shuffle_secret, NewSecret());
  return SubmissionText(settings, submission, [](const std::string& name) { return Environment(name.c_str()); });
}

Result<std::string> RestSubmitter::Send(const std::string& application, const std::string& body,
                                        const StagingFolder& folder, const StopToken& stop) const {
  ARROW_ASSIGN_OR_RAISE(const ManagerAnswer answer, manager_.Submit(application, body, stop));
  // No application master will come to remove it.
  if (answer.id.empty() || answer.is_over) (void)folder.Remove();
  if (answer.id.empty()) return Status::NotImplemented(answer.refused);
  folder.RemoveLeftovers([this](const std::string& left) { return manager_.IsUnknown(left); });
  return answer.id;
}

}  // namespace trawl
