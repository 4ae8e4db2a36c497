#include "tests/support/process/run_binary.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/process/clock.h"

namespace trawl {

namespace {

[[noreturn]] void Die(const char* what, int error) {
  std::fprintf(stderr, "run_binary: %s: %s\n", what, std::strerror(error));
  std::abort();
}

struct Pipe {
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) Die("pipe2", errno);
    read_end = ends[0];
    write_end = ends[1];
  }
  int read_end;
  int write_end;
};

std::vector<std::string> EnvironmentOf(const BinaryRequest& request) {
  std::vector<std::string> out = request.environment;
  // A test that counts requests counts those that it is about. One about guesses says --sitemaps.guess=true.
  const bool has_guess = std::any_of(out.begin(), out.end(), [](const std::string& variable) {
    return variable.starts_with("TRAWL_SITEMAPS_GUESS=");
  });
  if (!has_guess) out.push_back("TRAWL_SITEMAPS_GUESS=false");
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string line = *variable;
    const std::string name_and_equals = line.substr(0, line.find('=') + 1);
    const bool is_replaced = std::any_of(request.environment.begin(), request.environment.end(),
                                         [&name_and_equals](const std::string& mine) {
                                           return mine.compare(0, name_and_equals.size(), name_and_equals) == 0;
                                         });
    if (!is_replaced && line.compare(0, 6, "TRAWL_") != 0) out.push_back(line);
  }
  return out;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& text : strings) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Starts the program with every signal at its default, and in a process group of its own, so that its children can be
// killed with it.
pid_t Spawn(const BinaryRequest& request, int in, int out, int err) {
  std::vector<std::string> arguments = request.arguments;
  const std::string program = request.program.empty() ? TrawlBinary() : request.program;
  arguments.insert(arguments.begin(), program);
  std::vector<std::string> environment = EnvironmentOf(request);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  if (!request.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, request.folder.c_str());

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

  pid_t pid = -1;
  const int error = posix_spawnp(&pid, program.c_str(), &actions, &attributes, Pointers(arguments).data(),
                                 Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) Die(program.c_str(), error);
  return pid;
}

void Close(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

}  // namespace

std::string TrawlBinary() {
  const char* trawl = std::getenv("TRAWL_BINARY");
  return trawl != nullptr ? trawl : "build/release/trawl";
}

BinaryProcess::BinaryProcess(const BinaryRequest& request)
    : deadline_ms_(SystemClock().MonotonicMs() + request.limit_ms),
      input_(request.input),
      holds_input_open_(request.holds_input_open) {
  std::signal(SIGPIPE, SIG_IGN);  // a program that does not read its input must not end the test
  Pipe in, out, err;
  pid_ = Spawn(request, in.read_end, out.write_end, err.write_end);
  close(in.read_end);
  close(out.write_end);
  close(err.write_end);
  in_fd_ = in.write_end;
  out_fd_ = out.read_end;
  err_fd_ = err.read_end;
  fcntl(in_fd_, F_SETFL, O_NONBLOCK);
  exit_fd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (exit_fd_ < 0) Die("pidfd_open", errno);
}

BinaryProcess::~BinaryProcess() {
  if (exit_fd_ >= 0) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (int* fd : {&in_fd_, &out_fd_, &err_fd_, &exit_fd_}) Close(fd);
}

void BinaryProcess::Signal(int signal) {
  if (exit_fd_ >= 0) kill(pid_, signal);
}

void BinaryProcess::CloseOutput() { Close(&out_fd_); }

void BinaryProcess::Feed() {
  const ssize_t written = input_.empty() ? 0 : write(in_fd_, input_.data(), input_.size());
  if (written > 0) input_.erase(0, static_cast<size_t>(written));
  if ((input_.empty() && !holds_input_open_) || (written < 0 && errno != EAGAIN && errno != EINTR)) Close(&in_fd_);
}

void BinaryProcess::ReadInto(int* fd, std::string* text) {
  char bytes[16 << 10];
  const ssize_t count = read(*fd, bytes, sizeof(bytes));
  if (count > 0) {
    text->append(bytes, static_cast<size_t>(count));
  } else if (count == 0 || errno != EINTR) {
    Close(fd);
  }
}

bool BinaryProcess::Step() {
  const int64_t left_ms = deadline_ms_ - SystemClock().MonotonicMs();
  // poll() skips descriptors that are -1.
  const bool feeds = !input_.empty() || !holds_input_open_;
  pollfd fds[] = {{feeds ? in_fd_ : -1, POLLOUT, 0}, {out_fd_, POLLIN, 0}, {err_fd_, POLLIN, 0}, {exit_fd_, POLLIN, 0}};
  if (left_ms <= 0 || poll(fds, 4, static_cast<int>(std::min<int64_t>(left_ms, 1'000'000))) == 0) return false;
  if (fds[0].revents != 0) Feed();
  if (fds[1].revents != 0) ReadInto(&out_fd_, &result_.out);
  if (fds[2].revents != 0) ReadInto(&err_fd_, &result_.err);
  if (fds[3].revents != 0) {
    int status = 0;
    waitpid(pid_, &status, 0);
    if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    Close(&exit_fd_);
  }
  return true;
}

bool BinaryProcess::WaitFor(const std::string& text) {
  const auto is_there = [this, &text] {
    return result_.out.find(text) != std::string::npos || result_.err.find(text) != std::string::npos;
  };
  while (!is_there()) {
    if (HasEnded() || !Step()) return false;
  }
  return true;
}

BinaryResult BinaryProcess::Wait() {
  while (!HasEnded()) {
    if (Step()) continue;
    result_.timed_out = true;
    kill(-pid_, SIGKILL);
    // A killed process gets one more second to end. Descriptors that its children keep open are not waited for.
    deadline_ms_ = SystemClock().MonotonicMs() + 1'000;
    while (exit_fd_ >= 0 && Step()) continue;
    break;
  }
  return result_;
}

BinaryResult RunBinary(const BinaryRequest& request) { return BinaryProcess(request).Wait(); }

}  // namespace trawl
