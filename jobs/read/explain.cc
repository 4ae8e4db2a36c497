#include "jobs/read/explain.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/robots/robots.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/url/key.h"
#include "formats/url/pieces.h"
#include "jobs/policy/advice.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/judge.h"
#include "jobs/policy/refresh.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/politeness/delay.h"
#include "jobs/politeness/host_answer.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/politeness/share.h"
#include "jobs/politeness/slow.h"
#include "jobs/read/explain_rule.h"
#include "jobs/segment/held_domains.h"
#include "jobs/segment/past_fetches.h"
#include "jobs/select/urls_before.h"
#include "jobs/verb/row_json.h"
#include "runtime/tables/key_lookup.h"
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
    ARROW_RETURN_NOT_OK(ExplainScope());
    ARROW_RETURN_NOT_OK(ExplainRobots());
    ARROW_RETURN_NOT_OK(ExplainHost());
    ARROW_RETURN_NOT_OK(ExplainSegment());
    ARROW_RETURN_NOT_OK(ExplainNext());
    ExplainHistory();
    return std::move(lines_);
  }

 private:
  Status ReadOptions() {
    ARROW_ASSIGN_OR_RAISE(fetch_, FetchOptionGroup().Read(in_.options));
    ARROW_ASSIGN_OR_RAISE(robots_, RobotsOptionGroup().Read(in_.options));
    ARROW_ASSIGN_OR_RAISE(generate_, GenerateOptionGroup().Read(in_.options));
    ARROW_ASSIGN_OR_RAISE(refresh_, RefreshOptionGroup().Read(in_.options));
    ARROW_ASSIGN_OR_RAISE(url_, UrlOfKey(key_));
    return Status::OK();
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
    if (row_->inlinks > 0) text += ", linked from " + ReadableCount(row_->inlinks, "host");
    Say("found", text, row_->discovered_ms);
    std::string set;
    if (row_->tier != TierChoice::kByRule) set += "tier " + TextOf(row_->tier);
    if (row_->fixed_score) set += (set.empty() ? "score " : ", score ") + FormatDecimal(row_->score, 6);
    if (!set.empty()) Say("set", set + ", by a seed or trawl urls set");
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
    Hold(row_->due_ms, "it is due then");
  }

  Status ExplainRefresh() {
    if (row_ == nullptr || row_->interval_ms == 0) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const std::string rules_text, ReadRefreshRules(refresh_));
    ARROW_ASSIGN_OR_RAISE(const RefreshRules rules, RefreshRules::Parse(rules_text, refresh_.rules));
    const RefreshClass& found = rules.ClassOf(key_);
    std::string text = "every " + ReadableDuration(row_->interval_ms);
    if (row_->fixed_interval_ms > 0) {
      text += ", as its seed or trawl urls set says";
    } else {
      text += "; class " + found.name + ", at most " +
              ReadableDuration(found.longest_ms > 0 ? found.longest_ms : refresh_.max_interval_ms);
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
    if (!judged.accepted()) Hold(kNever, "the scope of the crawl leaves it out");
    if (row_ == nullptr) SayDepth();
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
                     " stops there");
  }

  Status ExplainRobots() {
    const std::string origin(OriginPartOfKey(key_));
    ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<RobotsRow>(in_.store, *in_.snapshot));
    ARROW_ASSIGN_OR_RAISE(const std::optional<RobotsRow> robots, FindRow<RobotsRow>(*table, origin));
    if (!robots || robots->removed) {
      Say("robots", "robots.txt is not fetched yet");
      return Status::OK();
    }
    if (robots->is_dead) {
      ExplainDeadHost(*robots);
      return Status::OK();
    }
    const RobotsRules rules = RobotsRules::Parse(robots->text, fetch_.agent);
    crawl_delay_ = {rules.crawl_delay_ms(), robots->due_ms};
    const bool rules_serve = RulesServe(*robots, robots_.keep_ms, in_.now_ms);
    const std::string why(WhyOfRobots(*robots));
    if (robots->failures > 0) {
      Say("robots",
          "robots.txt could not be fetched " + InARow(robots->failures) + ": " + why +
              (rules_serve ? "; the copy of " + FormatTimestamp(robots->text_ms) + " applies" : ""),
          robots->fetched_ms);
    } else if (!why.empty()) {
      Say("robots", "allowed, " + why, robots->fetched_ms);
      return Status::OK();
    }
    if (!rules_serve) {
      if (robots_.on_unreachable == OnUnreachableRobots::kAllow) {
        Say("robots", "allowed, although it is unreachable (--robots.on_unreachable=allow)", robots->fetched_ms);
      } else {
        Hold(robots->due_ms, "its robots.txt is fetched again then");
      }
      return Status::OK();
    }
    ExplainRobotsText(rules, robots->fetched_ms);
    return Status::OK();
  }

  void ExplainDeadHost(const RobotsRow& robots) {
    std::string text = ReasonOfDead(robots) + ", in " + ReadableCount(robots.dead_rounds, "round");
    text += robots.dead_rounds < refresh_.failing_rounds
                ? "; all URLs of its host are gone after " + std::to_string(refresh_.failing_rounds) + " in a row"
                : ", so all URLs of its host are gone";
    text += " (--refresh.failing_rounds)";
    if (robots.due_ms <= in_.now_ms) text += "; the next round tries one of them for all";
    Say("robots", text, robots.fetched_ms);
    Hold(robots.due_ms, "nobody is there; one URL of its host is tried again then, for all");
  }

  void ExplainRobotsText(const RobotsRules& rules, TimeMs fetched_ms) {
    UrlPieces pieces;
    if (!SplitWebUrl(url_, &pieces)) return;
    const std::string path = std::string(pieces.path) + (pieces.has_query ? "?" + std::string(pieces.query) : "");
    const RobotsRules::Verdict verdict = rules.Check(path);
    std::string text = verdict.allowed ? "allowed" : "denied";
    text += verdict.line > 0 ? " by line " + std::to_string(verdict.line) + ": " + std::string(verdict.text)
                             : ": no line is against it";
    if (crawl_delay_.ms) text += "; Crawl-delay " + ReadableDuration(*crawl_delay_.ms);
    Say("robots", text, fetched_ms);
    is_denied_ = !verdict.allowed;
  }

  Status ExplainHost() {
    const std::string part(HostPartOfKey(key_));
    ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<HostRow>(in_.store, *in_.snapshot));
    ARROW_ASSIGN_OR_RAISE(const std::optional<HostRow> host, FindRow<HostRow>(*table, part));
    const std::string domain_part = HoldingDomainOf(part);
    ARROW_ASSIGN_OR_RAISE(const std::optional<HostRow> domain, FindRow<HostRow>(*table, domain_part));
    HostRow row = host && !host->removed ? *host : HostRow();
    row.key = part;
    const DomainRecord record = domain && !domain->removed ? domain->domain : DomainRecord();
    const bool is_known = TellsOfHost(row);
    row.operator_delay_ms = OperatorDelayOf(row, record);
    share_ = ShareOf(row, crawl_delay_, generate_, fetch_, in_.now_ms);
    domain_share_ = DomainShareOf(record, generate_, in_.now_ms);
    ExplainDomain(HostOfKey(domain_part), record);
    if (!is_known) {
      Say("host", "nothing is known about " + HostOfKey(part) + " yet");
      return Status::OK();
    }
    const bool takes_some = share_.left_out == LeftOut::kNone;
    Say("host", HostText(row, share_), takes_some ? row.answered_ms : share_.until_ms);
    if (!takes_some) Hold(share_.until_ms, "its host is left out: " + std::string(NameOf(share_.left_out)));
    return Status::OK();
  }

  // Says something only where the domain has a limit of its own, or is left out.
  void ExplainDomain(const std::string& name, const DomainRecord& record) {
    const DomainShare& share = domain_share_;
    std::string text;
    if (share.left_out == LeftOut::kDomainBlocked) {
      text = name + " is blocked by the operator" + ReasonText(record.operator_reason) + " (trawl host --domain " +
             name + " --unblock)";
    } else if (share.pages != kNoLimit) {
      const std::string of = share.is_of_day ? " for today (" : " in all (";
      text = share.pages > 0 ? name + " and its hosts have " + ReadableCount(share.pages, "more page") + of
                             : name + " and its hosts have had their " +
                                   ReadableCount(share.is_of_day ? record.pages_today : record.pages, "page") + of;
      text += std::string(share.option) + ")";
    }
    if (text.empty()) return;
    Say("domain", text, share.until_ms);
    if (share.left_out != LeftOut::kNone) {
      Hold(share.until_ms, "its domain is left out: " + std::string(NameOf(share.left_out)));
    }
  }

  static std::string ReasonText(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

  std::string HostText(const HostRow& host, const HostShare& share) const {
    const std::string name = HostOfKey(host.key);
    switch (share.left_out) {
      case LeftOut::kBlocked:
        return name + " is blocked by the operator" + ReasonText(host.operator_reason) + " (trawl host " + name +
               " --unblock)";
      case LeftOut::kBreakerOpen:
        return name + " failed " + InARow(host.failures_in_a_row) + ": no requests until then";
      case LeftOut::kThrottled:
        return name + " asked for a pause until then";
      case LeftOut::kCrawlDelay:
        return name + (DelayOf(host, crawl_delay_.ms, fetch_).skip
                           ? " has a Crawl-delay that is too long for this crawl (--fetch.long_crawl_delay): its "
                             "robots.txt is checked again then"
                           : " wants more time between two requests than a round has: no requests until then");
      case LeftOut::kDayIsFull:
        return name + " has had its " + ReadableCount(host.pages_today, "page") + " for today (" + share.day_option +
               ")";
      case LeftOut::kHostIsFull:
        return name + " has had its " + ReadableCount(host.pages, "page") + " in all (" + share.all_option + ")";
      case LeftOut::kNone:
      case LeftOut::kDomainBlocked:
      case LeftOut::kDomainDayIsFull:
      case LeftOut::kDomainIsFull:
        break;
    }
    std::string text = name + " takes " + TakenText(share) + ", one every " + ReadableDuration(share.page_ms);
    if (host.suspected_trap && !host.trap_cleared) text += "; a suspected trap: it shows far more URLs than pages";
    if (IsOnProbation(host, in_.now_ms)) text += "; on probation after its failures";
    if (IsSlow(host, fetch_, in_.now_ms)) text += "; among the slow hosts, for its errors";
    if (host.not_before_ms > in_.now_ms) text += "; not before " + FormatTimestamp(host.not_before_ms);
    return text;
  }

  Status ExplainSegment() {
    const std::string domain = HoldingDomainOf(HostPartOfKey(key_));
    ARROW_ASSIGN_OR_RAISE(const HeldDomains held, HeldDomains::Read(in_.store, *in_.snapshot, in_.now_ms));
    const DomainHolder* const holder = held.HolderOf(domain);
    if (holder == nullptr) return Status::OK();
    Say("segment", holder->segment + " holds " + HostOfKey(domain) + " until it is applied, at the latest until then",
        holder->until_ms);
    Hold(holder->until_ms, "segment " + holder->segment + " holds its domain");
    return Status::OK();
  }

  Status ExplainNext() {
    const std::string denied = is_denied_ ? "; robots.txt as it is stored denies it" : "";
    if (held_until_ms_ == kNever) {
      Say("next", "never by itself: " + held_by_);
    } else if (held_until_ms_ != 0) {
      Say("next", Until(held_until_ms_, in_.now_ms) + ": " + held_by_ + denied, held_until_ms_);
    } else {
      ARROW_ASSIGN_OR_RAISE(const std::string limit, LimitOfRound());
      Say("next",
          (limit.empty() ? "in the next round" : "not in the next round, not among the best: " + limit) + denied);
    }
    return Status::OK();
  }

  // The limit that leaves a due URL out because others are better; empty where none does, or the scope is not known.
  Result<std::string> LimitOfRound() {
    if (row_ == nullptr || !scope_) return std::string();
    const RoundAhead round = {.store = in_.store,
                              .snapshot = in_.snapshot,
                              .scope = &*scope_,
                              .generate = generate_,
                              .fetch = fetch_,
                              .domain_pages = domain_share_.pages,
                              .now_ms = in_.now_ms};
    ARROW_ASSIGN_OR_RAISE(const UrlsBefore before, CountUrlsBefore(round, *row_, share_));
    return LimitReached(round, before, share_, domain_share_);
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
  FetchOptions fetch_;
  RobotsOptions robots_;
  GenerateOptions generate_;
  RefreshOptions refresh_;
  std::string url_;
  std::vector<PastFetch> history_;   // newest first
  std::optional<CrawlScope> scope_;  // nothing where it cannot be judged
  CrawlDelay crawl_delay_;
  HostShare share_;
  DomainShare domain_share_;
  bool is_denied_ = false;  // by robots.txt
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
