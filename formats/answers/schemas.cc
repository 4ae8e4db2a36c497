#include "formats/answers/schemas.h"

#include <algorithm>

namespace trawl {

Json TextSchema() { return {{"type", "string"}}; }
Json TextOrNullSchema() { return {{"type", {"string", "null"}}}; }
Json IntegerSchema() { return {{"type", "integer"}}; }
Json IntegerOrNullSchema() { return {{"type", {"integer", "null"}}}; }
Json NumberSchema() { return {{"type", "number"}}; }
Json FlagSchema() { return {{"type", "boolean"}}; }
Json TimeOrNullSchema() { return {{"type", {"string", "null"}}, {"format", "date-time"}}; }
Json ChoiceSchema(std::vector<std::string> choices) { return {{"type", "string"}, {"enum", std::move(choices)}}; }
Json ListSchema(Json item) { return {{"type", "array"}, {"items", std::move(item)}}; }
Json CountsSchema() { return {{"type", "object"}, {"additionalProperties", IntegerSchema()}}; }

Json ObjectSchema(const SchemaMembers& members) {
  Json properties = Json::object(), required = Json::array();
  for (const auto& [name, schema] : members) {
    properties[name] = schema;
    required.push_back(name);
  }
  return {{"type", "object"}, {"required", std::move(required)}, {"properties", std::move(properties)}};
}

Json SchemaLike(const Json& sample) {
  SchemaMembers members;
  for (const auto& [name, value] : sample.items()) {
    const char* const type = value.is_boolean()          ? "boolean"
                             : value.is_number_integer() ? "integer"
                             : value.is_number()         ? "number"
                             : value.is_array()          ? "array"
                             : value.is_object()         ? "object"
                                                         : nullptr;
    // A sample that is null or a text says too little: times, URLs and texts are null where they are not known.
    members.emplace_back(name, type == nullptr ? Json::object() : Json{{"type", {type, "null"}}});
  }
  return ObjectSchema(members);
}

Json SchemaWith(const SchemaMembers& more, Json schema) {
  Json all = ObjectSchema(more);
  for (const auto& [name, part] : schema["properties"].items()) {
    if (!all["properties"].contains(name)) all["properties"][name] = part;
  }
  for (const Json& name : schema["required"]) {
    const auto& required = all["required"];
    if (std::find(required.begin(), required.end(), name) == required.end()) all["required"].push_back(name);
  }
  return all;
}

Json OrNull(Json schema) { return EitherSchema({std::move(schema), {{"type", "null"}}}); }

Json EitherSchema(std::vector<Json> schemas) {
  Json json;
  json["anyOf"] = std::move(schemas);
  return json;
}

Json PageOfListSchema(const std::string& name, Json item) {
  Json schema = ObjectSchema({{name, ListSchema(std::move(item))}});
  schema["properties"]["next"] = {{"type", "string"},
                                  {"description", "The cursor of the next page; missing at the end."}};
  return schema;
}

Json ScannedListSchema(const std::string& name, Json item) {
  Json schema = PageOfListSchema(name, std::move(item));
  schema["properties"]["looked_at"] = {{"type", "integer"}, {"description", "Rows that this page looked at."}};
  schema["properties"]["looked_to"] = {{"type", {"string", "null"}}, {"description", "Where the next page begins."}};
  schema["required"].push_back("looked_at");
  return schema;
}

}  // namespace trawl
