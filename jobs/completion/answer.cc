#include "jobs/completion/answer.h"

#include <algorithm>

#include "jobs/completion/candidates.h"
#include "jobs/completion/root_ids.h"
#include "jobs/completion/shell_words.h"

namespace trawl {

namespace {

using Words = std::vector<std::string>;

// A request, and the part of the last word that the shell leaves as it is. No request has no words.
struct Request {
  TypedWords typed;
  std::string kept;
  bool in_redirection = false;
  bool has_texts = true;
};

Words WithoutFirst(Words words) {
  words.erase(words.begin());
  return words;
}

// The rest of the word at the cursor is no word of its own.
Request RequestOfLine(const std::string& line, const std::string& rest, ShellKind shell) {
  ShellWords split = SplitShellLine(line, shell);
  return {.typed = {.words = WithoutFirst(std::move(split.words)),
                    .later = WithoutFirst(SplitShellLine(rest, shell).words)},
          .kept = "",
          .in_redirection = split.in_redirection};
}

// Bash replaces only what follows the last of the characters that part words for it, such as = and :.
Request RequestOfBash(const std::string& line, const std::string& rest, const std::string& word) {
  Request request = RequestOfLine(line, rest, ShellKind::kBash);
  if (request.typed.words.empty()) return request;
  const bool is_separator = !word.empty() && word.find_first_not_of("=:<>&|") == std::string::npos;
  const std::string replaced = is_separator ? "" : WithoutQuotes(word, ShellKind::kBash);
  const std::string& last = request.typed.words.back();
  if (last.ends_with(replaced)) request.kept = last.substr(0, last.size() - replaced.size());
  request.has_texts = false;
  return request;
}

Request RequestOfZsh(const std::string& count, const Words& words) {
  Request request;
  for (const std::string& word : words) {
    Words& part = std::to_string(request.typed.words.size()) == count ? request.typed.later : request.typed.words;
    part.push_back(WithoutQuotes(word, ShellKind::kZsh));
  }
  return request;
}

Request ReadRequest(const Words& words) {
  if (words.size() == 6 && words[2] == "bash") return RequestOfBash(words[3], words[4], words[5]);
  if (words.size() == 5 && words[2] == "fish") return RequestOfLine(words[3], words[4], ShellKind::kFish);
  if (words.size() >= 5 && words[2] == "zsh") return RequestOfZsh(words[3], Words(words.begin() + 4, words.end()));
  return {};
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
  if (request.typed.words.empty() || !IsOneLine(request.typed.words.back())) return "";
  const FindIds find_ids = [&](ValueKind kind, const TypedCrawl& crawl) {
    return IdsOfRoot(kind, crawl, environment, AllGroups(verbs));
  };
  Candidates found;
  if (request.in_redirection) {
    found.paths = PathsWanted::kFiles;
    found.path = request.typed.words.back();
  } else {
    found = FindCandidates(verbs, request.typed, find_ids);
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
