#include "jobs/read/explain.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/robots/robots.h"
#include "formats/rows/host_row.h"
#include "formats/url/key.h"
#include "formats/url/pieces.h"
#include "jobs/policy/advice.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/judge.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/politeness/host_answer.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/politeness/slow.h"
#include "jobs/read/explain_rule.h"
#include "jobs/refresh/refresh_rules.h"
#include "jobs/segment/past_fetches.h"
#include "jobs/select/url_holds.h"
#include "jobs/select/url_rank.h"
#include "jobs/select/urls_before.h"
#include "jobs/stats/round.h"
#include "jobs/verb/row_json.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostSegments = 50;
constexpr size_t kMostFetches = 10;

std::string Times(int64_t count) { return count == 1 ? "once" : ReadableCount(count) + " times"; }
std::string InARow(int64_t count) { return Times(count) + (count == 1 ? "" : " in a row"); }

// "in 3 h", "3 h ago".
std::string Until(TimeMs time_ms, TimeMs now_ms) {
  return time_ms > now_ms ? "in " + ReadableDuration(time_ms - now_ms) : ReadableDuration(now_ms - time_ms) + " ago";
}

// Collects the lines for one URL, and the reason that keeps it from being asked for.
class Explainer {
 public:
  Explainer(const ExplainContext& context, const std::string& key, const UrlRow* row)
      : in_(context), key_(key), row_(row) {}

  Result<std::vector<Explanation>> Explain() {
    ARROW_RETURN_NOT_OK(ReadOptions());
    ARROW_ASSIGN_OR_RAISE(history_, ReadFetchHistory(in_.store, *in_.snapshot, key_, kMostSegments, kMostFetches));
    ExplainState();
    ExplainDue();
    ARROW_RETURN_NOT_OK(ExplainRefresh());
    ExplainSitemap();
    ARROW_RETURN_NOT_OK(ExplainScope());
    ExplainRobots();
    ExplainDomain();
    ExplainHost();
    if (standing_.pattern) Say("pattern", PatternText(standing_), standing_.pattern->counted_ms);
    ExplainSegment();
    ARROW_RETURN_NOT_OK(ExplainNext());
    ExplainHistory();
    return std::move(lines_);
  }

 private:
  Status ReadOptions() {
    holds_.store = in_.store;
    holds_.snapshot = in_.snapshot;
    holds_.now_ms = in_.now_ms;
    ARROW_ASSIGN_OR_RAISE(holds_.fetch, FetchOptionGroup().Read(in_.options));
    ARROW_ASSIGN_OR_RAISE(holds_.robots, RobotsOptionGroup().Read(in_.options));
    ARROW_ASSIGN_OR_RAISE(holds_.generate, GenerateOptionGroup().Read(in_.options));
    ARROW_ASSIGN_OR_RAISE(refresh_, RefreshOptionGroup().Read(in_.options));
    ARROW_ASSIGN_OR_RAISE(url_, UrlOfKey(key_));
    return ReadStanding(holds_, key_).Value(&standing_);
  }

  void Say(std::string about, std::string text, TimeMs time_ms = 0) {
    lines_.push_back({std::move(about), time_ms == kNever ? 0 : time_ms, std::move(text)});
  }
  // The URL is not asked for before that time; kNever: not by itself. Only the reason that lasts longest is told. If two
  // reasons end within one second of each other, one follows from the other, and the later call wins.
  void Hold(TimeMs until_ms, std::string why) {
    constexpr TimeMs kSameMs = 1'000;
    if (until_ms <= in_.now_ms || until_ms < held_until_ms_ - kSameMs) return;
    held_until_ms_ = std::max(until_ms, held_until_ms_);
    held_by_ = std::move(why);
  }

  void ExplainState() {
    if (row_ == nullptr) {
      Say("state", "not in the crawl");
      return Hold(kNever, "it is not in the crawl; a seed, a link or a redirect can bring it in");
    }
    std::string text = TextOf(row_->state);
    if (row_->fetches > 0) text += ", asked " + Times(row_->fetches);
    if (row_->status != 0) text += ", status " + std::to_string(row_->status);
    if (!ReasonOf(*row_).empty()) text += ", " + ReasonOf(*row_);
    if (row_->retries > 0) text += ", failed " + InARow(row_->retries);
    if (!row_->redirect_to.empty()) text += ", to " + UrlOfKey(row_->redirect_to).ValueOr(row_->redirect_to);
    Say("state", text, row_->fetched_ms);
    if (const std::string duplicate = DuplicateText(*row_); !duplicate.empty()) Say("duplicate", duplicate);
    ExplainOrigin();
    const auto last =
        std::find_if(history_.begin(), history_.end(), [](const PastFetch& past) { return past.is_applied; });
    const std::string rule =
        RuleText(LastEventOf(*row_, last == history_.end() ? nullptr : &last->row), *row_, refresh_);
    if (!rule.empty()) Say("rule", rule);
  }

