// The door of jobs/schemas: the JSON Schemas (draft 2020-12) of everything that is JSON: answers of verbs, and documents of roots,
// exports and archives. `trawl docs --schemas DIR` writes them; the API describes what it shares with verbs by the same parts.
// Start here; texts.h says how they are written.
//
// tests/scripts/schema_test holds every answer of every verb against them and takes no member that they lack, so none can
// drift. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/documents/json.h"

namespace trawl {

struct PublishedSchema {
  std::string name = {};   // "page-links": the file is answers/page-links.json
  std::string about = {};  // one sentence
  Json schema = {};
  // Of an answer: the verb and, where it has several forms, what asks for this one. Of a document: where it lies.
  std::string verb = {};
  std::string when = {};
  std::string path = {};
  bool is_lines = false;  // one object per line, not one object in all
  // The version of the format (docs/formats.md).
  int major = 1;
  int minor = 0;

  bool is_answer() const { return path.empty(); }
  std::string version() const;  // "1.0"
  std::string file() const;     // "answers/page-links.json"
  std::string id() const;       // "urn:trawl:answers:page-links:1.0"
};

// Every one: answers first, verb by verb, then documents.
const std::vector<PublishedSchema>& PublishedSchemas();

// A part that several have: "url", "host", "worker". REQUIRES: there is one of that name.
const Json& SchemaPart(std::string_view name);

// What is misspelt in the texts; empty, as a test holds.
const std::vector<std::string>& SchemaFaults();

// The text of its file: the schema with $schema, $id, title and description.
Json SchemaDocument(const PublishedSchema& schema);
// The list of all files, for index.json.
Json SchemaIndex();

}  // namespace trawl
