// The verbs by the binary, for tests: what they answer, and what the crawl that they leave comes to.
#pragma once

#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {

BinaryResult Trawl(std::vector<std::string> arguments, const std::string& input = "");

// The one JSON object that a verb with --json printed; the test fails where it did not exit with 0.
Json AnswerOf(const BinaryResult& result);

// The rows of the present, by the logical digests of its runs: one text for equal rows in equally cut runs.
std::string RunsOf(const std::string& root);
// The same after a compaction into one run: equal for equal rows, however they were put there.
std::string CompactedRowsOf(const std::string& root);

// A list of the seeds numbered [from, to) of 37 hosts. Returns its path.
std::string WriteSeedFile(const TemporaryFolder& folder, int from, int to);

}  // namespace trawl
