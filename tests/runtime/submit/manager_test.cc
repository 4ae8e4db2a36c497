// Submitting by REST to ResourceManagers that take an application, refuse it, lose it, or lose their answer.
#include "runtime/submit/manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "tests/support/values/assert_ok.h"
#include "tests/support/web/server_thread.h"

namespace trawl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kId[] = "application_1_0002";
constexpr ManagerPauses kNoPauses = {.try_ms = 0, .look_ms = 0};

// Answers one request after the other from a list, and notes them; the last answer repeats.
class Manager {
 public:
  explicit Manager(std::vector<ServerAnswer> answers)
      : answers_(std::move(answers)),
        server_({.handle = [this](const ServerRequest& request, const StopToken&) { return Answer(request); }}) {}

  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }
  std::vector<std::string> asked() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return asked_;
  }

 private:
  ServerAnswer Answer(const ServerRequest& request) {
    const std::lock_guard<std::mutex> lock(mutex_);
    asked_.push_back(request.method + " " + request.target.substr(std::string("/ws/v1/cluster").size()));
    return answers_[std::min(asked_.size(), answers_.size()) - 1];
  }

  std::mutex mutex_;
  const std::vector<ServerAnswer> answers_;
  std::vector<std::string> asked_;
  ServerThread server_;
};

ServerAnswer Json(int status, std::string body) { return {.status = status, .body = std::move(body)}; }
ServerAnswer State(const std::string& state, const std::string& user = "me") {
  return Json(200, R"({"app": {"id": "application_1_0002", "state": ")" + state + R"(", "user": ")" + user + R"("}})");
}
ServerAnswer Taken() { return Json(202, ""); }
ServerAnswer Unknown() { return Json(404, R"({"RemoteException": {"message": "not found"}})"); }
ServerAnswer Refused(int status, const std::string& why) {
  return Json(status, R"({"RemoteException": {"message": ")" + why + R"("}})");
}
// What a standby ResourceManager says.
ServerAnswer Standby() { return Json(200, "This is standby RM"); }

std::string Post() { return "POST /apps?user.name=me"; }
std::string Look() { return std::string("GET /apps/") + kId + "?user.name=me"; }

ManagerClient ClientOf(const Manager& manager) { return ManagerClient({manager.url()}, "me", kNoPauses); }

TEST(SubmitManager, ANewApplicationHasAnId) {
  Manager manager({Json(200, R"({"application-id": "application_1_0002", "maximum-resource-capability": {}})")});
  const auto answer = ClientOf(manager).NewApplication();
  ASSERT_OK(answer.status());
  EXPECT_EQ(answer->id, kId);
  EXPECT_THAT(manager.asked(), ElementsAre("POST /apps/new-application?user.name=me"));
}

TEST(SubmitManager, ARefusalIsToldWithItsReason) {
  for (const int status : {401, 403, 404, 405, 500}) {
    Manager manager({Refused(status, "not for you")});
    const auto answer = ClientOf(manager).NewApplication();
    ASSERT_OK(answer.status());
    EXPECT_EQ(answer->id, "");
    EXPECT_EQ(answer->refused, "the ResourceManager answered " + std::to_string(status) +
                                   " to a request for a new application: not for you");
  }
  Manager odd({Json(200, "{}")});
  EXPECT_THAT(ClientOf(odd).NewApplication()->refused, HasSubstr("without an id"));
}

TEST(SubmitManager, TheActiveOneIsAsked) {
  Manager standby({Standby()}), active({Json(200, R"({"application-id": "application_1_0002"})")});
  const auto answer = ManagerClient({standby.url(), active.url()}, "me", kNoPauses).NewApplication();
  ASSERT_OK(answer.status());
  EXPECT_EQ(answer->id, kId);
  EXPECT_THAT(ManagerClient({standby.url()}, "me", kNoPauses).NewApplication().status().message(), HasSubstr("active"));
}

