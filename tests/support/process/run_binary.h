// Runs a program as its users do, with arguments, environment and input, and captures its output and how it ends.
//
//   const BinaryResult result = RunBinary({.arguments = {"readdb", "stats", "--root", root}});
//
// Tests that interfere start a BinaryProcess, wait for its output and send signals. The wait never exceeds the limit;
// after it the program and its children are killed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace trawl {

// The trawl under test: TRAWL_BINARY.
std::string TrawlBinary();

struct BinaryRequest {
  // Empty means TrawlBinary().
  std::string program = {};
  std::vector<std::string> arguments = {};
  // NAME=VALUE, added to the test's environment without its TRAWL_… variables.
  std::vector<std::string> environment = {};
  std::string input = {};
  // Leaves standard input open after `input`, so that the program expects more. Nothing more comes.
  bool holds_input_open = false;
  // The folder in which it runs; empty means the test's own.
  std::string folder = {};
  int64_t limit_ms = 60'000;
};

struct BinaryResult {
  int exit_code = -1;  // -1 where a signal ended it
  int signal = 0;
  bool timed_out = false;
  std::string out;
  std::string err;
};

class BinaryProcess {
 public:
  // Aborts the test where the program cannot be started.
  explicit BinaryProcess(const BinaryRequest& request);
  ~BinaryProcess();  // kills what is still running
  BinaryProcess(const BinaryProcess&) = delete;
  BinaryProcess& operator=(const BinaryProcess&) = delete;

  pid_t pid() const { return pid_; }
  // Feeds and reads until `text` has been printed on either stream; false where the program ends or the time is over
  // before.
  bool WaitFor(const std::string& text);
  void Signal(int signal);
  // Closes the reading end of standard output, as `| head` does.
  void CloseOutput();
  // Feeds and reads until the program has ended.
  BinaryResult Wait();

 private:
  // Waits for one event and handles it; false once the time is over.
  bool Step();
  void Feed();
  void ReadInto(int* fd, std::string* text);
  bool HasEnded() const { return exit_fd_ < 0 && out_fd_ < 0 && err_fd_ < 0; }

  pid_t pid_ = -1;
  int in_fd_ = -1, out_fd_ = -1, err_fd_ = -1;
  int exit_fd_ = -1;  // readable once the program has ended
  int64_t deadline_ms_ = 0;
  std::string input_;
  bool holds_input_open_ = false;
  BinaryResult result_;
};

BinaryResult RunBinary(const BinaryRequest& request);

}  // namespace trawl
