#include "jobs/schemas/schemas.h"

#include <algorithm>
#include <utility>

#include "jobs/schemas/texts.h"
#include "jobs/verb/version.h"

namespace trawl {

namespace {

const ReadTexts& AllTexts() {
  static const ReadTexts read =
      ReadSchemaTexts({kRowParts, kRoundParts, kStepAnswers, kPageAnswers, kCrawlAnswers, kSteeringAnswers,
                       kStorageAnswers, kCheckAnswers, kRootDocuments, kFolderDocuments});
  return read;
}

std::string TitleOf(const PublishedSchema& schema) {
  if (!schema.is_answer()) return schema.path;
  return "trawl " + schema.verb + (schema.when.empty() ? "" : " " + schema.when);
}

}  // namespace

std::string PublishedSchema::version() const { return std::to_string(major) + "." + std::to_string(minor); }

std::string PublishedSchema::file() const {
  return std::string(is_answer() ? "answers/" : "documents/") + name + ".json";
}

std::string PublishedSchema::id() const {
  return std::string("urn:trawl:") + (is_answer() ? "answers:" : "documents:") + name + ":" + version();
}

const std::vector<PublishedSchema>& PublishedSchemas() { return AllTexts().published; }

const std::vector<std::string>& SchemaFaults() { return AllTexts().faults; }

const Json& SchemaPart(std::string_view name) {
  const auto& parts = AllTexts().parts;
  return std::find_if(parts.begin(), parts.end(), [name](const auto& part) { return part.first == name; })->second;
}

Json SchemaDocument(const PublishedSchema& schema) {
  Json document = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"$id", schema.id()},
                   {"title", TitleOf(schema)},
                   {"description", schema.about}};
  document.update(schema.schema);
  return document;
}

Json SchemaIndex() {
  Json answers = Json::array(), documents = Json::array();
  for (const PublishedSchema& schema : PublishedSchemas()) {
    Json entry = {{"name", schema.name},
                  {"file", schema.file()},
                  {"id", schema.id()},
                  {"version", schema.version()},
                  {"about", schema.about}};
    if (schema.is_answer()) {
      entry["verb"] = schema.verb;
      entry["when"] = schema.when;
      entry["lines"] = schema.is_lines;
      answers.push_back(std::move(entry));
    } else {
      entry["path"] = schema.path;
      documents.push_back(std::move(entry));
    }
  }
  return {{"format", 1}, {"trawl", kVersion}, {"answers", std::move(answers)}, {"documents", std::move(documents)}};
}

}  // namespace trawl