TEST(SubmitManager, ASubmissionEndsWhenTheSchedulerHasIt) {
  Manager manager({Taken(), State("NEW_SAVING"), State("SUBMITTED"), State("ACCEPTED")});
  const auto answer = ClientOf(manager).Submit(kId, "{}", StopToken());
  ASSERT_OK(answer.status());
  EXPECT_EQ(answer->id, kId);
  EXPECT_FALSE(answer->is_over);
  EXPECT_THAT(manager.asked(), ElementsAre(Post(), Look(), Look(), Look()));
}

TEST(SubmitManager, AnApplicationThatFailsAtOnceIsOver) {
  Manager manager({Taken(), State("FAILED")});
  const auto answer = ClientOf(manager).Submit(kId, "{}", StopToken());
  ASSERT_OK(answer.status());
  EXPECT_EQ(answer->id, kId);
  EXPECT_TRUE(answer->is_over);
}

TEST(SubmitManager, ARefusedSubmissionLeavesNothing) {
  Manager manager({Refused(403, "not in this queue"), Unknown()});
  const auto answer = ClientOf(manager).Submit(kId, "{}", StopToken());
  ASSERT_OK(answer.status());
  EXPECT_EQ(answer->id, "");
  EXPECT_EQ(answer->refused, "the ResourceManager answered 403 to the submission: not in this queue");
  EXPECT_THAT(manager.asked(), ElementsAre(Post(), Look()));
}

TEST(SubmitManager, AnErrorAfterItWasTakenIsNoRefusal) {
  Manager manager({Refused(500, "lost my store"), State("ACCEPTED")});
  const auto answer = ClientOf(manager).Submit(kId, "{}", StopToken());
  ASSERT_OK(answer.status());
  EXPECT_EQ(answer->id, kId);
}

// Another ResourceManager became the active one before the first had stored the application.
TEST(SubmitManager, AnApplicationThatIsForgottenIsSubmittedAgainUnderItsId) {
  Manager manager({Taken(), State("NEW"), Unknown(), Taken(), State("ACCEPTED")});
  const auto answer = ClientOf(manager).Submit(kId, "{}", StopToken());
  ASSERT_OK(answer.status());
  EXPECT_EQ(answer->id, kId);
  EXPECT_THAT(manager.asked(), ElementsAre(Post(), Look(), Look(), Post(), Look()));
}

// A client that took it for refused would submit a second application.
TEST(SubmitManager, WhereTheAnswerIsLostNothingCountsAsRefused) {
  StopSource stop = *StopSource::Make();
  stop.Stop();
  const auto answer = ManagerClient({"http://127.0.0.1:1"}, "me", kNoPauses).Submit(kId, "{}", stop.token());
  EXPECT_THAT(answer.status().message(), HasSubstr("application_1_0002 may run: the same command takes it up"));
}

TEST(SubmitManager, AJobOfAnotherUserIsEnded) {
  Manager manager({Taken(), State("ACCEPTED", "dr.who"), Taken()});
  const auto answer = ClientOf(manager).Submit(kId, "{}", StopToken());
  ASSERT_OK(answer.status());
  EXPECT_THAT(answer->refused, HasSubstr("as a job of dr.who, not of me"));
  EXPECT_THAT(manager.asked().back(), HasSubstr("PUT /apps/application_1_0002/state"));
}

TEST(SubmitManager, OnlyTheActiveOneKnowsWhatIsUnknown) {
  Manager unknown({Unknown()}), known({State("RUNNING")}), standby({Standby()});
  EXPECT_TRUE(ClientOf(unknown).IsUnknown(kId));
  EXPECT_FALSE(ClientOf(known).IsUnknown(kId));
  EXPECT_FALSE(ClientOf(standby).IsUnknown(kId));
  EXPECT_FALSE(ManagerClient({"http://127.0.0.1:1"}, "me", kNoPauses).IsUnknown(kId));
}

}  // namespace
}  // namespace trawl
