// The schemas of answers and documents: which there are, and that their lists of members are those of the answers. What
// whole answers hold is seen by tests/scripts/schema_test.
#include "jobs/schemas/schemas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "formats/answers/schema.h"
#include "jobs/operate/crawl_lists.h"
#include "jobs/schemas/texts.h"
#include "jobs/schemas/words.h"
#include "jobs/stats/holds.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/verb.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

std::vector<std::string> FilesThat(bool are_answers) {
  std::vector<std::string> files;
  for (const PublishedSchema& schema : PublishedSchemas()) {
    if (schema.is_answer() == are_answers) files.push_back(schema.file());
  }
  return files;
}

// Whoever reads a format knows it by its file's name: one that goes is a change that breaks readers.
TEST(Schemas, ThereIsAFileForEachFormOfAnAnswer) {
  const std::vector<std::string> expected = {
      "answers/crawl.json",
      "answers/inject.json",
      "answers/round.json",
      "answers/generate.json",
      "answers/generate-again.json",
      "answers/generate-dry-run.json",
      "answers/generate-nothing.json",
      "answers/fetch.json",
      "answers/fetch-nothing.json",
      "answers/parse.json",
      "answers/parse-nothing.json",
      "answers/updatedb.json",
      "answers/updatedb-nothing.json",
      "answers/settle.json",
      "answers/reparse.json",
      "answers/reparse-dry-run.json",
      "answers/page.json",
      "answers/page-text.json",
      "answers/page-main.json",
      "answers/page-markdown.json",
      "answers/page-items.json",
      "answers/page-body.json",
      "answers/page-headers.json",
      "answers/page-links.json",
      "answers/page-inlinks.json",
      "answers/page-history.json",
      "answers/page-missing.json",
      "answers/readdb-stats.json",
      "answers/readdb-get.json",
      "answers/readdb-get-explain.json",
      "answers/readdb-dump.json",
      "answers/readdb-hosts.json",
      "answers/readseg-list.json",
      "answers/readseg-get.json",
      "answers/readseg-dump.json",
      "answers/segments-list.json",
      "answers/rounds.json",
      "answers/watch.json",
      "answers/report.json",
      "answers/health.json",
      "answers/sitemaps.json",
      "answers/config-get.json",
      "answers/config-get-jsonl.json",
      "answers/config-set.json",
      "answers/snapshot-list.json",
      "answers/snapshot-show.json",
      "answers/jobs.json",
      "answers/jobs-status.json",
      "answers/jobs-kill.json",
      "answers/segments-abandon.json",
      "answers/urls-set.json",
      "answers/score.json",
      "answers/host.json",
      "answers/host-domain.json",
      "answers/host-robots.json",
      "answers/host-patterns.json",
      "answers/host-suggest.json",
      "answers/host-change.json",
      "answers/remove.json",
      "answers/graph.json",
      "answers/graph-dead-links.json",
      "answers/graph-orphans.json",
      "answers/export.json",
      "answers/export-again.json",
      "answers/archive.json",
      "answers/archive-nothing.json",
      "answers/archive-verify.json",
      "answers/archive-wacz.json",
      "answers/compact.json",
      "answers/compact-bodies.json",
      "answers/compact-bodies-dry-run.json",
      "answers/gc.json",
      "answers/doctor.json",
      "answers/docs.json",
      "answers/check-url.json",
      "answers/check-host.json",
      "answers/check-normalize.json",
      "answers/check-urlfilter.json",
      "answers/check-robots.json",
      "answers/check-robots-live.json",
      "answers/check-headers.json",
      "answers/check-fetch.json",
      "answers/check-sitemap.json",
      "answers/check-simhash.json",
      "answers/check-lang.json",
      "answers/check-html.json",
      "answers/check-charset.json",
      "answers/check-tree.json",
      "answers/check-warc.json",
      "answers/check-url-verdict.json",
      "answers/check-urlfilter-verdict.json",
      "answers/check-unsupported.json",
  };
  EXPECT_EQ(FilesThat(/*are_answers=*/true), expected);
}

TEST(Schemas, ThereIsAFileForEachDocument) {
  const std::vector<std::string> expected = {
      "documents/manifest.json",        "documents/run-record.json",
      "documents/run-records.json",     "documents/plan.json",
      "documents/job-report.json",      "documents/round-document.json",
      "documents/job-ended.json",       "documents/job-live.json",
      "documents/attempt-entry.json",   "documents/step-record.json",
      "documents/export-begin.json",    "documents/archive-names.json",
      "documents/archive-success.json", "documents/archive-begin.json",
      "documents/archive-bodies.json",  "documents/archive-part.json",
      "documents/archive-index.json",   "documents/archive-end.json",
      "documents/log-event.json",       "documents/index.json",
  };
  EXPECT_EQ(FilesThat(/*are_answers=*/false), expected);
}

