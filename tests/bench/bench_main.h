// Shared by the mains of benchmarks: options, and an exit when something fails that is not measured.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

// Returns the value after `name`; `otherwise`, or nothing, where it is not given.
inline int NumberOption(int argc, char** argv, const char* name, int otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) return std::atoi(argv[i + 1]);
  }
  return otherwise;
}

inline std::string TextOption(int argc, char** argv, const char* name) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
  }
  return "";
}

inline void Check(const arrow::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

template <typename T>
T Check(arrow::Result<T> result) {
  Check(result.status());
  return std::move(result).ValueUnsafe();
}

}  // namespace trawl
