#include "runtime/submit/staging.h"

#include <algorithm>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kForOwner = 0700, kForReaders = 0644;
constexpr int kReadOfOthers = 04, kSearchOfOthers = 01;
// Made by Trawl, and not submitted yet.
constexpr char kMark[] = "_trawl";
// Far longer than a submission takes; a client that comes back after it finds its folder gone, and its job fails.
constexpr int64_t kLeftoverAgeS = 600;
constexpr size_t kMostLeftovers = 20;
constexpr std::string_view kJob = "job_";

std::string Parent(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

Result<bool> IsPublic(HadoopFiles* files, const std::string& path, const HadoopFileInfo& file) {
  if ((file.permissions & kReadOfOthers) == 0) return false;
  for (std::string folder = Parent(path);; folder = Parent(folder)) {
    ARROW_ASSIGN_OR_RAISE(const auto found, files->Look(folder));
    if (!found || (found->permissions & kSearchOfOthers) == 0) return false;
    if (folder == "/") return true;
  }
}

}  // namespace

Result<NodeResource> ResourceOf(HadoopFiles* files, const std::string& file_system, const std::string& path,
                                const std::string& link, NodeResource::Kind kind, bool may_be_public) {
  ARROW_ASSIGN_OR_RAISE(const auto found, files->Look(path));
  if (!found || found->is_folder) return Status::NotImplemented("there is no file ", file_system, path);
  NodeResource resource = {.link = link,
                           .url = file_system + path,
                           .size_bytes = found->size_bytes,
                           .modified_ms = found->modified_s * 1000,
                           .kind = kind,
                           .sharing = NodeResource::Sharing::kUser};
  if (may_be_public) {
    ARROW_ASSIGN_OR_RAISE(const bool is_public, IsPublic(files, path, *found));
    if (is_public) resource.sharing = NodeResource::Sharing::kPublic;
  }
  return resource;
}

Result<StagingFolder> StagingFolder::Make(HadoopFiles* files, const std::string& file_system,
                                          const std::string& user_folder, const std::string& job,
                                          const std::string& user) {
  ARROW_ASSIGN_OR_RAISE(const auto above, files->Look(user_folder));
  if (above && above->owner != user) {
    return Status::NotImplemented(user_folder, " belongs to ", above->owner, ", not to ", user);
  }
  if (!above || above->permissions != kForOwner) ARROW_RETURN_NOT_OK(files->MakeFolder(user_folder, kForOwner));
  StagingFolder folder(files, file_system, user_folder, user_folder + "/" + job);
  ARROW_RETURN_NOT_OK(files->MakeFolder(folder.path_, kForOwner));
  const Status marked = files->Write(folder.path_ + "/" + kMark, "", kForReaders, 1);
  if (!marked.ok()) (void)folder.Remove();
  ARROW_RETURN_NOT_OK(marked);
  return folder;
}

Result<NodeResource> StagingFolder::Add(const std::string& name, const std::string& content,
                                        const std::string& link) const {
  const std::string path = path_ + "/" + name;
  ARROW_RETURN_NOT_OK(files_->Write(path, content, kForReaders, replication_));
  ARROW_ASSIGN_OR_RAISE(NodeResource resource, ResourceOf(files_, file_system_, path, link, NodeResource::Kind::kFile,
                                                          /*may_be_public=*/false));
  return resource;
}

void StagingFolder::RemoveLeftovers(const std::function<bool(const std::string& application)>& is_unknown) const {
  const auto own = files_->Look(path_);
  const auto names = files_->List(user_folder_);
  if (!own.ok() || !*own || !names.ok()) return;
  size_t looked = 0;
  for (const std::string& name : *names) {
    const std::string folder = user_folder_ + "/" + name;
    if (!name.starts_with(kJob) || folder == path_ || ++looked > kMostLeftovers) continue;
    const auto mark = files_->Look(folder + "/" + kMark);
    if (!mark.ok() || !*mark || (*mark)->modified_s > (*own)->modified_s - kLeftoverAgeS) continue;
    if (is_unknown("application_" + name.substr(kJob.size()))) (void)files_->RemoveFolder(folder);
  }
}

}  // namespace trawl
