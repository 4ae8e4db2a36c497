// The driver: one binary, a verb a file.
#include <cstdio>
#include <cstring>
#include <iostream>

#include "jobs/check.h"
#include "jobs/version.h"

int main(int argc, char** argv) {
  if (argc >= 3 && std::strcmp(argv[1], "check") == 0) {
    const arrow::Status status = trawl::AnswerChecks(argv[2], std::cin, std::cout);
    return status.ok() ? 0 : 3;
  }
  std::printf("trawl %s\n", trawl::kVersion);
  return 0;
}
