#include "jobs/writes/robots_word.h"

#include "formats/text/utf8.h"
#include "formats/url/normal.h"
#include "jobs/politeness/robots_standing.h"

namespace trawl {

RobotsWord::RobotsWord(const RobotsRow* row, const RobotsReading& reading) {
  if (row == nullptr) {
    text_ = "robots.txt is not fetched yet";
  } else if (row->is_dead) {
    text_ = ReasonOfDead(*row);
  } else if (const std::string_view why = WhyOfRobots(*row); !why.empty() && row->failures == 0) {
    allowed_ = true;
    text_ = "allowed, " + std::string(why);
  } else if (RulesServe(*row, reading.options.keep_ms, reading.now_ms)) {
    rules_ = RobotsRules::Parse(row->text, reading.agent);
  } else if (reading.options.on_unreachable == OnUnreachableRobots::kAllow) {
    allowed_ = true;
    text_ = "allowed, although robots.txt is unreachable (--robots.on_unreachable=allow)";
  } else {
    text_ = "waits: robots.txt could not be fetched";
  }
}

Json RobotsWord::Of(const std::string& url, const std::string& normalised_url) const {
  UrlPieces pieces;
  if (!rules_ || !SplitWebUrl(normalised_url, &pieces)) return {{"url", url}, {"allowed", allowed_}, {"text", text_}};
  const std::string path = std::string(pieces.path) + (pieces.has_query ? "?" + std::string(pieces.query) : "");
  const RobotsRules::Verdict verdict = rules_->Check(path);
  std::string text = verdict.allowed ? "allowed" : "denied";
  if (verdict.line > 0) {
    text += " by line " + std::to_string(verdict.line) + ": ";
    AppendRepairedUtf8(verdict.text, &text);
  } else {
    text += ": no line is against it";
  }
  return {{"url", url}, {"allowed", verdict.allowed}, {"text", text}};
}

}  // namespace trawl
