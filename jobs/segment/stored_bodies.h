// Knows which content files are still there, since gc removes old ones (--bodies_older_than) and rows of the urls table
// may still name them. One thread.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "arrow/result.h"
#include "formats/rows/content_row.h"
#include "formats/rows/url_row.h"
#include "runtime/store/store.h"

namespace trawl {

// Whether the body that lies at the row's place is that of its URL.
inline bool IsBodyOf(const UrlRow& row, const ContentRow& body) { return row.shares_body || body.key == row.key; }

// Puts the facts of the row's URL in the place of those of the URL that the body was stored for. The header fields stay:
// what shares a body has the same, as far as parse reads them. No change to a body that is the row's own. REQUIRES: the
// row has key, spelling, kind, content_type, truncated, fetched_ms, body_digest, depth, score and parser.
void TakeFactsOf(const UrlRow& row, ContentRow* body);

// Sorts as the places of bodies: segment, file, row.
std::string BodyPlaceKey(const UrlRow& row);
// The same by the places of parse rows. Of a page without one: by that of its body, in whose order parse wrote its row.
std::string ParsePlaceKey(const UrlRow& row);
// For those who read both. What parse wrote of pages that share bodies lies apart from the rest, in stretches in the order
// of the bodies; whoever took them in between would leap from file to file.
std::string ReadingKey(const UrlRow& row);

class StoredBodies {
 public:
  // `store` must outlive it.
  explicit StoredBodies(Store* store) : store_(store) {}

  // Whether the row names a body whose file is still there. Lists each segment's folder once.
  arrow::Result<bool> HasBodyOf(const UrlRow& row);
  // Whether the segment still has this file of bodies.
  arrow::Result<bool> Has(const std::string& segment, const std::string& file);

 private:
  Store* const store_;
  std::unordered_map<std::string, std::unordered_set<std::string>> files_;  // by segment
};

}  // namespace trawl
