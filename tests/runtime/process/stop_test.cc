#include "runtime/process/stop.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/process/status_detail.h"

namespace trawl {
namespace {

bool IsReadable(int fd) {
  pollfd ready{fd, POLLIN, 0};
  return poll(&ready, 1, 0) == 1;
}

TEST(Stop, ATokenFollowsItsSource) {
  const StopSource source = StopSource::Make().ValueOrDie();
  const StopToken token = source.token();
  const StopToken copy = token;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is tested
  EXPECT_FALSE(token.stopped());
  EXPECT_TRUE(token.Check().ok());
  EXPECT_FALSE(IsReadable(token.wait_fd()));
  source.Stop();
  source.Stop();
  EXPECT_TRUE(copy.stopped());
  EXPECT_EQ(KindOf(copy.Check()), StatusKind::kStopped);
  EXPECT_TRUE(IsReadable(copy.wait_fd()));
}

TEST(Stop, ADefaultTokenNeverStops) {
  const StopToken token;
  EXPECT_FALSE(token.stopped());
  EXPECT_TRUE(token.Check().ok());
  EXPECT_EQ(token.wait_fd(), -1);
}

TEST(Stop, ATokenOutlivesItsSource) {
  StopToken token;
  {
    const StopSource source = StopSource::Make().ValueOrDie();
    token = source.token();
    source.Stop();
  }
  EXPECT_TRUE(token.stopped());
}

TEST(Stop, SignalsStopWhileTheHandlerLives) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const StopSource source = StopSource::Make().ValueOrDie();
    const StopOnSignals handler(source);
    raise(signal);
    EXPECT_TRUE(source.token().stopped()) << signal;
  }
}

TEST(Stop, TheOldHandlersComeBack) {
  struct sigaction before = {}, after = {};
  sigaction(SIGTERM, nullptr, &before);
  {
    const StopSource source = StopSource::Make().ValueOrDie();
    const StopOnSignals handler(source);
  }
  sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST(Stop, AWriteToAClosedPipeIsAnErrorAndNoSignal) {
  const StopSource source = StopSource::Make().ValueOrDie();
  const StopOnSignals handler(source);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  close(ends[1]);
}

// Returns how a child process ends that gets these signals one after the other.
int ExitCodeAfter(const std::vector<int>& signals) {
  const pid_t child = fork();
  if (child == 0) {
    const StopSource source = StopSource::Make().ValueOrDie();
    const StopOnSignals handler(source);
    for (const int signal : signals) raise(signal);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Stop, ASecondInterruptEndsTheProcessAtOnce) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer holds back the signals of a forked child";
#endif
  EXPECT_EQ(ExitCodeAfter({SIGINT}), 0);
  EXPECT_EQ(ExitCodeAfter({SIGTERM, SIGTERM}), 0);
  EXPECT_EQ(ExitCodeAfter({SIGINT, SIGTERM}), 0);
  EXPECT_EQ(ExitCodeAfter({SIGINT, SIGINT}), 75);
  EXPECT_EQ(ExitCodeAfter({SIGTERM, SIGINT}), 75);
}

}  // namespace
}  // namespace trawl
