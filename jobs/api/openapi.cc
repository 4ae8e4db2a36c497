#include "jobs/api/openapi.h"

#include "formats/answers/problem.h"
#include "formats/answers/schemas.h"
#include "formats/text/ascii.h"
#include "jobs/api/routes.h"
#include "jobs/verb/version.h"

namespace trawl {

namespace {

Json ProblemSchema() {
  Json schema = ObjectSchema(
      {{"type", TextSchema()}, {"title", TextSchema()}, {"status", IntegerSchema()}, {"detail", TextSchema()}});
  schema["properties"]["errors"] = ListSchema(ObjectSchema({{"pointer", TextSchema()}, {"detail", TextSchema()}}));
  schema["example"] = ToJson(Problem{.status = 400,
                                     .detail = "?limit: it must be an integer",
                                     .fields = {{.pointer = "?limit", .detail = "it must be an integer"}}});
  return schema;
}

Json ProblemAnswer(const std::string& description) {
  return {{"description", description},
          {"content", {{kProblemType, {{"schema", {{"$ref", "#/components/schemas/Problem"}}}}}}}};
}

Json ParameterJson(const Parameter& parameter) {
  const bool is_path = parameter.place == ParameterPlace::kPath;
  Json json = {{"name", parameter.name},
               {"in", is_path ? "path" : "query"},
               {"required", is_path || parameter.is_required},
               {"description", parameter.description},
               {"schema", parameter.schema}};
  if (!parameter.example.is_null()) json["example"] = parameter.example;
  return json;
}

// The answer with `snapshot`, which every answer of a snapshot has.
Json WholeAnswer(const Endpoint& endpoint, const Json& schema) {
  if (endpoint.freshness == Freshness::kFixed || !schema.is_object() || !schema.contains("properties")) return schema;
  return SchemaWith({{"snapshot", IntegerSchema()}}, schema);
}

Json AnswerJson(const Endpoint& endpoint, const Json& schema, const std::string& description) {
  Json content;
  if (!endpoint.content_type.empty()) {
    content[endpoint.content_type] = {{"schema", {{"type", "string"}, {"contentEncoding", "binary"}}}};
  } else {
    content["application/json"] = {{"schema", WholeAnswer(endpoint, schema)}};
    if (!endpoint.answer_example.is_null()) content["application/json"]["example"] = endpoint.answer_example;
  }
  return {{"description", description}, {"content", std::move(content)}};
}

Json AnswersJson(const Endpoint& endpoint) {
  Json answers = {{"200", AnswerJson(endpoint, endpoint.answer.json, "The answer.")}};
  for (const auto& [status, schema] : endpoint.other_answers) {
    answers[std::to_string(status)] =
        AnswerJson(endpoint, schema.is_null() ? endpoint.answer.json : schema, ProblemTitle(status));
  }
  if (endpoint.freshness != Freshness::kFixed && !endpoint.is_write) {
    answers["304"] = {{"description", "What the client has is still the answer."}};
  }
  for (const int status : {400, 404, 410, 503}) answers[std::to_string(status)] = ProblemAnswer(ProblemTitle(status));
  if (endpoint.is_write) {
    for (const int status : {401, 403, 409, 415, 422}) {
      answers[std::to_string(status)] = ProblemAnswer(ProblemTitle(status));
    }
  }
  answers["default"] = ProblemAnswer("Any other failure.");
  return answers;
}

Json OperationJson(const Endpoint& endpoint) {
  Json json = {
      {"operationId", endpoint.operation}, {"summary", endpoint.summary}, {"tags", Json::array({endpoint.tag})}};
  if (!endpoint.description.empty()) json["description"] = endpoint.description;
  const std::vector<Parameter> parameters = ParametersOf(endpoint);
  if (!parameters.empty()) {
    json["parameters"] = Json::array();
    for (const Parameter& parameter : parameters) json["parameters"].push_back(ParameterJson(parameter));
  }
  if (!endpoint.body.is_null()) {
    Json content = {{"schema", endpoint.body}};
    if (!endpoint.body_example.is_null()) content["example"] = endpoint.body_example;
    json["requestBody"] = {{"required", true}, {"content", {{"application/json", std::move(content)}}}};
  }
  json["responses"] = AnswersJson(endpoint);
  // A server on another address than loopback asks readers for the token, too.
  const Json bearer = {{"token", Json::array()}};
  json["security"] = Json::array();
  if (!endpoint.is_write) json["security"].push_back(Json::object());
  json["security"].push_back(bearer);
  return json;
}

}  // namespace

Json OpenApiDocument(const std::vector<Endpoint>& table) {
  Json paths = Json::object();
  for (const Endpoint& endpoint : table) {
    paths[endpoint.path][AsciiLower(endpoint.method)] = OperationJson(endpoint);
  }
  return {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "Trawl"},
        {"version", kVersion},
        {"description",
         "The HTTP API of trawl serve. Every answer is of one snapshot of the crawl, which it names: `?snapshot=N` "
         "asks "
         "for another one. Errors are problem details (RFC 9457)."}}},
      {"paths", std::move(paths)},
      {"components",
       {{"schemas", {{"Problem", ProblemSchema()}}},
        {"securitySchemes",
         {{"token", {{"type", "http"}, {"scheme", "bearer"}, {"description", "The token of --serve.token_file."}}}}}}}};
}

}  // namespace trawl
