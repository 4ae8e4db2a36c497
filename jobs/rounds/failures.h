// What a command says that has asked for something and got nothing: each URL with its reason. One thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/step_record.h"
#include "formats/rows/fetch_row.h"
#include "runtime/store/store.h"

namespace trawl {

struct FailedUrl {
  std::string key;
  std::string outcome;
  int32_t status = 0;
  std::string reason;  // for people
  std::string advice;  // what to type, where an option lifts a refusal
};

// So many are told.
inline constexpr size_t kFailuresTold = 10;

// The first URLs of a fetch, each with its last outcome. REQUIRES: nothing in it succeeded.
arrow::Result<std::vector<FailedUrl>> ReadFailures(Store* store, const StepRecord& fetched);

// Why the URL was not fetched, in words for whoever gave it: "no such host; is its name spelled right? (…)".
std::string FailureText(const FetchRow& row);

Json ToJson(const std::vector<FailedUrl>& failures);
// A line for each, and then one for each advice.
std::string ReadableFailures(const std::vector<FailedUrl>& failures);

}  // namespace trawl
