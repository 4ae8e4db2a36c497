#include "runtime/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "runtime/process/file_descriptor.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kKeptBytes = 256 << 10;
constexpr int kCannotStart = 127;

Status Failed(const char* what) { return Status::IOError(what, ": ", std::strerror(errno)); }

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

Result<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return Failed("pipe");
  return Pipe{FileDescriptor(fds[0]), FileDescriptor(fds[1])};
}

// Runs between fork and exec and does only what is allowed there.
[[noreturn]] void BecomeChild(char* const* command, int out, int err, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCannotStart);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) {
    _exit(kCannotStart);
  }
  execvp(command[0], command);
  _exit(kCannotStart);
}

void Keep(std::string_view piece, std::string* text) {
  text->append(piece);
  if (text->size() > 2 * kKeptBytes) text->erase(0, text->size() - kKeptBytes);
}

// Reads what is available; closes the descriptor at the end of input.
void ReadSome(FileDescriptor* fd, std::string* text) {
  std::array<char, 16 << 10> buffer;
  const ssize_t got = read(fd->get(), buffer.data(), buffer.size());
  if (got > 0) Keep({buffer.data(), static_cast<size_t>(got)}, text);
  if (got == 0 || (got < 0 && errno != EINTR)) fd->Close();
}

// Reads until the child has closed both.
void Collect(const StopToken& stop, pid_t child, FileDescriptor out, FileDescriptor err, ChildResult* result) {
  bool stopped = false;
  while (out.is_open() || err.is_open()) {
    pollfd fds[] = {{out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}, {stopped ? -1 : stop.wait_fd(), POLLIN, 0}};
    if (poll(fds, 3, -1) < 0 && errno != EINTR) return;
    if (fds[0].revents != 0) ReadSome(&out, &result->out);
    if (fds[1].revents != 0) ReadSome(&err, &result->err);
    if (!stopped && stop.stopped()) {
      stopped = true;
      kill(child, SIGTERM);
    }
  }
}

}  // namespace

Result<ChildResult> RunChild(const ChildRequest& request) {
  ARROW_ASSIGN_OR_RAISE(Pipe out, MakePipe());
  ARROW_ASSIGN_OR_RAISE(Pipe err, MakePipe());
  std::vector<char*> words;
  for (const std::string& word : request.command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) return Failed("fork");
  if (child == 0) BecomeChild(words.data(), out.write_end.get(), err.write_end.get(), self);
  out.write_end.Close();
  err.write_end.Close();
  ChildResult result;
  Collect(request.stop, child, std::move(out.read_end), std::move(err.read_end), &result);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Failed("waiting for a child");
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace trawl
