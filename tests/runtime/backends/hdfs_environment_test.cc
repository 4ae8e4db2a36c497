#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "runtime/backends/hdfs_client.h"
#include "runtime/store/store.h"
#include "tests/support/process/in_child.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {

namespace {

void ForgetHadoop() {
  for (const char* name : {"HADOOP_HOME", "HADOOP_CONF_DIR", "ARROW_LIBHDFS_DIR", "CLASSPATH", "LIBHDFS_OPTS"}) {
    unsetenv(name);
  }
}

// Returns "" if the error says all of `words`.
std::string UnlessSays(const arrow::Status& status, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (status.ok() || status.message().find(word) == std::string::npos) return status.ToString() + "\n";
  }
  return "";
}

}  // namespace

TEST(HdfsEnvironment, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  EXPECT_EQ(InChild([&] {
              ForgetHadoop();
              std::string wrong = UnlessSays(OpenStore("hdfs://127.0.0.1:1/x", {.libhdfs = "/nowhere"}).status(),
                                             {"libhdfs.so", "/nowhere does not exist"});
              wrong += UnlessSays(PrepareLibHdfs("").status(), {"CLASSPATH", "hadoop classpath", "HADOOP_HOME"});
              setenv("CLASSPATH", "/nowhere", 1);
              std::ofstream(folder.path() + "/libhdfs.so") << "not a library";
              setenv("HADOOP_HOME", "/no/hadoop", 1);
              wrong += UnlessSays(PrepareLibHdfs(folder.path()).status(),
                                  {"JAVA_HOME", "/no/hadoop/lib/native", "where the loader looks"});
              return wrong;
            }),
            "");
}

TEST(HdfsEnvironment, FillsInWhatIsNotSet) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/libhdfs.so") << "not a library";
  EXPECT_EQ(InChild([&]() -> std::string {
              ForgetHadoop();
              setenv("HADOOP_HOME", "/opt/hadoop", 1);
              setenv("LIBHDFS_OPTS", "-Xmx99m", 1);
              const arrow::Status ignored = PrepareLibHdfs(folder.path()).status();
              (void)ignored;
              const std::string classes = std::getenv("CLASSPATH");
              if (!classes.starts_with("/opt/hadoop/etc/hadoop:/opt/hadoop/share/hadoop/common/lib/*:")) return classes;
              const std::string options = std::getenv("LIBHDFS_OPTS");
              if (options != "-Xmx99m -Xrs") return options;
              return std::getenv("ARROW_LIBHDFS_DIR") == folder.path() ? "" : std::getenv("ARROW_LIBHDFS_DIR");
            }),
            "");
}

}  // namespace trawl