  void ExplainOrigin() {
    std::string text = row_->is_seed ? "a seed" : "depth " + std::to_string(row_->depth);
    if (!row_->via.empty()) text += ", first found on " + UrlOfKey(row_->via).ValueOr(row_->via);
    if (row_->inlinks > 0)
      text += ", " + ReadableCount(row_->inlinks, "inlink") + " (linking hosts, each once per round)";
    Say("found", text, row_->discovered_ms);
    std::string set;
    if (row_->tier != TierChoice::kByRule) set += "tier " + TextOf(row_->tier);
    if (row_->fixed_score) set += (set.empty() ? "score " : ", score ") + FormatDecimal(row_->score, 6);
    if (!set.empty()) Say("set", set + ", by a seed, trawl urls set or trawl score");
  }

  void ExplainDue() {
    if (row_ == nullptr) return;
    if (row_->due_ms == kNever) {
      Say("due", "never again");
      return Hold(kNever, IsDropped(*row_) ? "the operator dropped it; trawl urls set URL --undrop brings it back"
                                           : "the server said that it is gone for good; trawl urls set URL --retry "
                                             "asks for it again");
    }
    // What is not due soon, though the operator may want it.
    const std::string advice = row_->due_ms > in_.now_ms ? AdviceFor(*row_) : "";
    Say("due",
        row_->due_ms > in_.now_ms ? Until(row_->due_ms, in_.now_ms) + (advice.empty() ? "" : "; " + advice)
                                  : "now, since " + ReadableDuration(in_.now_ms - row_->due_ms),
        row_->due_ms);
    RankFacts facts = RankFactsOf(*row_);
    facts.is_trap = IsLow();
    const bool is_later = NeedsBudget() && standing_.budget.held_ms > facts.due_ms;
    if (is_later) facts.due_ms = standing_.budget.held_ms;
    const int64_t aging_ms = holds_.generate.aging_ms;
    Say("rank",
        RankText(key_, facts, aging_ms) +
            (is_later ? "; for its pattern has a budget, as if it had come due at " + FormatTimestamp(facts.due_ms)
                      : ""),
        RankOf(key_, facts, aging_ms).turn_ms());
    Hold(row_->due_ms, "it is due then");
  }

  // Whether the URL is taken from the budget of its pattern.
  bool NeedsBudget() const {
    return standing_.budget.most > 0 && row_->due_set_ms == 0 && row_->kind == UrlKind::kPage;
  }
  bool IsLow() const { return IsTrap(standing_.host) || (NeedsBudget() && standing_.budget.ranks_low()); }

  Status ExplainRefresh() {
    if (row_ == nullptr || row_->interval_ms == 0) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const std::string rules_text, ReadRefreshRules(refresh_));
    ARROW_ASSIGN_OR_RAISE(const RefreshRules rules, RefreshRules::Parse(rules_text, refresh_.rules));
    const RefreshClass& found = rules.ClassOf(*row_);
    std::string text = "every " + ReadableDuration(row_->interval_ms);
    if (row_->fixed_interval_ms > 0) {
      text += ", as its seed or trawl urls set says";
    } else {
      text += "; class " + found.name + (found.IsSteady() ? ", always " : ", at most ") +
              ReadableDuration(LongestOf(found, refresh_));
      if (found.line > 0) text += " (" + refresh_.rules + ":" + std::to_string(found.line) + ")";
      if (row_->score > refresh_.top_score) {
        text += "; a top page, at most " + ReadableDuration(refresh_.top_interval_ms) + " (--refresh.top_interval)";
      }
    }
    text += "; changed in " + FormatDecimal(row_->change_rate / 10'000, 0) + " % of its fetches";
    if (row_->unchanged > 0) text += ", unchanged " + InARow(row_->unchanged);
    Say("refresh", text, row_->changed_ms);
    return Status::OK();
  }

