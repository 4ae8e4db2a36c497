// Short names for the JSON Schemas of the endpoints. Pure; any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "formats/documents/json.h"

namespace trawl {

using SchemaMembers = std::vector<std::pair<std::string, Json>>;

// Of one value. Ors take null, too.
Json TextSchema();
Json TextOrNullSchema();
Json IntegerSchema();
Json IntegerOrNullSchema();
Json NumberSchema();
Json FlagSchema();
Json TimeOrNullSchema();  // RFC 3339
Json ChoiceSchema(std::vector<std::string> choices);
Json ListSchema(Json item);
// {"404": 3}
Json CountsSchema();

// An object that has these members, and may have more.
Json ObjectSchema(const SchemaMembers& members);
// An object with the members of a sample, each of its type or null: for what the verbs' own functions make.
Json SchemaLike(const Json& sample);
// `more` in front of the members of an object's schema.
Json SchemaWith(const SchemaMembers& more, Json schema);
Json OrNull(Json schema);
Json EitherSchema(std::vector<Json> schemas);

// A list that goes on: `name`, and `next`.
Json PageOfListSchema(const std::string& name, Json item);
// One that says how far it looked: `looked_at` rows, up to the URL `looked_to`.
Json ScannedListSchema(const std::string& name, Json item);

}  // namespace trawl
