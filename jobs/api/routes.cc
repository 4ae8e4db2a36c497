#include "jobs/api/routes.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "formats/answers/schema.h"
#include "formats/text/ascii.h"
#include "jobs/views/failure.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;

namespace {

// "{id}" is "id"; empty where the part of a template is a fixed text.
std::string_view NameIn(std::string_view part) {
  if (!part.starts_with('{') || !part.ends_with('}')) return {};
  return part.substr(1, part.size() - 2);
}

bool MatchesPath(std::string_view path, const std::vector<std::string>& segments,
                 std::map<std::string, std::string>* values) {
  values->clear();
  for (const std::string& segment : segments) {
    if (path.empty()) return false;
    path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    const std::string_view name = NameIn(part);
    if (name.empty() ? part != segment : segment.empty()) return false;
    if (!name.empty()) (*values)[std::string(name)] = segment;
  }
  return path.empty();
}

// RFC 3339 as clients write it; ParseTimestamp takes more, for people.
bool IsDateTime(const std::string& text) {
  return text.size() >= 20 && (text[10] == 'T' || text[10] == 't') && ParseTimestamp(text).ok();
}

// "-12" and "0", but not "+1", "01" or "1.0".
bool ReadInteger(const std::string& text, int64_t* number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), *number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && std::to_string(*number) == text;
}

// The value of a parameter by its type; what does not look like one stays a string, which the schema then refuses.
Json TypedValue(const Json& schema, const std::string& text) {
  const std::string type = GetString(schema, "type").ValueOr("string");
  int64_t number = 0;
  if (type == "integer" && ReadInteger(text, &number)) return number;
  if (type == "boolean" && (text == "true" || text == "false")) return text == "true";
  return text;
}

std::vector<ProblemField> FaultsOf(const Parameter& parameter, const Json& value) {
  const std::string at = "?" + parameter.name;
  std::vector<ProblemField> faults = FaultsBySchema(parameter.schema, value, at);
  const bool is_time = HasMember(parameter.schema, "format") && parameter.schema["format"] == "date-time";
  if (faults.empty() && is_time && !IsDateTime(value.get<std::string>())) {
    faults.push_back({at, "it must be a time of RFC 3339, such as 2026-01-01T12:00:00Z"});
  }
  return faults;
}

// 2.0 is an integer to JSON Schema, so clients may send it: from here on it is 2.
void MakeIntegers(Json* json) {
  constexpr double kMost = 9'007'199'254'740'992;  // beyond it not every integer has a double of its own
  if (json->is_structured()) {
    for (Json& part : *json) MakeIntegers(&part);
    return;
  }
  if (!json->is_number_float()) return;
  const double number = json->get<double>();
  if (number == std::trunc(number) && std::abs(number) <= kMost) *json = static_cast<int64_t>(number);
}

std::string KnownNames(const std::vector<Parameter>& parameters) {
  std::string names;
  for (const Parameter& parameter : parameters) {
    if (parameter.place == ParameterPlace::kQuery) names += (names.empty() ? "" : ", ") + parameter.name;
  }
  return names.empty() ? "this path takes none" : "known are " + names;
}

}  // namespace

RouteMatch FindRoute(const std::vector<Endpoint>& table, std::string_view method,
                     const std::vector<std::string>& segments) {
  RouteMatch match;
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  std::map<std::string, std::string> values;
  std::string path;
  for (const Endpoint& endpoint : table) {
    if (!path.empty() ? endpoint.path != path : !MatchesPath(endpoint.path, segments, &values)) continue;
    // A fixed path stands before a template that it fits, too.
    path = endpoint.path;
    match.methods.push_back(endpoint.method);
    if (endpoint.method == "GET") match.methods.push_back("HEAD");
    if (endpoint.method != wanted) continue;
    match.endpoint = &endpoint;
  }
  if (!path.empty()) MatchesPath(path, segments, &match.path_values);
  return match;
}

std::vector<Parameter> ParametersOf(const Endpoint& endpoint) {
  std::vector<Parameter> all = endpoint.parameters;
  if (endpoint.freshness == Freshness::kFixed || endpoint.is_write) return all;
  if (!endpoint.is_of_present) {
    all.push_back({.name = "snapshot",
                   .schema = {{"type", "integer"}, {"minimum", 0}, {"maximum", 2'147'483'647}},
                   .description = "Answer from this snapshot. Without it, the newest answers."});
  }
  if (endpoint.freshness == Freshness::kTime) {
    all.push_back({.name = "now",
                   .schema = {{"type", "string"}, {"format", "date-time"}},
                   .description = "Answer as if this were the time."});
  }
  return all;
}

Result<std::map<std::string, Json>> ReadParameters(const Endpoint& endpoint,
                                                   const std::map<std::string, std::string>& path_values,
                                                   const NamedValues& query) {
  const std::vector<Parameter> parameters = ParametersOf(endpoint);
  std::map<std::string, Json> values;
  std::vector<ProblemField> faults;
  const auto take = [&](const Parameter& parameter, const std::string& text) {
    const Json value = TypedValue(parameter.schema, text);
    for (ProblemField& fault : FaultsOf(parameter, value)) faults.push_back(std::move(fault));
    values[parameter.name] = value;
  };
  for (const auto& [name, text] : query) {
    const auto known = std::find_if(parameters.begin(), parameters.end(), [&name = name](const Parameter& parameter) {
      return parameter.place == ParameterPlace::kQuery && parameter.name == name;
    });
    if (known == parameters.end()) {
      faults.push_back({"?" + name.substr(0, 100), "this parameter is not known; " + KnownNames(parameters)});
    } else if (values.contains(name)) {
      faults.push_back({"?" + name, "it was sent twice"});
    } else {
      take(*known, text);
    }
  }
  for (const Parameter& parameter : parameters) {
    if (parameter.place == ParameterPlace::kPath) take(parameter, path_values.at(parameter.name));
    if (values.contains(parameter.name)) continue;
    if (parameter.is_required) faults.push_back({"?" + parameter.name, "it is missing"});
    if (HasMember(parameter.schema, "default")) values[parameter.name] = parameter.schema["default"];
  }
  if (faults.empty()) return values;
  const std::string detail = faults[0].pointer + ": " + faults[0].detail;
  return BadRequest(detail, std::move(faults));
}

Result<Json> ReadBody(const Endpoint& endpoint, std::string_view content_type, std::string_view body) {
  if (endpoint.body.is_null()) return Json();
  const std::string_view essence = TrimBytes(content_type.substr(0, content_type.find(';')), " \t");
  if (!EqualsIgnoringAsciiCase(essence, "application/json")) {
    return ProblemStatus({.status = 415, .detail = "send the body as JSON, with Content-Type: application/json"});
  }
  Result<Json> json = ParseJson(body);
  if (!json.ok()) return BadRequest("the body is not JSON: " + json.status().message());
  MakeIntegers(&*json);
  std::vector<ProblemField> faults = FaultsBySchema(endpoint.body, *json);
  if (faults.empty()) return json;
  const std::string detail = faults[0].pointer + ": " + faults[0].detail;
  // What nobody knows is a mistake of the request; a value that makes no sense is one of its contents.
  const bool has_unknown = std::any_of(faults.begin(), faults.end(),
                                       [](const ProblemField& fault) { return fault.detail == kUnknownMember; });
  return has_unknown ? BadRequest(detail, std::move(faults)) : Unprocessable(detail, std::move(faults));
}

}  // namespace trawl
