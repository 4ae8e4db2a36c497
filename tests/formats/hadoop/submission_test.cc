// What YARN is told of a job. The expected command and class path are those of Hadoop's own client.
#include "formats/hadoop/submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "formats/documents/json.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using testing::HasSubstr;

HadoopConfig SettingsOf(const std::map<std::string, std::string>& values) {
  HadoopConfig settings;
  settings.Set("fs.defaultFS", "hdfs://nn:8020", "core-site.xml");
  settings.Set("mapreduce.framework.name", "yarn", "mapred-site.xml");
  for (const auto& [name, value] : values) settings.Set(name, value, "trawl");
  return settings;
}

std::string NoVariables(const std::string&) { return ""; }

Json BodyOf(const std::map<std::string, std::string>& values) {
  const Submission submission = {
      .application = "application_1_0002",
      .resources = {{.link = "job.xml", .url = "hdfs://nn/x/job.xml", .size_bytes = 5, .modified_ms = 7000},
                    {.link = "trawl",
                     .url = "hdfs://nn/b.tar.gz",
                     .size_bytes = 6,
                     .modified_ms = 8000,
                     .kind = NodeResource::Kind::kArchive,
                     .sharing = NodeResource::Sharing::kPublic}},
      .shuffle_secret = "\xFF\xFE",
  };
  const auto text = SubmissionText(SettingsOf(values), submission, NoVariables);
  EXPECT_TRUE(text.ok()) << text.status();
  return ParseJson(text.ValueOr("{}")).ValueOr(Json());
}

std::map<std::string, Json> Entries(const Json& map) {
  std::map<std::string, Json> entries;
  for (const Json& entry : map.at("entry")) entries[entry.at("key")] = entry.at("value");
  return entries;
}

TEST(Submission, TheApplicationIsTheSettings) {
  const Json body = BodyOf({{"mapreduce.job.name", "trawl j"},
                            {"mapreduce.job.queuename", "crawl"},
                            {"mapreduce.job.tags", "a, b,,c"},
                            {"mapreduce.job.priority", "HIGH"},
                            {"mapreduce.am.max-attempts", "3"},
                            {"mapreduce.job.node-label-expression", "fast"},
                            {"yarn.app.mapreduce.am.resource.mb", "512"}});
  EXPECT_EQ(body["application-id"], "application_1_0002");
  EXPECT_EQ(body["application-name"], "trawl j");
  EXPECT_EQ(body["application-type"], "MAPREDUCE");
  EXPECT_EQ(body["queue"], "crawl");
  EXPECT_EQ(body["application-tags"]["tag"], Json({"a", "b", "c"}));
  EXPECT_EQ(body["priority"], 4);
  EXPECT_EQ(body["max-app-attempts"], 3);
  EXPECT_EQ(body["resource"], Json({{"memory", 512}, {"vCores", 1}}));
  EXPECT_EQ(body["app-node-label-expression"], "fast");
  EXPECT_FALSE(body.contains("am-container-node-label-expression"));
  const Json usual = BodyOf({});
  EXPECT_EQ(usual["resource"], Json({{"memory", 1536}, {"vCores", 1}}));
  EXPECT_EQ(usual["max-app-attempts"], 2);
  EXPECT_EQ(usual["queue"], "default");
  EXPECT_FALSE(usual.contains("priority"));
}

TEST(Submission, TheMasterStartsAsHadoopsClientStartsIt) {
  const Json master = BodyOf({{"yarn.application.classpath", "/conf,\n /common/*"},
                              {"mapreduce.application.classpath", "/mr/*"},
                              {"yarn.app.mapreduce.am.command-opts", "-Xmx320m"}})["am-container-spec"];
  EXPECT_EQ(master["commands"]["command"],
            "$JAVA_HOME/bin/java -Djava.io.tmpdir=$PWD/tmp -Dlog4j.configuration=container-log4j.properties "
            "-Dyarn.app.container.log.dir=<LOG_DIR> -Dyarn.app.container.log.filesize=0 -Dhadoop.root.logger=INFO,CLA "
            "-Dhadoop.root.logfile=syslog  -Xmx320m org.apache.hadoop.mapreduce.v2.app.MRAppMaster 1><LOG_DIR>/stdout "
            "2><LOG_DIR>/stderr");
  const auto environment = Entries(master["environment"]);
  EXPECT_EQ(environment.at("CLASSPATH"), "$PWD:/conf:/common/*:/mr/*:job.jar/*:job.jar/classes/:job.jar/lib/*:$PWD/*");
  EXPECT_EQ(environment.at("LD_LIBRARY_PATH"), "$PWD:{{HADOOP_COMMON_HOME}}/lib/native");
  EXPECT_EQ(environment.at("SHELL"), "/bin/bash");
  const auto resources = Entries(master["local-resources"]);
  EXPECT_EQ(resources.at("job.xml"), Json({{"resource", "hdfs://nn/x/job.xml"},
                                           {"type", "FILE"},
                                           {"visibility", "APPLICATION"},
                                           {"size", 5},
                                           {"timestamp", 7000}}));
  EXPECT_EQ(resources.at("trawl").at("type"), "ARCHIVE");
  EXPECT_EQ(resources.at("trawl").at("visibility"), "PUBLIC");
  EXPECT_EQ(Entries(master["credentials"]["secrets"]).at("MapReduceShuffleToken"), "__4");
  EXPECT_EQ(Entries(master["application-acls"]).at("VIEW_APP"), " ");
}

