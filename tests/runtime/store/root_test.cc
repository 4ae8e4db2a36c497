#include "runtime/store/root.h"

#include <gmock/gmock.h>

namespace trawl {

TEST(IsHadoopRoot, EveryFileSystemThatIsNotOurOwn) {
  for (const char* root : {"hdfs://nn:8020/a", "hdfs:///a", "viewfs://cluster/a", "viewfs:///a", "ofs://om/volume/a"}) {
    EXPECT_TRUE(IsHadoopRoot(root)) << root;
  }
  for (const char* root : {"", "/a", "a", "./a://b", "://a", "s3://b/a", "file:///a", "http://a/b", "https://a/b"}) {
    EXPECT_FALSE(IsHadoopRoot(root)) << root;
  }
}

}  // namespace trawl
