#include "jobs/completion/answer.h"

#include <algorithm>

#include "jobs/completion/candidates.h"
#include "jobs/completion/root_ids.h"
#include "jobs/completion/shell_words.h"

namespace trawl {

namespace {

using Words = std::vector<std::string>;

// A request: the words after the program's name, and the part of the last that the shell leaves as it is.
struct Request {
  Words words;
  std::string kept;
  bool in_redirection = false;
  bool has_texts = true;
};

Request RequestOfLine(const std::string& line, ShellKind shell) {
  ShellWords split = SplitShellLine(line, shell);
  split.words.erase(split.words.begin());
  return {std::move(split.words), "", split.in_redirection};
}

// Bash replaces only what follows the last of the characters that part words for it, such as = and :.
Request RequestOfBash(const std::string& line, const std::string& word) {
  Request request = RequestOfLine(line, ShellKind::kBash);
  const bool is_separator = !word.empty() && word.find_first_not_of("=:<>&|") == std::string::npos;
  const std::string replaced = is_separator ? "" : WithoutQuotes(word, ShellKind::kBash);
  if (request.words.empty()) return request;
  const std::string& last = request.words.back();
  if (last.ends_with(replaced)) request.kept = last.substr(0, last.size() - replaced.size());
  request.has_texts = false;
  return request;
}

// No request has no words.
Request ReadRequest(const Words& words) {
  if (words.size() == 5 && words[2] == "bash") return RequestOfBash(words[3], words[4]);
  if (words.size() == 4 && words[2] == "fish") return RequestOfLine(words[3], ShellKind::kFish);
  Request request;
  if (words.size() >= 4 && words[2] == "zsh") {
    for (auto word = words.begin() + 3; word != words.end(); ++word)
      request.words.push_back(WithoutQuotes(*word, ShellKind::kZsh));
  }
  return request;
}

bool IsOneLine(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

const char* NameOf(PathsWanted paths) {
  switch (paths) {
    case PathsWanted::kFiles:
      return "files";
    case PathsWanted::kFolders:
      return "folders";
    case PathsWanted::kNone:
      break;
  }
  return "words";
}

}  // namespace

bool IsCompletionRequest(const Words& words) {
  return words.size() >= 2 && words[0] == "completion" && words[1] == "words";
}

std::string AnswerCompletion(const std::vector<Verb>& verbs, const Words& words, const Words& environment) {
  const Request request = ReadRequest(words);
  // A word of several lines is none that we know, and would tear the answer.
  if (request.words.empty() || !IsOneLine(request.words.back())) return "";
  const FindIds find_ids = [&](ValueKind kind, const TypedCrawl& crawl) {
    return IdsOfRoot(kind, crawl, environment, AllGroups(verbs));
  };
  Candidates found;
  if (request.in_redirection) {
    found.paths = PathsWanted::kFiles;
    found.path = request.words.back();
  } else {
    found = FindCandidates(verbs, request.words, find_ids);
  }
  std::string out = std::string(NameOf(found.paths)) + (found.is_open ? " open" : "") + "\n" + found.before + "\n" +
                    found.path + "\n" + request.kept + "\n";
  for (const OfferedWord& candidate : found.words) {
    const std::string& word = candidate.word;
    out += request.has_texts ? word + "\t" + candidate.text : word.substr(std::min(word.size(), request.kept.size()));
    out += "\n";
  }
  return out;
}

}  // namespace trawl