  // What sitemaps state of it, and whether those of its host are believed.
  void ExplainSitemap() {
    if (row_ == nullptr || row_->sitemap.empty()) return;
    std::string text = "listed by " + UrlOfKey(row_->sitemap).ValueOr(row_->sitemap);
    if (row_->stated_priority > 0) text += "; priority " + FormatDecimal(row_->stated_priority / 10'000, 2);
    if (row_->stated_interval_ms > 0) text += "; changes every " + ReadableDuration(row_->stated_interval_ms);
    if (row_->stated_lastmod_ms > 0) text += "; changed at " + FormatTimestamp(row_->stated_lastmod_ms);
    if (standing_.is_host_known) text += "; " + SitemapTrustText(standing_.host);
    Say("sitemap", text, row_->stated_lastmod_ms);
  }

  Status ExplainScope() {
    Result<CrawlScope> scope = ScopeOfOptions(in_.store, *in_.snapshot, in_.options);
    // A file of rules that is not here does not hide the other lines; damage of the crawl is an error.
    if (scope.status().IsIOError()) return scope.status();
    if (!scope.ok()) {
      Say("scope", "cannot be judged: " + scope.status().message());
      return Status::OK();
    }
    scope_.emplace(*std::move(scope));
    std::optional<uint32_t> depth;
    if (row_ != nullptr) depth = static_cast<uint32_t>(std::max(row_->depth, 0));
    ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(in_.snapshot->normal_form));
    const JudgedUrl judged = JudgeUrl(*scope_, url_, form, depth);
    Say("scope", judged.text);
    SayIgnoredParameters(judged.url);
    if (!judged.accepted()) Hold(kNever, "the scope of the crawl leaves it out");
    if (row_ == nullptr) {
      SayDepth();
      return SayReading(judged.accepted());
    }
    return Status::OK();
  }

  void SayIgnoredParameters(const std::string& url) {
    std::string without = url;
    UrlPieces pieces;
    if (!SplitWebUrl(without, &pieces) || !scope_->options().ignored.Remove(&without, &pieces)) return;
    Say("links", "lead to " + without +
                     ": the other parameters change nothing (--urls.ignored_parameters, "
                     "--urls.learn_parameters)");
  }

