#include "tests/support/process/trawl_command.h"

#include <gtest/gtest.h>

#include <fstream>

namespace trawl {

BinaryResult Trawl(std::vector<std::string> arguments, const std::string& input) {
  return RunBinary({.arguments = std::move(arguments), .input = input});
}

Json AnswerOf(const BinaryResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  auto json = ParseJson(result.out);
  EXPECT_TRUE(json.ok()) << result.out;
  return json.ok() ? *json : Json::object();
}

std::string RunsOf(const std::string& root) {
  const Json last = AnswerOf(Trawl({"snapshot", "list", "--root", root, "--limit", "1", "--json"}));
  Json manifest = AnswerOf(Trawl({"snapshot", "show", DumpJson(last["snapshot"]), "--root", root, "--json"}));
  std::string text;
  for (const auto& [table, runs] : manifest["tables"].items()) {
    for (Json& run : runs) {
      text +=
          table + " " + DumpJson(run["rows"]) + " " + DumpJson(run["removed"]) + " " + DumpJson(run["digest"]) + "\n";
    }
  }
  return text;
}

std::string CompactedRowsOf(const std::string& root) {
  AnswerOf(Trawl({"compact", "--root", root, "--now", "2026-01-01T00:00:00Z", "--json"}));
  return RunsOf(root);
}

std::string WriteSeedFile(const TemporaryFolder& folder, int from, int to) {
  const std::string path = folder.path() + "/seeds-" + std::to_string(from) + "-" + std::to_string(to) + ".txt";
  std::ofstream file(path);
  for (int i = from; i < to; ++i) {
    file << "https://host" << i % 37 << ".example/page/" << i << (i % 5 == 0 ? "?b=2&a=1" : "") << "\n";
  }
  return path;
}

}  // namespace trawl
