// Reads stored bodies into the datasets parse, page_facts, items and links of the plan's segment, and counts what it meets: the work of a
// task of trawl parse, and of one of trawl reparse. One thread.
//
// It writes a row of parse and one of page_facts for each body, in the order of the calls, and the links and items of a page after those of the page
// before it (jobs/segment/pages.h finds rows by it).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/scope/crawl_scope.h"
#include "jobs/parse/huge_turn.h"
#include "jobs/parse/page_parser.h"
#include "jobs/policy/read_policy.h"
#include "runtime/job/task.h"

namespace trawl {

class BodyReader {
 public:
  // The options and the scope are those of the plan. Both must outlive it.
  static arrow::Result<std::unique_ptr<BodyReader>> Open(TaskContext* context, HugeBodies* huge_bodies);

  // `change` may change the page before it is written; it may be empty.
  arrow::Status Read(const ContentRow& content, const std::function<arrow::Status(ParsedPage* page)>& change = {});
  // Adds the counts of links and readers to the task's counters, and those of languages to its facts.
  void Finish();

 private:
  BodyReader(TaskContext* context, HugeBodies* huge_bodies, CrawlScope scope, const ReadPolicy& policy);

  TaskContext& context_;
  HugeTurn turn_;
  const CrawlScope scope_;
  const ReadPolicy policy_;
  std::unique_ptr<PageParser> parser_;
  RunWriter<ParseRow>* pages_ = nullptr;
  RunWriter<PageFactsRow>* facts_ = nullptr;
  RunWriter<ItemRow>* items_ = nullptr;
  RunWriter<LinkRow>* links_ = nullptr;
  ParsedPage parsed_;
  std::map<std::string, int64_t> languages_;
  int64_t read_ = 0;
};

}  // namespace trawl