  // A stored page may have a link to it that was refused when the page was read.
  Status SayReading(bool is_accepted) {
    if (!is_accepted) {
      Say("reading",
          "once a wider scope is set (trawl config set urls.…), trawl reparse looks for links to it in the "
          "stored pages; with --dry_run it says what the scope would let in");
      return Status::OK();
    }
    const Result<ReadPolicy> policy = ReadPolicyOfOptions(in_.options);
    if (!policy.ok()) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const ReadingStanding standing, ReadReadingStanding(in_.store, *in_.snapshot));
    const bool is_same = standing.policy.empty() || standing.policy == policy->Text();
    if (is_same && standing.to_read == 0) return Status::OK();
    const std::string pages =
        is_same && standing.to_read ? ReadableCount(*standing.to_read, "stored page") : std::string("stored pages");
    Say("reading", pages + (pages.starts_with("1 ") ? " was" : " were") +
                       " read under other rules, and may link to it; trawl reparse reads them again");
    return Status::OK();
  }

  // No row says how far from a seed an unknown URL is, and links are kept by the pages that have them.
  void SayDepth() {
    const std::optional<uint32_t> limit = scope_->options().max_depth;
    if (!limit) return;
    const std::string most = std::to_string(*limit);
    if (*limit == 0) return Say("depth", "not known; only seeds are taken (--urls.depth 0)");
    Say("depth", "not known: a page up to depth " + std::to_string(*limit - 1) +
                     " brings it in by a link; one at depth " + most + " may link to it, but --urls.depth " + most +
                     " stops there (a deeper one, and trawl reparse, bring it in)");
  }

  void ExplainRobots() {
    if (!standing_.robots) return Say("robots", "robots.txt is not fetched yet");
    const RobotsRow& robots = *standing_.robots;
    if (robots.is_dead) return ExplainDeadHost(robots);
    const bool rules_serve = RulesServe(robots, holds_.robots.keep_ms, in_.now_ms);
    const std::string why(WhyOfRobots(robots));
    if (robots.failures > 0) {
      Say("robots",
          "robots.txt could not be fetched " + InARow(robots.failures) + ": " + why +
              (rules_serve ? "; the copy of " + FormatTimestamp(robots.text_ms) + " applies" : ""),
          robots.fetched_ms);
    } else if (!why.empty()) {
      return Say("robots", "allowed, " + why, robots.fetched_ms);
    }
    if (rules_serve) return ExplainRobotsText(robots);
    if (holds_.robots.on_unreachable == OnUnreachableRobots::kAllow) {
      Say("robots", "allowed, although it is unreachable (--robots.on_unreachable=allow)", robots.fetched_ms);
    }
    Hold(standing_.robots_until_ms, "its robots.txt is fetched again then");
  }

  void ExplainDeadHost(const RobotsRow& robots) {
    std::string text = ReasonOfDead(robots) + ", in " + ReadableCount(robots.dead_rounds, "round");
    text += robots.dead_rounds < refresh_.failing_rounds
                ? "; all URLs of its host are gone after " + std::to_string(refresh_.failing_rounds) + " in a row"
                : ", so all URLs of its host are gone";
    text += " (--refresh.failing_rounds)";
    if (IsTriedAgain(standing_)) text += "; the next round tries one of them for all";
    Say("robots", text, robots.fetched_ms);
    Hold(standing_.robots_until_ms, "nobody is there; one URL of its host is tried again then, for all");
  }

  void ExplainRobotsText(const RobotsRow& robots) {
    const RobotsRules rules = RobotsRules::Parse(robots.text, holds_.fetch.agent);
    UrlPieces pieces;
    if (!SplitWebUrl(url_, &pieces)) return;
    const std::string path = std::string(pieces.path) + (pieces.has_query ? "?" + std::string(pieces.query) : "");
    const RobotsRules::Verdict verdict = rules.Check(path);
    std::string text = verdict.allowed ? "allowed" : "denied";
    text += verdict.line > 0 ? " by line " + std::to_string(verdict.line) + ": " + std::string(verdict.text)
                             : ": no line is against it";
    if (rules.crawl_delay_ms()) text += "; Crawl-delay " + ReadableDuration(*rules.crawl_delay_ms());
    Say("robots", text, robots.fetched_ms);
    is_denied_ = !verdict.allowed;
  }

  // Says something only where the domain has a limit of its own, or is left out.
  void ExplainDomain() {
    const DomainShare& share = standing_.domain_share;
    if (share.left_out != LeftOut::kNone) {
      Say("domain", DomainHoldText(standing_), share.until_ms);
      Hold(share.until_ms, "its domain is left out: " + std::string(NameOf(share.left_out)));
    } else if (share.pages != kNoLimit) {
      Say("domain", HostOfKey(standing_.domain_key) + " and its hosts have " + ReadableCount(share.pages, "more page") +
                        (share.is_of_day ? " for today (" : " in all (") + share.option + ")");
    }
  }

  void ExplainHost() {
    const HostShare& share = standing_.share;
    if (!standing_.is_host_known) {
      return Say("host", "nothing is known about " + HostOfKey(standing_.host.key) + " yet");
    }
    if (share.left_out == LeftOut::kNone && standing_.robots_until_ms > 0) {
      return Say("host", HostOfKey(standing_.host.key) + " takes nothing: " + HoldTextOf(*standing_.robots),
                 standing_.robots_until_ms);
    }
    if (share.left_out == LeftOut::kNone) return Say("host", HostText(), standing_.host.answered_ms);
    Say("host", HostHoldText(standing_, holds_.fetch), share.until_ms);
    Hold(share.until_ms, "its host is left out: " + std::string(NameOf(share.left_out)));
  }

  std::string HostText() const {
    const HostRow& host = standing_.host;
    const HostShare& share = standing_.share;
    std::string text = HostOfKey(host.key) + " takes " +
                       (IsTriedAgain(standing_) ? std::string("one URL for all, to see whether somebody is there again")
                                                : TakenText(share) + ", one every " + ReadableDuration(share.page_ms));
    if (IsTrap(host)) text += "; a suspected trap: it shows far more URLs than pages";
    if (IsOnProbation(host, in_.now_ms)) text += "; on probation after its failures";
    if (IsSlow(host, holds_.fetch, in_.now_ms)) text += "; among the slow hosts, for its errors";
    if (host.not_before_ms > in_.now_ms) text += "; not before " + FormatTimestamp(host.not_before_ms);
    return text;
  }

  void ExplainSegment() {
    if (!standing_.holder) return;
    const DomainHolder& holder = *standing_.holder;
    Say("segment",
        holder.segment + " holds " + HostOfKey(standing_.domain_key) + " until it is applied, at the latest until then",
        holder.until_ms);
    Hold(holder.until_ms, "segment " + holder.segment + " holds its domain");
  }

  Status ExplainNext() {
    const std::string denied = is_denied_ ? "; robots.txt as it is stored denies it" : "";
    if (held_until_ms_ == kNever) {
      Say("next", "never by itself: " + held_by_);
    } else if (held_until_ms_ != 0) {
      Say("next", Until(held_until_ms_, in_.now_ms) + ": " + held_by_ + denied, held_until_ms_);
    } else {
      ARROW_ASSIGN_OR_RAISE(const std::string limit, LimitOfRound());
      const std::string unless = is_uncounted_ ? ", if it is among the best that the round takes" : "";
      Say("next", (limit.empty() ? "in the next round" + unless : "not in the next round, " + limit) + denied);
    }
    return Status::OK();
  }

  // Why a due URL that nothing holds stays out of the next round, since others come first; empty where it does not, or
  // where the scope is not known.
  Result<std::string> LimitOfRound() {
    if (row_ == nullptr || !scope_) return std::string();
    const RoundAhead round = {.store = in_.store,
                              .snapshot = in_.snapshot,
                              .scope = &*scope_,
                              .generate = holds_.generate,
                              .fetch = holds_.fetch,
                              .domain_pages = standing_.domain_share.pages,
                              .deferred = standing_.deferred,
                              .dead = standing_.dead,
                              .is_trap = IsLow(),
                              .held_ms = NeedsBudget() ? standing_.budget.held_ms : 0,
                              .now_ms = in_.now_ms};
    if (IsTriedAgain(standing_)) {
      ARROW_ASSIGN_OR_RAISE(const std::string tried, TriedForAll(holds_, *scope_, key_));
      if (tried != key_) return "nobody is there: " + UrlOfKey(tried).ValueOr(tried) + " is tried for all of its host";
    }
    ARROW_ASSIGN_OR_RAISE(const int64_t of_pattern, HeldByPattern(holds_, *scope_, standing_, *row_));
    if (of_pattern > 0) return PatternHoldText(standing_, key_, of_pattern);
    is_uncounted_ = !in_.counts_before && MayLeaveOut(round);
    if (is_uncounted_) return std::string();
    ARROW_ASSIGN_OR_RAISE(const UrlsBefore before, CountUrlsBefore(round, *row_, standing_.share));
    const std::string limit = LimitReached(round, before, standing_.share, standing_.domain_share);
    return limit.empty() ? limit : "not among the best: " + limit;
  }

  void ExplainHistory() {
    for (const PastFetch& past : history_) {
      const FetchRow& row = past.row;
      std::string text = TextOf(row.outcome);
      if (!row.reason.empty()) text += ": " + row.reason;
      if (row.status != 0) text += ", status " + std::to_string(row.status);
      if (row.conditional) text += ", asked with validators";
      if (row.bytes > 0) text += ", " + ReadableSize(row.bytes);
      if (row.total_ms > 0) text += " in " + ReadableDuration(row.total_ms);
      if (row.requests > 1) text += ", " + ReadableCount(row.requests, "request");
      if (!row.hop_of.empty()) text += ", redirected from " + UrlOfKey(row.hop_of).ValueOr(row.hop_of);
      if (row.blameless) text += ", a fault of our own machine";
      Say("history", text + "; segment " + past.segment + (past.is_applied ? "" : ", not applied"), row.fetched_ms);
    }
  }

  const ExplainContext& in_;
  const std::string& key_;
  const UrlRow* const row_;
  HoldContext holds_;
  UrlStanding standing_;
  RefreshOptions refresh_;
  std::string url_;
  std::vector<PastFetch> history_;   // newest first
  std::optional<CrawlScope> scope_;  // nothing where it cannot be judged
  bool is_denied_ = false;           // by robots.txt
  bool is_uncounted_ = false;        // better URLs may fill the next round; they were not counted
  TimeMs held_until_ms_ = 0;
  std::string held_by_;
  std::vector<Explanation> lines_;
};

}  // namespace

OptionGroups ExplainOptionGroups() {
  return {&ScopeOptionGroup(), &FetchOptionGroup(), &RobotsOptionGroup(), &GenerateOptionGroup(),
          &RefreshOptionGroup()};
}

Result<std::vector<Explanation>> ExplainUrl(const ExplainContext& context, const std::string& key, const UrlRow* row) {
  return Explainer(context, key, row).Explain();
}

Json ToJson(const std::vector<Explanation>& lines) {
  Json json = Json::array();
  for (const Explanation& line : lines) {
    json.push_back({{"about", line.about}, {"time", TimeJson(line.time_ms)}, {"text", line.text}});
  }
  return json;
}

std::string TextOf(const std::vector<Explanation>& lines) {
  std::string text;
  for (const Explanation& line : lines) {
    const std::string time = line.time_ms != 0 ? FormatTimestamp(line.time_ms) : "";
    text += PadRight(line.about, 9) + PadRight(time, 25) + line.text + "\n";
  }
  return text;
}

}  // namespace trawl
