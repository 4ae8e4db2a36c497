#include "jobs/doctor/hadoop_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/web/server_thread.h"

namespace trawl {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// A NameNode's web service that says which state it has.
class NameNode {
 public:
  NameNode(int status, const std::string& body)
      : server_({.handle = [status, body](const ServerRequest& request, const StopToken&) {
          return request.target.starts_with("/jmx?") ? ServerAnswer{.status = status, .body = body}
                                                     : ServerAnswer{.status = 404};
        }}) {}
  std::string address() const { return "127.0.0.1:" + std::to_string(server_.port()); }

 private:
  ServerThread server_;
};

std::string Status(const std::string& state) {
  return R"({"beans": [{"name": "Hadoop:service=NameNode,name=NameNodeStatus", "State": ")" + state + R"("}]})";
}

DoctorFinding FindingOf(const std::string& one, const std::string& two) {
  HadoopConfig settings;
  settings.Set("dfs.ha.namenodes.ns", "a,b", "test");
  settings.Set("dfs.namenode.http-address.ns.a", one, "test");
  settings.Set("dfs.namenode.http-address.ns.b", two, "test");
  return CheckNameNodes(settings, "ns");
}

TEST(DoctorNameNodes, OneThatIsActiveAndOneThatCanTakeOver) {
  NameNode active(200, Status("active")), standby(200, Status("standby"));
  const DoctorFinding finding = FindingOf(active.address(), standby.address());
  EXPECT_TRUE(finding.is_well);
  EXPECT_EQ(finding.found, "http://" + active.address() + " active, http://" + standby.address() + " standby");
}

TEST(DoctorNameNodes, WithoutAnActiveOneNothingWorks) {
  NameNode one(200, Status("standby")), two(200, Status("standby"));
  const DoctorFinding finding = FindingOf(one.address(), two.address());
  EXPECT_FALSE(finding.is_well);
  EXPECT_THAT(finding.fix, HasSubstr("no NameNode of ns is active"));
}

TEST(DoctorNameNodes, WithoutTheSecondNobodyCanTakeOver) {
  NameNode active(200, Status("active"));
  const DoctorFinding finding = FindingOf(active.address(), "127.0.0.1:1");
  EXPECT_FALSE(finding.is_well);
  EXPECT_THAT(finding.found, HasSubstr("http://127.0.0.1:1 does not answer"));
  EXPECT_THAT(finding.fix, HasSubstr("nobody can take over"));
}

TEST(DoctorNameNodes, WhoeverRefusesToTellIsNotTakenForDead) {
  NameNode one(401, ""), two(200, "<html>");
  const DoctorFinding finding = FindingOf(one.address(), two.address());
  EXPECT_TRUE(finding.is_well);
  EXPECT_THAT(finding.found, HasSubstr("answers 401"));
  EXPECT_THAT(finding.found, HasSubstr("answers something else"));
}

class DoctorKerberos : public testing::Test {
 protected:
  ~DoctorKerberos() override {
    unsetenv("KRB5KEYTAB");
    unsetenv("KRB5PRINCIPAL");
    unsetenv("KRB5CCNAME");
  }
  TemporaryFolder folder_;
};

TEST_F(DoctorKerberos, AKeytabNeedsAPrincipalAndAFileThatCanBeRead) {
  const std::string keytab = folder_.path() + "/keytab";
  std::ofstream(keytab) << "key";
  setenv("KRB5KEYTAB", keytab.c_str(), 1);
  EXPECT_FALSE(CheckKerberos().is_well);
  setenv("KRB5PRINCIPAL", "trawl@EXAMPLE", 1);
  EXPECT_TRUE(CheckKerberos().is_well);
  EXPECT_THAT(CheckKerberos().found, HasSubstr("trawl@EXAMPLE"));
  setenv("KRB5KEYTAB", (folder_.path() + "/other").c_str(), 1);
  EXPECT_FALSE(CheckKerberos().is_well);
}

TEST_F(DoctorKerberos, WithoutATicketOrAWordOfItItIsSaid) {
  setenv("KRB5CCNAME", ("FILE:" + folder_.path() + "/none").c_str(), 1);
  const DoctorFinding finding = CheckKerberos();
  if (finding.is_well) {
    EXPECT_THAT(finding.found, HasSubstr("no klist here"));
  } else {
    EXPECT_THAT(finding.fix, HasSubstr("run kinit"));
  }
}

TEST(DoctorHadoop, RootsElsewhereAreNotItsBusiness) {
  EXPECT_THAT(CheckHadoop("/data/crawl"), IsEmpty());
  EXPECT_THAT(CheckHadoop("s3://bucket/crawl"), IsEmpty());
}

}  // namespace
}  // namespace trawl
