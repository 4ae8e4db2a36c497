#include "formats/hadoop/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

std::string Xml(const std::vector<std::pair<std::string, std::string>>& values) {
  std::string xml = "<?xml version=\"1.0\"?><configuration>";
  for (const auto& [name, value] : values)
    xml += "<property><name>" + name + "</name><value>" + value + "</value></property>";
  return xml + "</configuration>";
}

TEST(HadoopConfig, LaterFilesWin) {
  HadoopConfig config;
  ASSERT_OK(config.Add(Xml({{"a", "1"}, {"b", " 2 "}})));
  ASSERT_OK(config.Add(Xml({{"a", "3"}})));
  EXPECT_EQ(config.Get("a"), "3");
  EXPECT_EQ(config.Get("b"), "2");
  EXPECT_EQ(config.Get("c", "otherwise"), "otherwise");
}

TEST(HadoopConfig, WhatIsFinalStays) {
  HadoopConfig config;
  ASSERT_OK(
      config.Add("<configuration><property><name>a</name><value>1</value><final>true</final></property>"
                 "<property name=\"b\" value=\"2\"/></configuration>",
                 "core-site.xml"));
  ASSERT_OK(config.Add(Xml({{"a", "3"}, {"b", "4"}})));
  EXPECT_EQ(config.Get("a"), "1");
  EXPECT_EQ(config.Get("b"), "4");
  EXPECT_TRUE(config.values().at("a").is_final);
  EXPECT_EQ(config.values().at("a").source, "core-site.xml");
  config.Set("a", "5", "command line");
  EXPECT_EQ(config.Get("a"), "5");
  EXPECT_TRUE(config.values().at("a").is_final);
}

TEST(HadoopConfig, AValueWithoutTextIsMissing) {
  HadoopConfig config;
  ASSERT_OK(config.Add(Xml({{"a", "1"}, {"b", " "}})));
  ASSERT_OK(
      config.Add("<configuration><property><name>a</name><value></value></property>"
                 "<property><name>c</name></property></configuration>"));
  EXPECT_EQ(config.Get("a"), "1");
  EXPECT_EQ(config.GetWhole("b"), " ");
  EXPECT_FALSE(config.Has("c"));
}

TEST(HadoopConfig, OtherFilesAreNoticedAndNotRead) {
  HadoopConfig config;
  ASSERT_OK(config.Add(Xml({{"a", "1"}})));
  EXPECT_FALSE(config.has_includes());
  ASSERT_OK(config.Add("<configuration xmlns:xi='x'><xi:include href='/etc/passwd'/></configuration>"));
  EXPECT_TRUE(config.has_includes());
}

TEST(HadoopConfig, ReferencesAreFollowedAndCirclesEnd) {
  HadoopConfig config;
  ASSERT_OK(config.Add(Xml({{"host", "rm.example"},
                            {"address", "${host}:8088"},
                            {"home", "${user.home}/x"},
                            {"a", "${b}"},
                            {"b", "${a}"}})));
  EXPECT_EQ(config.Get("address"), "rm.example:8088");
  EXPECT_EQ(config.Get("home"), "${user.home}/x");
  EXPECT_FALSE(config.Get("a").empty());
}

TEST(HadoopConfig, ResourceManagersOfEveryKindOfCluster) {
  const struct {
    std::vector<std::pair<std::string, std::string>> values;
    std::vector<std::string> managers;
  } cases[] = {{{}, {"http://localhost:8088"}},
               {{{"yarn.resourcemanager.hostname", "rm.example"}}, {"http://rm.example:8088"}},
               {{{"yarn.resourcemanager.webapp.address", "rm.example:9000"}}, {"http://rm.example:9000"}},
               {{{"yarn.resourcemanager.hostname", "rm.example"}, {"yarn.http.policy", "HTTPS_ONLY"}},
                {"https://rm.example:8090"}},
               {{{"yarn.resourcemanager.ha.enabled", "true"},
                 {"yarn.resourcemanager.ha.rm-ids", "a, b"},
                 {"yarn.resourcemanager.webapp.address.a", "one:8088"},
                 {"yarn.resourcemanager.hostname.b", "two"}},
                {"http://one:8088", "http://two:8088"}}};
  for (const auto& each : cases) {
    HadoopConfig config;
    ASSERT_OK(config.Add(Xml(each.values)));
    EXPECT_EQ(config.ResourceManagers(), each.managers);
  }
}

TEST(HadoopConfig, NameNodesOfANameservice) {
  HadoopConfig config;
  ASSERT_OK(config.Add(Xml({{"dfs.ha.namenodes.ns", "a, b"},
                            {"dfs.namenode.http-address.ns.a", "one:9870"},
                            {"dfs.namenode.http-address.ns.b", "0.0.0.0:9871"},
                            {"dfs.namenode.https-address.ns.a", "one:9443"},
                            {"dfs.namenode.https-address.ns.b", "two:9443"}})));
  EXPECT_EQ(config.NameNodes("ns"), (std::vector<std::string>{"http://one:9870", "http://localhost:9871"}));
  EXPECT_TRUE(config.NameNodes("other").empty());
  ASSERT_OK(config.Add(Xml({{"dfs.http.policy", "HTTPS_ONLY"}})));
  EXPECT_EQ(config.NameNodes("ns"), (std::vector<std::string>{"https://one:9443", "https://two:9443"}));
}

TEST(HadoopConfig, TheHistoryServer) {
  HadoopConfig config;
  EXPECT_EQ(config.HistoryServer(), "http://localhost:19888");
  ASSERT_OK(config.Add(Xml({{"mapreduce.jobhistory.webapp.address", "jhs:1"}})));
  EXPECT_EQ(config.HistoryServer(), "http://jhs:1");
}

TEST(HadoopConfig, DamageIsAnError) {
  HadoopConfig config;
  EXPECT_FALSE(config.Add("<configuration><property>").ok());
}

}  // namespace
}  // namespace trawl
