// Checks a JSON value against a schema: the part of JSON Schema (draft 2020-12) that our own schemas use. Pure; any thread.
//
// Of a `const` the description says why it must be so. Known: type (also a list of types), enum, const, properties, required, additionalProperties, propertyNames, minProperties,
// maxProperties, items, minItems, maxItems, minimum, maximum, minLength, maxLength, anyOf. Everything else, `format` too, is an
// annotation here. An integer is a number without a point: 1.0 is none, though the standard takes it.
#pragma once

#include <string>
#include <vector>

#include "formats/answers/problem.h"
#include "formats/documents/json.h"

namespace trawl {

// The detail of a member that the schema does not have.
inline constexpr char kUnknownMember[] = "this member is not known";

// What is wrong, with pointers below `at`; the first few faults. Empty where the value fits.
std::vector<ProblemField> FaultsBySchema(const Json& schema, const Json& value, const std::string& at = "#");

}  // namespace trawl