TEST(Schemas, EveryVerbThatIsListedHasOne) {
  std::set<std::string> verbs;
  for (const Verb& verb : Verbs()) {
    if (!verb.is_hidden) verbs.insert(verb.name);
  }
  std::set<std::string> described;
  for (const PublishedSchema& schema : PublishedSchemas()) {
    if (schema.is_answer() && schema.verb != "docs") described.insert(schema.verb);
  }
  verbs.erase("serve");       // its answers are those of /openapi.json
  verbs.erase("completion");  // it answers with a script for a shell
  verbs.erase("docs");
  EXPECT_EQ(verbs, described);
}

TEST(Schemas, NamesAndIdsAreThoseOfOneFile) {
  std::set<std::string> names, ids;
  for (const PublishedSchema& schema : PublishedSchemas()) {
    EXPECT_TRUE(names.insert(schema.name).second) << schema.name;
    EXPECT_TRUE(ids.insert(schema.id()).second) << schema.id();
    EXPECT_TRUE(schema.about.ends_with('.')) << schema.about;
    const Json document = SchemaDocument(schema);
    EXPECT_EQ(document["$id"], schema.id());
    EXPECT_EQ(document["$schema"], "https://json-schema.org/draft/2020-12/schema");
  }
}

TEST(Schemas, TheIndexFitsItsOwnSchema) {
  const auto& all = PublishedSchemas();
  const auto index =
      std::find_if(all.begin(), all.end(), [](const PublishedSchema& schema) { return schema.name == "index"; });
  ASSERT_NE(index, all.end());
  const auto faults = FaultsBySchema(index->schema, SchemaIndex());
  EXPECT_TRUE(faults.empty()) << faults[0].pointer << ": " << faults[0].detail;
  EXPECT_EQ(SchemaIndex()["answers"].size() + SchemaIndex()["documents"].size(), all.size());
}

TEST(Schemas, NothingInTheTextsIsMisspelt) { EXPECT_EQ(SchemaFaults(), std::vector<std::string>()); }

// In the same order, too: that of the columns of comma-separated values.
void ExpectSameMembers(const char* part, const Json& answer) {
  const Json& schema = SchemaPart(part);
  std::vector<std::string> described, told;
  for (const Json& name : schema["required"]) described.push_back(name.get<std::string>());
  for (const auto& [name, value] : answer.items()) told.push_back(name);
  EXPECT_EQ(described, told);
  const auto faults = FaultsBySchema(schema, answer);
  EXPECT_TRUE(faults.empty()) << faults[0].pointer << ": " << faults[0].detail;
}

TEST(Schemas, RowsAreDescribedAsTheyAreShown) {
  UrlRow row;
  row.key = "com,example,www)http/";
  ExpectSameMembers("url", UrlJson(row));
  ExpectSameMembers("host", HostJson(HostRow(), 0));
  ExpectSameMembers("domain", DomainJson("example.com", DomainRecord(), 0));
  ExpectSameMembers("snapshot", SnapshotJson({}));
  ExpectSameMembers("holds", ToJson(HostHolds()));
}

TEST(Schemas, WordsAreThoseOfTheRows) {
  EXPECT_EQ(WordsNamed("states"), (std::vector<std::string>{"unfetched", "fetched", "redirected", "failing", "gone",
                                                            "denied", "refused", "duplicate"}));
  EXPECT_EQ(WordsNamed("kinds").front(), "page");
  EXPECT_EQ(WordsNamed("outcomes").back(), "dropped");
  EXPECT_EQ(WordsNamed("signals").size(), 10u);
  EXPECT_TRUE(WordsNamed("others").empty());
}

