#include "jobs/check/check.h"

#include <istream>
#include <ostream>

#include "formats/documents/foreign_json.h"
#include "runtime/process/read_file.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

const std::vector<CheckKind>& CheckKinds() {
  static const std::vector<CheckKind> kinds = {
      FetchCheck(), HeadersCheck(),   RobotsCheck(),    RobotsLiveCheck(), UrlReadingCheck(),
      HostCheck(),  NormalizeCheck(), UrlFilterCheck(), SitemapCheck(),    SimhashCheck(),
      LangCheck(),  HtmlCheck(),      CharsetCheck(),   TreeCheck(),       WarcCheck(),
  };
  return kinds;
}

Result<std::string> CheckBytes(const Json& input, const char* name) {
  const std::string encoded = std::string(name) + "_b64";
  if (HasMember(input, encoded.c_str())) {
    ARROW_ASSIGN_OR_RAISE(const std::string text, GetString(input, encoded.c_str()));
    return Base64Decode(text);
  }
  return GetString(input, name);
}

namespace {

constexpr size_t kMaxLineBytes = 64 << 20;

Json AnswerLine(const CheckKind* kind, const std::string& line) {
  if (line.size() > kMaxLineBytes) return {{"error", "the line is longer than 64 MiB"}};
  const Result<Json> input = ParseForeignJson(line);
  if (!input.ok()) return {{"error", input.status().message()}};
  Json answer = Json::object();
  if (HasMember(*input, "id")) answer["id"] = (*input)["id"];
  if (kind == nullptr) {
    answer["unsupported"] = true;
    return answer;
  }
  const Result<Json> result = kind->answer(*input);
  if (result.ok()) {
    answer.update(*result);
  } else {
    answer["error"] = result.status().message();
  }
  return answer;
}

}  // namespace

Result<std::string> ReadCheckedFile(const std::string& path) {
  constexpr int64_t kMaxBytes = int64_t{256} << 20;
  return ReadLocalFile(path, kMaxBytes);
}

Status AnswerChecks(const std::string& name, std::istream& in, std::ostream& out) {
  const CheckKind* kind = nullptr;
  for (const CheckKind& candidate : CheckKinds()) {
    if (candidate.name == name) kind = &candidate;
  }
  std::string line;
  while (std::getline(in, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    out << DumpJson(AnswerLine(kind, line)) << '\n';
  }
  out.flush();
  return out ? Status::OK() : Status::IOError("standard output: cannot be written");
}

}  // namespace trawl