TEST(Submission, LogsAndOptionsOfTheMaster) {
  const std::string command =
      BodyOf({{"yarn.app.mapreduce.am.container.log.limit.kb", "2"},
              {"yarn.app.mapreduce.am.container.log.backups", "3"},
              {"yarn.app.mapreduce.am.log.level", "WARN"},
              {"mapreduce.jvm.add-opens-as-default", "true"}})["am-container-spec"]["commands"]["command"];
  EXPECT_THAT(command, HasSubstr("filesize=2048 -Dyarn.app.container.log.backups=3 -Dhadoop.root.logger=WARN,CRLA "));
  EXPECT_THAT(command, HasSubstr(" -Xmx1024m <ADD_OPENS> org."));
}

TEST(Submission, VariablesOfTheMaster) {
  const HadoopConfig settings =
      SettingsOf({{"yarn.app.mapreduce.am.env", "A=$HOME/x,LD_LIBRARY_PATH=/l,B=${C}$A,D=$NONE."},
                  {"yarn.app.mapreduce.am.env.E", "a,b"}});
  const auto text = SubmissionText(settings, {}, [](const std::string& name) { return name == "HOME" ? "/h" : ""; });
  ASSERT_OK(text.status());
  const auto environment = Entries((*ParseJson(*text))["am-container-spec"]["environment"]);
  EXPECT_EQ(environment.at("A"), "/h/x");
  EXPECT_EQ(environment.at("B"), "${C}/h/x");
  EXPECT_EQ(environment.at("D"), ".");
  EXPECT_EQ(environment.at("E"), "a,b");
  EXPECT_EQ(environment.at("LD_LIBRARY_PATH"), "$PWD:{{HADOOP_COMMON_HOME}}/lib/native:/l");
}

TEST(Submission, ANumberThatIsNoneIsAnError) {
  const auto text = SubmissionText(SettingsOf({{"yarn.app.mapreduce.am.resource.mb", "much"}}), {}, NoVariables);
  EXPECT_THAT(text.status().message(), HasSubstr("yarn.app.mapreduce.am.resource.mb is not a number: much"));
}

TEST(Submission, WhatOnlyHadoopsClientCanDo) {
  EXPECT_EQ(WhyNotByRest(SettingsOf({})), "");
  EXPECT_EQ(WhyNotByRest(SettingsOf({{"mapreduce.job.classloader", "false"}})), "");
  const struct {
    const char* name;
    const char* value;
    const char* reason;
  } cases[] = {{"hadoop.security.authentication", "kerberos", "Kerberos"},
               {"yarn.http.policy", "HTTPS_ONLY", "yarn.http.policy=HTTPS_ONLY"},
               {"mapreduce.framework.name", "local", "mapreduce.framework.name=local"},
               {"mapreduce.application.framework.path", "hdfs:///mr.tar.gz#mr", "mapreduce.application.framework.path"},
               {"mapreduce.job.classloader", "true", "mapreduce.job.classloader=true"},
               {"mapred.job.queue.name", "q", "old name"},
               {"yarn.app.mapreduce.am.resource.gpu", "1", "yarn.app.mapreduce.am.resource.gpu"},
               {"yarn.app.mapreduce.am.staging-dir", "/x/${env.Y}", "refers to"},
               {"fs.defaultFS", "viewfs://cluster", "viewfs://cluster"}};
  for (const auto& each : cases) {
    EXPECT_THAT(WhyNotByRest(SettingsOf({{each.name, each.value}})), HasSubstr(each.reason)) << each.name;
  }
  HadoopConfig includes = SettingsOf({});
  ASSERT_OK(includes.Add("<configuration xmlns:xi='x'><xi:include href='more.xml'/></configuration>"));
  EXPECT_THAT(WhyNotByRest(includes), HasSubstr("includes"));
}

}  // namespace
}  // namespace trawl
