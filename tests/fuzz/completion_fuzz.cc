// Input: the name of a shell, a line feed, and a command line that is being typed, up to the cursor. Every candidate is one
// line that goes on from what was typed, in the form that the scripts read, and nothing of the line is run.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "jobs/completion/answer.h"
#include "jobs/completion/shell_words.h"

namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string> RequestOf(const std::string& shell, const std::string& line) {
  if (shell == "bash") {
    const size_t word = line.find_last_of(" =:");
    return {"completion", "words", shell, line, "", line.substr(word == std::string::npos ? 0 : word + 1)};
  }
  if (shell == "fish") return {"completion", "words", shell, line, " --root=nowhere"};
  std::vector<std::string> words = {"completion", "words", shell, "2"};
  for (std::string& word : trawl::SplitShellLine(line, trawl::ShellKind::kZsh).words) words.push_back(std::move(word));
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(input.find('\n'), input.size());
  const std::string shell = input.substr(0, end), line = input.substr(std::min(end + 1, input.size()));
  const std::vector<std::string> request = RequestOf(shell, line);
  const std::string answer =
      trawl::AnswerCompletion(trawl::Verbs(), request, {"TRAWL_ROOT=/nonexistent", "HOME=/nonexistent"});
  Check(answer == trawl::AnswerCompletion(trawl::Verbs(), request, {"TRAWL_ROOT=/nonexistent", "HOME=/nonexistent"}));
  if (answer.empty()) return 0;
  Check(answer.starts_with("words") || answer.starts_with("files") || answer.starts_with("folders"));
  Check(answer.back() == '\n' && std::count(answer.begin(), answer.end(), '\n') >= 4);
  Check(std::none_of(answer.begin(), answer.end(), [](char c) { return c >= 0 && c < ' ' && c != '\n' && c != '\t'; }));
  return 0;
}
