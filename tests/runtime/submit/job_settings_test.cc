// The settings of a job, as hadoop-streaming.jar and MapReduce's client make them of the same arguments.
#include "runtime/submit/job_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trawl {
namespace {

using testing::ElementsAre;

StreamingJob Job(const std::string& reducer) {
  return {.settings = {{"mapreduce.job.queuename", "crawl"}, {"trawl.job", "j"}},
          .control = "hdfs://nn/c",
          .control_text = "0\n1\n",
          .output = "hdfs://nn/out",
          .mapper = "trawl/bin/trawl task map",
          .reducer = reducer};
}

ClientPlace Place() {
  return {.user = "me",
          .host = "h",
          .address = "127.0.0.1",
          .home = "hdfs://nn/user/me",
          .folder = "/user/me/.staging/job_1_0002",
          .jar = {.link = "job.jar", .url = "hdfs://nn/job.jar", .sharing = NodeResource::Sharing::kPublic},
          .bundle = {.link = "trawl", .url = "hdfs://nn/b.tar.gz", .size_bytes = 6, .modified_ms = 8000},
          .files = {{.link = "a", .url = "hdfs://nn/a", .size_bytes = 1, .modified_ms = 2000},
                    {.link = "b",
                     .url = "hdfs://nn/b",
                     .size_bytes = 2,
                     .modified_ms = 3000,
                     .sharing = NodeResource::Sharing::kPublic}}};
}

TEST(JobSettings, AJobWithReducers) {
  HadoopConfig settings;
  settings.Set("mapreduce.job.queuename", "default", "mapred-default.xml");
  AddJobSettings(Job("trawl/bin/trawl task reduce"), Place(), &settings);
  EXPECT_EQ(settings.Get("stream.map.streamprocessor"), "trawl%2Fbin%2Ftrawl+task+map");
  EXPECT_EQ(settings.Get("stream.reduce.streamprocessor"), "trawl%2Fbin%2Ftrawl+task+reduce");
  EXPECT_EQ(settings.Get("stream.map.output.reader.class"), "org.apache.hadoop.streaming.io.RawBytesOutputReader");
  EXPECT_EQ(settings.Get("mapreduce.map.output.key.class"), "org.apache.hadoop.io.BytesWritable");
  EXPECT_EQ(settings.Get("mapred.reducer.class"), "org.apache.hadoop.streaming.PipeReducer");
  EXPECT_EQ(settings.Get("mapred.partitioner.class"), "org.apache.hadoop.mapred.lib.BinaryPartitioner");
  EXPECT_EQ(settings.Get("mapreduce.job.maps"), "2");
  EXPECT_EQ(settings.Get("mapred.queue.crawl.acl-administer-jobs"), "*");
  EXPECT_EQ(settings.Get("mapreduce.job.dir"), "/user/me/.staging/job_1_0002");
  EXPECT_EQ(settings.Get("mapreduce.job.jobjar.visibility"), "true");
  EXPECT_EQ(settings.Get("trawl.job"), "j");
}

TEST(JobSettings, AJobWithoutReducers) {
  HadoopConfig settings;
  AddJobSettings(Job(""), Place(), &settings);
  EXPECT_EQ(settings.Get("stream.map.output.reader.class"), "org.apache.hadoop.streaming.io.TextOutputReader");
  EXPECT_EQ(settings.Get("mapreduce.map.output.value.class"), "org.apache.hadoop.io.Text");
  for (const char* name : {"mapred.reducer.class", "mapred.partitioner.class", "stream.reduce.streamprocessor"}) {
    EXPECT_FALSE(settings.Has(name)) << name;
  }
}

TEST(JobSettings, TasksFindBundleAndFilesInTheirCache) {
  HadoopConfig settings;
  AddJobSettings(Job(""), Place(), &settings);
  EXPECT_EQ(settings.Get("mapreduce.job.cache.archives"), "hdfs://nn/b.tar.gz#trawl");
  EXPECT_EQ(settings.Get("mapreduce.job.cache.archives.visibilities"), "false");
  EXPECT_EQ(settings.Get("mapreduce.job.cache.files"), "hdfs://nn/a#a,hdfs://nn/b#b");
  EXPECT_EQ(settings.Get("mapreduce.job.cache.files.filesizes"), "1,2");
  EXPECT_EQ(settings.Get("mapreduce.job.cache.files.timestamps"), "2000,3000");
  EXPECT_EQ(settings.Get("mapreduce.job.cache.files.visibilities"), "false,true");
}

// io.sort.mb is the old name of mapreduce.task.io.sort.mb: Hadoop takes the last one that it reads.
TEST(JobSettings, WhatTheOperatorSetsComesLast) {
  HadoopConfig settings;
  settings.Set("mapreduce.task.io.sort.mb", "100", "mapred-default.xml");
  settings.Set("a.site", "1", "mapred-site.xml");
  settings.Set("io.sort.mb", "50", "trawl");
  std::vector<std::string> names;
  for (const JobSetting& setting : InOrder(settings)) names.push_back(setting.name);
  EXPECT_THAT(names, ElementsAre("mapreduce.task.io.sort.mb", "a.site", "io.sort.mb"));
}

}  // namespace
}  // namespace trawl
