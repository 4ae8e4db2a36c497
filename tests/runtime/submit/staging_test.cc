// A job's files on HDFS: whose they are, who else may read them, and what a killed client left.
#include "runtime/submit/staging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using arrow::Result;
using arrow::Status;
using testing::HasSubstr;

constexpr char kStaging[] = "/user/me/.staging";

class FilesInMemory : public HadoopFiles {
 public:
  std::map<std::string, HadoopFileInfo> files = {{"/", {true, 0, 0, 0755, "hdfs"}}};
  int64_t now_s = 1000;

  void Put(const std::string& path, bool is_folder, int permissions, const std::string& owner = "me") {
    files[path] = {is_folder, 0, now_s, permissions, owner};
  }
  Result<std::optional<HadoopFileInfo>> Look(const std::string& path) override {
    const auto found = files.find(path);
    return found == files.end() ? std::optional<HadoopFileInfo>() : found->second;
  }
  Result<std::vector<std::string>> List(const std::string& folder) override {
    std::vector<std::string> names;
    for (const auto& [path, info] : files) {
      const std::string rest = path.starts_with(folder + "/") ? path.substr(folder.size() + 1) : "";
      if (!rest.empty() && rest.find('/') == std::string::npos) names.push_back(rest);
    }
    return names;
  }
  Status MakeFolder(const std::string& path, int permissions) override {
    Put(path, true, permissions);
    return Status::OK();
  }
  Status Write(const std::string& path, const std::string& content, int permissions, int) override {
    files[path] = {false, static_cast<int64_t>(content.size()), now_s, permissions, "me"};
    return Status::OK();
  }
  Status Publish(const std::string& path, const std::string& content) override { return Write(path, content, 0644, 0); }
  Status RemoveFolder(const std::string& path) override {
    std::erase_if(files,
                  [&path](const auto& file) { return file.first == path || file.first.starts_with(path + "/"); });
    return Status::OK();
  }
};

Result<StagingFolder> Make(FilesInMemory* files, const std::string& job) {
  return StagingFolder::Make(files, "hdfs://nn", kStaging, job, "me");
}

TEST(Staging, AFolderIsItsUsersAlone) {
  FilesInMemory files;
  const auto folder = Make(&files, "job_1_0002");
  ASSERT_OK(folder.status());
  EXPECT_EQ(folder->path(), "/user/me/.staging/job_1_0002");
  EXPECT_EQ(files.files.at(kStaging).permissions, 0700);
  EXPECT_EQ(files.files.at(folder->path()).permissions, 0700);
  const auto file = folder->Add("job.xml", "abc", "job.xml");
  ASSERT_OK(file.status());
  EXPECT_EQ(file->url, "hdfs://nn/user/me/.staging/job_1_0002/job.xml");
  EXPECT_EQ(file->size_bytes, 3);
  EXPECT_EQ(file->modified_ms, 1'000'000);
  ASSERT_OK(folder->Remove());
  EXPECT_FALSE(files.files.contains(folder->path()));
  EXPECT_TRUE(files.files.contains(kStaging));
}

TEST(Staging, AFolderOfAnotherUserIsLeftAlone) {
  FilesInMemory files;
  files.Put(kStaging, true, 0777, "you");
  EXPECT_THAT(Make(&files, "job_1_0002").status().message(), HasSubstr("belongs to you, not to me"));
  EXPECT_EQ(files.files.at(kStaging).permissions, 0777);
}

TEST(Staging, OpenPermissionsAreClosed) {
  FilesInMemory files;
  files.Put(kStaging, true, 0755);
  ASSERT_OK(Make(&files, "job_1_0002").status());
  EXPECT_EQ(files.files.at(kStaging).permissions, 0700);
}

TEST(Staging, WhatEverybodyCanReadIsForAll) {
  FilesInMemory files;
  files.Put("/crawls", true, 0755);
  files.Put("/crawls/b.tar.gz", false, 0644);
  const auto sharing = [&files](bool may_be_public) {
    return ResourceOf(&files, "hdfs://nn", "/crawls/b.tar.gz", "trawl", NodeResource::Kind::kArchive, may_be_public)
        ->sharing;
  };
  EXPECT_EQ(sharing(true), NodeResource::Sharing::kPublic);
  EXPECT_EQ(sharing(false), NodeResource::Sharing::kUser);
  for (const auto& [path, permissions] : {std::pair{"/crawls/b.tar.gz", 0640}, {"/crawls", 0750}, {"/", 0700}}) {
    const int before = files.files.at(path).permissions;
    files.files.at(path).permissions = permissions;
    EXPECT_EQ(sharing(true), NodeResource::Sharing::kUser) << path;
    files.files.at(path).permissions = before;
  }
  EXPECT_TRUE(ResourceOf(&files, "hdfs://nn", "/crawls/none", "x", NodeResource::Kind::kFile, true)
                  .status()
                  .IsNotImplemented());
}

TEST(Staging, WhatAKilledClientLeftIsRemovedOnceItIsOld) {
  FilesInMemory files;
  ASSERT_OK(Make(&files, "job_1_0001").status());                // killed before it submitted
  ASSERT_OK(Make(&files, "job_1_0002").status());                // runs
  files.Put(std::string(kStaging) + "/job_1_0003", true, 0700);  // of Hadoop's own client
  files.now_s += 590;
  ASSERT_OK(Make(&files, "job_1_0004").status());  // a client that is about to submit
  files.now_s += 20;
  const auto folder = Make(&files, "job_1_0005");
  ASSERT_OK(folder.status());
  folder->RemoveLeftovers([](const std::string& application) { return application != "application_1_0002"; });
  EXPECT_EQ(*files.List(kStaging), (std::vector<std::string>{"job_1_0002", "job_1_0003", "job_1_0004", "job_1_0005"}));
}

}  // namespace
}  // namespace trawl
