// A terminal that shows one page of lines again and again, until a key is pressed. One thread.
//
// While it lives, keys are read one by one and are not echoed; the terminal is as before afterwards. Where standard input
// is no terminal there are no keys.
#pragma once

#include <termios.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/process/stop.h"

namespace trawl {

class Screen {
 public:
  // `out` is the terminal.
  Screen(int out, int in);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // Replaces what was shown. Each line is made harmless and cut to the terminal's width; lines beyond its height are left
  // out.
  void Show(const std::vector<std::string>& lines);

  // Waits for a key, `ms` at most, or until the token is raised; nothing in these two cases.
  std::optional<char> WaitForKey(int64_t ms, const StopToken& stop);

  // Waits that long, or until the token is raised.
  static void Pause(int64_t ms, const StopToken& stop);

 private:
  const int out_;
  const int in_;
  bool has_keys_ = false;
  termios before_ = {};
};

}  // namespace trawl
