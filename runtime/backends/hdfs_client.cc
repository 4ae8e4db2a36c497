#include "runtime/backends/hdfs_client.h"

#include <dlfcn.h>

#include <cerrno>
#include <ctime>
#include <utility>

#include "arrow/util/io_util.h"
#include "formats/hadoop/kerberos.h"
#include "runtime/store/status.h"

namespace trawl {

namespace {

// The part of libhdfs' C interface that we use; Arrow brings no header of it.
struct FileInfo {
  int kind;  // 'F' or 'D'
  char* name;
  time_t modified;
  int64_t size;
  int16_t replication;
  int64_t block_size;
  char* owner;
  char* group;
  int16_t permissions;
  time_t accessed;
};
constexpr int kFolderKind = 'D';
constexpr int kPermissionBits = 07777;
constexpr time_t kNoChange = -1;

// libhdfs reports this where Java's method returned false without an exception.
constexpr int kRefused = EIO;

}  // namespace

struct HdfsClient::Functions {
  void* (*new_builder)();
  void (*set_name_node)(void* builder, const char* name_node);
  void (*set_port)(void* builder, uint16_t port);
  void (*set_user)(void* builder, const char* user);
  void (*set_ticket_cache)(void* builder, const char* path);
  void* (*connect)(void* builder);
  FileInfo* (*get_path_info)(void* connection, const char* path);
  void (*free_file_info)(FileInfo* info, int count);
  int (*rename)(void* connection, const char* from, const char* to);
  int (*remove)(void* connection, const char* path, int recursive);
  int (*make_folder)(void* connection, const char* path);
  int (*set_permissions)(void* connection, const char* path, int16_t permissions);
  int (*set_times)(void* connection, const char* path, time_t modified, time_t accessed);
  int (*set_replication)(void* connection, const char* path, int16_t replication);
  char* (*last_cause)();  // null in libraries before Hadoop 3

  template <typename Function>
  static bool Find(void* library, const char* name, Function** function) {
    *function = reinterpret_cast<Function*>(dlsym(library, name));
    return *function != nullptr;
  }

