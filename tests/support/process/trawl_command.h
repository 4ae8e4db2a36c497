// Runs verbs through the binary, for tests of their answers and of the crawl that they leave.
#pragma once

#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {

BinaryResult Trawl(std::vector<std::string> arguments, const std::string& input = "");

// The only JSON object that a verb with --json printed. The test fails where the exit code is not 0.
Json AnswerOf(const BinaryResult& result);

// The logical digests of the present's runs. Equal rows in equally cut runs have the same text.
std::string RunsOf(const std::string& root);
// The same after a compaction into one run: equal rows have the same text, however they were written.
std::string CompactedRowsOf(const std::string& root);

// Writes a list of the seeds numbered [from, to) of 37 hosts. Returns its path.
std::string WriteSeedFile(const TemporaryFolder& folder, int from, int to);

}  // namespace trawl
