// Values of an API for the tests of pages: a crawl with much to see, in which every text that comes from the web is hostile.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jobs/web/page_source.h"
#include "runtime/process/clock.h"

namespace trawl {

// A name that tries to leave its element, its attribute, its direction of writing and its line.
extern const char* const kHostileText;
// A URL of 2 KB.
std::string LongUrl();

// Answers each target by its path; what it has no value for is 404. It remembers what was sent to it.
class PageValues : public PageSource {
 public:
  // A crawl that fetches now, with many rounds, hosts and alerts.
  static PageValues Busy(TimeMs now_ms);
  // A crawl without anything.
  static PageValues Empty(TimeMs now_ms);

  SourceAnswer Get(const std::string& target, const StopToken& stop) override;
  SourceAnswer Send(const std::string& method, const std::string& target, const Json& body,
                    const StopToken& stop) override;

  // By the target's path, or by the whole target, which goes first.
  std::map<std::string, SourceAnswer> answers;
  struct Sent {
    std::string method, target;
    Json body;
  };
  std::vector<Sent> sent;
  SourceAnswer reply = {.status = 200, .value = Json::object()};
};

}  // namespace trawl