  // Returns the name of a function that is missing, or null.
  const char* FindAll(void* library) {
    Find(library, "hdfsGetLastExceptionRootCause", &last_cause);
    if (!Find(library, "hdfsNewBuilder", &new_builder)) return "hdfsNewBuilder";
    if (!Find(library, "hdfsBuilderSetNameNode", &set_name_node)) return "hdfsBuilderSetNameNode";
    if (!Find(library, "hdfsBuilderSetNameNodePort", &set_port)) return "hdfsBuilderSetNameNodePort";
    if (!Find(library, "hdfsBuilderSetUserName", &set_user)) return "hdfsBuilderSetUserName";
    if (!Find(library, "hdfsBuilderSetKerbTicketCachePath", &set_ticket_cache))
      return "hdfsBuilderSetKerbTicketCachePath";
    if (!Find(library, "hdfsBuilderConnect", &connect)) return "hdfsBuilderConnect";
    if (!Find(library, "hdfsGetPathInfo", &get_path_info)) return "hdfsGetPathInfo";
    if (!Find(library, "hdfsFreeFileInfo", &free_file_info)) return "hdfsFreeFileInfo";
    if (!Find(library, "hdfsRename", &rename)) return "hdfsRename";
    if (!Find(library, "hdfsDelete", &remove)) return "hdfsDelete";
    if (!Find(library, "hdfsCreateDirectory", &make_folder)) return "hdfsCreateDirectory";
    if (!Find(library, "hdfsChmod", &set_permissions)) return "hdfsChmod";
    if (!Find(library, "hdfsUtime", &set_times)) return "hdfsUtime";
    if (!Find(library, "hdfsSetReplication", &set_replication)) return "hdfsSetReplication";
    return nullptr;
  }
};

HdfsClient::HdfsClient(std::unique_ptr<Functions> functions, const HdfsEndpoint& endpoint)
    : functions_(std::move(functions)),
      origin_(endpoint.name_node + (endpoint.port == 0 ? "" : ":" + std::to_string(endpoint.port))) {}

// The connection stays open until the process ends: Java shares one among all who connect alike, and closing it would
// close it for all.
HdfsClient::~HdfsClient() = default;

arrow::Result<std::unique_ptr<HdfsClient>> HdfsClient::Connect(const std::string& library,
                                                               const HdfsEndpoint& endpoint) {
  // Never closed: the JVM in it cannot be unloaded.
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return arrow::Status::IOError("loading ", library, ": ", dlerror());
  auto functions = std::make_unique<Functions>();
  if (const char* missing = functions->FindAll(handle); missing != nullptr) {
    return arrow::Status::IOError(library, " has no ", missing, ": it is not Hadoop's libhdfs");
  }
  void* const builder = functions->new_builder();
  if (builder == nullptr) return arrow::Status::OutOfMemory("connecting to ", endpoint.name_node);
  functions->set_name_node(builder, endpoint.name_node.c_str());
  functions->set_port(builder, static_cast<uint16_t>(endpoint.port));
  if (!endpoint.user.empty()) functions->set_user(builder, endpoint.user.c_str());
  if (!endpoint.kerberos_ticket_cache.empty()) {
    functions->set_ticket_cache(builder, endpoint.kerberos_ticket_cache.c_str());
  }
  std::unique_ptr<HdfsClient> client(new HdfsClient(std::move(functions), endpoint));
  client->connection_ = client->functions_->connect(builder);
  if (client->connection_ == nullptr) return client->Failure(errno, "connecting to", "");
  return client;
}

arrow::Result<std::optional<HdfsFileInfo>> HdfsClient::Look(const std::string& path) const {
  errno = 0;
  FileInfo* const info = functions_->get_path_info(connection_, path.c_str());
  if (info == nullptr && errno == ENOENT) return std::nullopt;
  if (info == nullptr) return Failure(errno, "looking for", path);
  const HdfsFileInfo found{info->kind == kFolderKind,
                           info->size,
                           info->replication,
                           info->modified,
                           info->permissions & kPermissionBits,
                           info->owner == nullptr ? "" : info->owner};
  functions_->free_file_info(info, 1);
  return found;
}

arrow::Result<bool> HdfsClient::Rename(const std::string& from, const std::string& to) const {
  errno = 0;
  if (functions_->rename(connection_, from.c_str(), to.c_str()) == 0) return true;
  if (errno == kRefused || errno == EEXIST) return false;
  return Failure(errno, "creating", to);
}

arrow::Status HdfsClient::Delete(const std::string& path) const {
  errno = 0;
  if (functions_->remove(connection_, path.c_str(), /*recursive=*/1) == 0) return arrow::Status::OK();
  const int error = errno;
  if (error == ENOENT) return arrow::Status::OK();
  if (error != kRefused) return Failure(error, "removing", path);
  ARROW_ASSIGN_OR_RAISE(const auto left, Look(path));
  return left.has_value() ? arrow::Status::IOError("removing ", NameOf(path), ": the NameNode refused")
                          : arrow::Status::OK();
}

arrow::Status HdfsClient::MakeFolder(const std::string& path) const {
  errno = 0;
  if (functions_->make_folder(connection_, path.c_str()) == 0) return arrow::Status::OK();
  return Failure(errno, "creating", path);
}

arrow::Status HdfsClient::SetPermissions(const std::string& path, int permissions) const {
  errno = 0;
  const auto bits = static_cast<int16_t>(permissions);
  if (functions_->set_permissions(connection_, path.c_str(), bits) == 0) return arrow::Status::OK();
  return Failure(errno, "changing the permissions of", path);
}

arrow::Status HdfsClient::SetTime(const std::string& path, int64_t modified_s) const {
  errno = 0;
  if (functions_->set_times(connection_, path.c_str(), modified_s, kNoChange) == 0) return arrow::Status::OK();
  return Failure(errno, "changing the time of", path);
}

arrow::Status HdfsClient::SetReplication(const std::string& path, int replication) const {
  errno = 0;
  const auto copies = static_cast<int16_t>(replication);
  if (functions_->set_replication(connection_, path.c_str(), copies) == 0) return arrow::Status::OK();
  return Failure(errno, "changing the replication of", path);
}

arrow::Status HdfsClient::Failure(int error, const char* doing, const std::string& path) const {
  const std::string cause = LastCause();
  if (cause.empty()) return ErrnoStatus(error, doing, NameOf(path));
  return arrow::Status::IOError(doing, " ", NameOf(path), ": ", cause, KerberosAdvice(cause));
}

arrow::Status HdfsClient::Explained(const arrow::Status& status, const char* doing, const std::string& path) const {
  // With an errno libhdfs itself failed; only otherwise is there a new cause.
  const std::string cause = arrow::internal::ErrnoFromStatus(status) == 0 ? "" : LastCause();
  const std::string& reason = cause.empty() ? status.message() : cause;
  return arrow::Status::IOError(doing, " ", NameOf(path), ": ", reason, KerberosAdvice(reason));
}

// Returns the first line; a trace from the server follows it.
std::string HdfsClient::LastCause() const {
  const char* const cause = functions_->last_cause == nullptr ? nullptr : functions_->last_cause();
  const std::string text = cause == nullptr ? "" : cause;
  return text.substr(0, text.find('\n'));
}

}  // namespace trawl
