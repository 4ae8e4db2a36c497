// The Content-Signal field and the lines of that name in robots.txt, as Cloudflare documents them: what a page's content
// may be used for. Pure; any thread.
//
//   Content-Signal: search=yes, ai-train=no
//
// A use that nobody speaks of is neither allowed nor denied. Unknown uses and values are skipped. Where two differ, the
// strictest counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

enum class UseWish : uint8_t { kNone, kYes, kNo };

struct ContentSignal {
  UseWish search = UseWish::kNone;    // a search index, with links and short excerpts
  UseWish ai_input = UseWish::kNone;  // input of a model, such as the ground of its answer
  UseWish ai_train = UseWish::kNone;  // the training of models

  // Adds the wishes of `other`.
  void Merge(const ContentSignal& other);
  bool operator==(const ContentSignal&) const = default;
};

// Reads the value of a field or line. Never fails.
ContentSignal ParseContentSignal(std::string_view value);

// "ai-input=no, ai-train=no, search=yes", without the uses that nobody speaks of. ParseContentSignal reads it back.
std::string TextOf(const ContentSignal& signal);

// What the lines of a robots.txt (RobotsRules::content_signals) say of a path. A line that begins with a path speaks only
// of the paths that begin with it, up to its first "*" or "$".
ContentSignal ContentSignalFor(const std::vector<std::string>& lines, std::string_view path);

}  // namespace trawl
