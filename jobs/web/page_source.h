// Where pages have their values from: the answers of the API, as JSON. A page reads nothing else, so it cannot disagree with
// the API. Tests hand in values.
#pragma once

#include <string>

#include "formats/documents/json.h"
#include "runtime/process/stop.h"

namespace trawl {

struct SourceAnswer {
  int status = 200;
  // With a status of 400 and more it is a problem (RFC 9457): `title`, `detail`.
  Json value;

  bool ok() const { return status < 400; }
};

// Any thread.
class PageSource {
 public:
  virtual ~PageSource() = default;
  // `target` is a path of the API with its query, as `/api/v1/domains?top=slowest`.
  virtual SourceAnswer Get(const std::string& target, const StopToken& stop) = 0;
  // Changes the crawl. REQUIRES: the visitor may write.
  virtual SourceAnswer Send(const std::string& method, const std::string& target, const Json& body,
                            const StopToken& stop) = 0;
};

}  // namespace trawl
