#include "jobs/list/csv.h"

namespace trawl {

namespace {

std::string Field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string CsvHead(const Json& object) {
  std::string line;
  for (const auto& [name, value] : object.items()) line += (line.empty() ? "" : ",") + Field(name);
  return line + "\r\n";
}

std::string CsvLine(const Json& object) {
  std::string line;
  bool first = true;
  for (const auto& [name, value] : object.items()) {
    if (!first) line += ',';
    first = false;
    // Text goes through the dump's repair too, so that the output is UTF-8 whatever a server has sent.
    if (value.is_string()) {
      line += Field(ParseJson(DumpJson(value)).ValueOr(Json("")).get<std::string>());
    } else if (!value.is_null()) {
      line += Field(DumpJson(value));
    }
  }
  return line + "\r\n";
}

}  // namespace trawl
