#include "formats/answers/problem.h"

#include <string_view>

namespace trawl {

namespace {

struct Known {
  int status;
  const char* title;
};
constexpr Known kKnown[] = {{400, "Bad request"},
                            {401, "Token needed"},
                            {403, "Not allowed"},
                            {404, "Not found"},
                            {405, "Method not allowed"},
                            {406, "Not acceptable"},
                            {408, "Request took too long"},
                            {409, "Conflict"},
                            {410, "Gone"},
                            {411, "Length required"},
                            {413, "Request too large"},
                            {415, "Unsupported media type"},
                            {421, "Misdirected request"},
                            {422, "Not possible"},
                            {429, "Too many requests"},
                            {431, "Header too large"},
                            {500, "Damaged or failed"},
                            {503, "Not available now"},
                            {504, "Took too long"}};

}  // namespace

const char* ProblemTitle(int status) {
  for (const Known& known : kKnown) {
    if (known.status == status) return known.title;
  }
  return "Error";
}

std::string ProblemName(int status) {
  std::string name = ProblemTitle(status);
  for (char& c : name) c = c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
  return name;
}

const std::vector<int>& ProblemStatuses() {
  static const std::vector<int> all = [] {
    std::vector<int> statuses;
    for (const Known& known : kKnown) statuses.push_back(known.status);
    return statuses;
  }();
  return all;
}

Json ToJson(const Problem& problem) {
  Json json = {{"type", "/problems/" + ProblemName(problem.status)},
               {"title", ProblemTitle(problem.status)},
               {"status", problem.status},
               {"detail", problem.detail}};
  if (problem.fields.empty()) return json;
  Json fields = Json::array();
  for (const ProblemField& field : problem.fields) {
    fields.push_back({{"pointer", field.pointer}, {"detail", field.detail}});
  }
  json["errors"] = std::move(fields);
  return json;
}

}  // namespace trawl
