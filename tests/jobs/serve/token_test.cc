// Tokens, sessions, and how often one may guess.
#include "jobs/serve/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "jobs/serve/login_limit.h"
#include "jobs/serve/sessions.h"
#include "runtime/process/status_detail.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class TokenFile : public ::testing::Test {
 protected:
  arrow::Result<Token> Load(const std::string& text, mode_t mode, bool may_group_read = false) {
    std::ofstream(file_) << text;
    chmod(file_.c_str(), mode);
    return LoadToken(file_, may_group_read);
  }
  std::string FaultOf(const std::string& text, mode_t mode, bool may_group_read = false) {
    const arrow::Status status = Load(text, mode, may_group_read).status();
    EXPECT_EQ(KindOf(status), StatusKind::kUsage) << text;
    return status.message();
  }

  TemporaryFolder folder_;
  const std::string file_ = folder_.path() + "/token";
};

TEST_F(TokenFile, ItsFirstLineIsTheToken) {
  for (const char* text : {"secret", "secret\n", "  secret \r\nmore\n"}) {
    ASSERT_OK_AND_ASSIGN(const Token token, Load(text, 0600));
    EXPECT_TRUE(token.Is("secret")) << text;
    for (const char* wrong : {"", "secre", "secret ", "Secret", "secrets"}) EXPECT_FALSE(token.Is(wrong)) << wrong;
  }
  EXPECT_OK(Load("secret", 0400));
}

TEST_F(TokenFile, OthersMustNotReadIt) {
  for (const mode_t mode : {0644, 0640, 0604, 0620, 0601, 0660}) {
    EXPECT_THAT(FaultOf("secret", mode), HasSubstr("chmod 600 " + file_)) << mode;
  }
  EXPECT_OK(Load("secret", 0440, /*may_group_read=*/true));
  EXPECT_THAT(FaultOf("secret", 0444, /*may_group_read=*/true), HasSubstr("chmod 600"));
}

TEST_F(TokenFile, WhatIsNoTokenIsRefused) {
  for (const char* text : {"", "\n", " \nsecret", "two words", "tab\tbed", "\xc3\xa4"}) {
    EXPECT_THAT(FaultOf(text, 0600), HasSubstr("openssl rand -hex 32")) << text;
  }
  EXPECT_THAT(FaultOf(std::string(5000, 'x'), 0600), HasSubstr("no token"));
  EXPECT_THAT(LoadToken(folder_.path() + "/missing", false).status().message(), HasSubstr("No such file"));
  EXPECT_THAT(LoadToken(folder_.path(), false).status().message(), HasSubstr("it is not a file"));
  const std::string pipe = folder_.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(LoadToken(pipe, false).status().message(), HasSubstr("it is not a file"));
}

TEST(Sessions, LiveForTwelveHours) {
  Sessions sessions;
  ASSERT_OK_AND_ASSIGN(const std::string secret, sessions.Begin(1000));
  ASSERT_OK_AND_ASSIGN(const std::string other, sessions.Begin(1000));
  EXPECT_EQ(secret.size(), 64u);
  EXPECT_NE(secret, other);
  ASSERT_TRUE(sessions.Find(secret, 1000 + Sessions::kLifeMs - 1));
  EXPECT_NE(sessions.Find(secret, 1000)->form_token, secret);
  EXPECT_NE(sessions.Find(secret, 1000)->form_token, sessions.Find(other, 1000)->form_token);
  EXPECT_FALSE(sessions.Find(secret, 1000 + Sessions::kLifeMs));
  EXPECT_FALSE(sessions.Find("", 1000));
  sessions.End(secret);
  EXPECT_FALSE(sessions.Find(secret, 1000));
  EXPECT_TRUE(sessions.Find(other, 1000));
  sessions.EndAll();
  EXPECT_FALSE(sessions.Find(other, 1000));
}

TEST(Sessions, TheOldestGoesWhereThereAreTooMany) {
  Sessions sessions;
  const std::string first = sessions.Begin(1).ValueOrDie(), second = sessions.Begin(2).ValueOrDie();
  for (size_t i = 2; i < Sessions::kMost; ++i) ASSERT_OK(sessions.Begin(3));
  EXPECT_TRUE(sessions.Find(first, 3));
  ASSERT_OK(sessions.Begin(4));
  EXPECT_FALSE(sessions.Find(first, 4));
  EXPECT_TRUE(sessions.Find(second, 4));
}

TEST(LoginLimit, TenGuessesAMinuteForEachAddress) {
  LoginLimit limit;
  for (int64_t i = 0; i < 10; ++i) {
    EXPECT_TRUE(limit.MayTry("a", i));
    limit.Failed("a", i);
  }
  EXPECT_FALSE(limit.MayTry("a", 10));
  EXPECT_TRUE(limit.MayTry("b", 10));
  EXPECT_FALSE(limit.MayTry("a", 59'999));
  EXPECT_TRUE(limit.MayTry("a", 60'000)) << "the first failure is a minute old";
  limit.Failed("a", 60'000);
  EXPECT_FALSE(limit.MayTry("a", 60'000));
  EXPECT_TRUE(limit.MayTry("a", 120'001));
}

TEST(LoginLimit, RemembersSoManyAddresses) {
  LoginLimit limit;
  for (size_t i = 0; i < 10; ++i) limit.Failed("first", 0);
  for (size_t i = 0; i < LoginLimit::kMostAddresses; ++i) limit.Failed(std::to_string(i), 1);
  EXPECT_TRUE(limit.MayTry("first", 2)) << "forgotten";
}

}  // namespace
}  // namespace trawl