std::string ReadWhole(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(SchemaFiles, AreWrittenIntoAFolder) {
  const TemporaryFolder folder;
  const BinaryResult first = Trawl({"docs", "--schemas", folder.path(), "--json"});
  const Json answer = AnswerOf(first);
  EXPECT_EQ(answer["schemas"]["folder"], folder.path());
  EXPECT_EQ(answer["schemas"]["pages"], PublishedSchemas().size() + 1) << "and index.json";
  for (const PublishedSchema& schema : PublishedSchemas()) {
    EXPECT_EQ(ReadWhole(std::filesystem::path(folder.path()) / schema.file()),
              DumpJsonPretty(SchemaDocument(schema)) + "\n");
  }
  EXPECT_EQ(ReadWhole(std::filesystem::path(folder.path()) / "index.json"), DumpJsonPretty(SchemaIndex()) + "\n");
  EXPECT_EQ(Trawl({"docs", "--schemas", folder.path()}).exit_code, 0) << "again, over those that are there";
}

TEST(SchemaFiles, AFolderThatCannotTakeThemIsNamed) {
  const TemporaryFolder folder;
  const BinaryResult missing = Trawl({"docs", "--schemas", folder.path() + "/none"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("--schemas " + folder.path() + "/none: there is no such folder"), std::string::npos);

  const std::string file = folder.path() + "/file";
  std::ofstream(file) << "x";
  const BinaryResult no_folder = Trawl({"docs", "--schemas", file});
  EXPECT_EQ(no_folder.exit_code, 2);
  EXPECT_NE(no_folder.err.find(file + ": is no folder"), std::string::npos) << no_folder.err;

  std::ofstream(folder.path() + "/answers") << "a file in the place of its folder";
  const BinaryResult blocked = Trawl({"docs", "--schemas", folder.path()});
  EXPECT_EQ(blocked.exit_code, 3);
  EXPECT_NE(blocked.err.find(folder.path() + "/answers"), std::string::npos) << blocked.err;
}

ReadTexts Read(const char* text) { return ReadSchemaTexts({text}); }

TEST(SchemaTexts, MembersHaveTypesMarksAndParts) {
  const ReadTexts read = Read(R"text(
part place
  file  text     The file.
  row~  integer  The row.
  new+  flag     Whether it is new.

answer look 2.3: page | --where | lines
  Where a page lies.
  &place
  size     integer?      How large.
  state    (on|off)?     Whether it is on.
  many     [object]      Others.
    &place!
  by_name  {[number]}    By name.
  count.*  integer       Counts.
  either   =place / null  One or none.
)text");
  EXPECT_EQ(read.faults, std::vector<std::string>());
  ASSERT_EQ(read.published.size(), 1u);
  const PublishedSchema& look = read.published[0];
  EXPECT_EQ(look.id(), "urn:trawl:answers:look:2.3");
  EXPECT_EQ(look.verb + look.when, "page--where");
  EXPECT_TRUE(look.is_lines);
  EXPECT_EQ(look.about, "Where a page lies.");
  EXPECT_EQ(look.schema["required"], Json({"file", "size", "state", "many", "by_name", "either"}));
  const Json& members = look.schema["properties"];
  EXPECT_EQ(members["new"]["description"], "Whether it is new. Since version 1.1.");
  EXPECT_EQ(members["size"]["type"], Json({"integer", "null"}));
  EXPECT_EQ(members["state"]["enum"], Json({"on", "off", nullptr}));
  EXPECT_EQ(members["many"]["items"]["required"], Json({"file", "new"})) << "all that are ever promised";
  EXPECT_EQ(members["by_name"]["additionalProperties"]["items"]["type"], "number");
  EXPECT_EQ(look.schema["patternProperties"].begin().key(), "^count\\.");
  EXPECT_EQ(members["either"]["anyOf"].size(), 2u);
}

TEST(SchemaTexts, FormsAreDividedByOr) {
  const ReadTexts read = Read(R"text(
document note: notes/NAME.json
  A note.
  text  text  What it says.
  or
  lost  true  It is not there.
)text");
  const PublishedSchema& note = read.published[0];
  EXPECT_EQ(note.file(), "documents/note.json");
  EXPECT_TRUE(FaultsBySchema(note.schema, {{"text", "a"}}).empty());
  EXPECT_TRUE(FaultsBySchema(note.schema, {{"lost", true}}).empty());
  EXPECT_FALSE(FaultsBySchema(note.schema, {{"lost", false}}).empty());
}

TEST(SchemaTexts, WhatIsMisspeltIsTold) {
  const ReadTexts read = Read(R"text(
answer look: page
  A look.
  &nothing
  a  txt  A text.
  b  @colours  A colour.
  c  text
)text");
  EXPECT_EQ(read.faults, (std::vector<std::string>{"there is no part nothing", "there is no type 'txt'",
                                                   "there are no words @colours", "c does not say what it is"}));
}

}  // namespace
}  // namespace trawl
