#include "jobs/updatedb/next_state.h"

#include <algorithm>

#include "formats/rows/times.h"
#include "formats/url/key.h"
#include "jobs/policy/score.h"
#include "jobs/policy/settled.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/signals/signals.h"
#include "jobs/sitemaps/stated_words.h"
#include "jobs/sums/guessed_sitemap.h"

namespace trawl {

namespace {

// The wait of a URL that its host throttled in this round, where the host did not say for how long.
constexpr int64_t kThrottledWaitMs = 5 * kMinuteMs;
constexpr std::string_view kNotParsed = "not parsed: ";

int32_t AddCapped(int32_t a, int32_t b) { return static_cast<int32_t>(std::min<int64_t>(int64_t{a} + b, INT32_MAX)); }

// The spelling of a row whose request asked `url`: empty where that is what its key stands for.
std::string SpellingOf(std::string_view key, const std::string& url) {
  std::string normalised;
  return WriteUrlOfKey(key, &normalised) && normalised == url ? std::string() : url;
}

// Takes one row from its state to the next.
class Step {
 public:
  Step(const UrlRow* before, const UrlNews& news, const StatePolicy& policy)
      : news_(news), policy_(policy), is_known_(before != nullptr) {
    if (before != nullptr) row_ = *before;
    asked_before_ms_ = row_.fetched_ms;
    stated_lastmod_ms_ = row_.stated_lastmod_ms;
  }

  Transition Take() {
    Transition transition = {.event = EventOf(is_known_ ? &row_ : nullptr, news_), .row = std::nullopt};
    if (transition.event == UrlEvent::kDropped) return transition;
    const bool was_known = is_known_;
    // A guess makes a URL known, and that is all.
    const bool has_links = news_.links && !(was_known && news_.links->is_guess);
    bool is_other = has_links && TakeLinks(*news_.links);
    if (CountsAsFetch(transition.event) && IsWrongGuess()) {
      transition.row.emplace();
      transition.row->key = row_.key;
      transition.row->removed = true;
      return transition;
    }
    if (transition.event == UrlEvent::kReread) {
      const UrlRow before = row_;
      if (before.state == UrlState::kDuplicate) row_.state = UrlState::kFetched;
      TakeReread();
      UnsettleIfChanged(before);
      if (before.state == UrlState::kDuplicate) row_.state = StateOfPage(before);
      is_other = true;
    } else if (CountsAsFetch(transition.event)) {
      const UrlRow before = row_;
      TakeFetch(transition.event);
      KeepOperatorsDue(before, fetched_ms());
      transition.lastmod_was_right = JudgeLastmod(transition.event);
      is_other = true;
    } else if (was_known && fate() != OriginFate::kSame) {
      const bool is_changed = TakeOrigin();
      const bool is_only_news = transition.event == UrlEvent::kNone || transition.event == UrlEvent::kLink;
      if (is_changed || is_only_news) {
        transition.event = fate() == OriginFate::kGone ? UrlEvent::kHostGone : UrlEvent::kHostBack;
      }
      is_other = is_other || is_changed;
    }
    const bool counts = has_links && policy_.sitemaps.lastmod && news_.host.believes_lastmods;
    if (counts && TakeStatedDate(news_.links->words.lastmod_ms, policy_.now_ms, &row_)) is_other = true;
    if (is_other) transition.row = std::move(row_);
    return transition;
  }

 private:
  static bool CountsAsFetch(UrlEvent event) {
    return event != UrlEvent::kNone && event != UrlEvent::kLink && event != UrlEvent::kNotReached &&
           event != UrlEvent::kBlameless && event != UrlEvent::kLate && event != UrlEvent::kDropped;
  }
  OriginFate fate() const { return news_.origin != nullptr ? news_.origin->fate : OriginFate::kSame; }

  const FetchRow& fetch() const { return *news_.fetch; }
  int64_t fetched_ms() const { return fetch().fetched_ms > 0 ? fetch().fetched_ms : policy_.now_ms; }

  int64_t After(int64_t interval_ms) const { return After(fetched_ms(), interval_ms); }
  int64_t After(int64_t answered_ms, int64_t interval_ms) const {
    return EndOfInterval({answered_ms, policy_.round_ms}, interval_ms, policy_.refresh);
  }

  // Whether the links alone change the row.
  bool TakeLinks(const LinkNews& links) {
    if (!is_known_) {
      Create(links.kind, links.depth, links.via, links.spelling);
      row_.inlinks = links.inlinks;
      if (links.is_entry) TakeEntry(links);
      Rescore();
      return true;
    }
    row_.inlinks = AddCapped(row_.inlinks, links.inlinks);
    const bool has_words = TakeWords(links);
    const bool is_nearer = links.depth < row_.depth;
    if (!is_nearer && !TakesLinks(row_.state)) return has_words;
    row_.depth = std::min(row_.depth, links.depth);
    Rescore();
    return is_nearer || links.inlinks > 0 || has_words;
  }

  // What sitemaps and robots.txt say of a URL that is known. Whether that changes the row.
  bool TakeWords(const LinkNews& links) {
    bool is_changed = false;
    if (links.is_entry || links.is_named) is_changed = RaiseKind(links.kind);
    // It may speak for another host from now on: what it says of that is in its stored body.
    if (links.is_newly_named && row_.read_policy != 0) {
      row_.read_policy = 0;
      is_changed = true;
    }
    if (IsGuessedSitemap(row_) && !links.via.empty()) {
      row_.via = links.via;
      is_changed = true;
    }
    if (!links.is_entry) {
      // The date of a feed: known for the next fetch, but no reason to write the row.
      if (!TakesLinks(row_.state)) row_.stated_lastmod_ms = std::max(row_.stated_lastmod_ms, links.words.lastmod_ms);
      return is_changed;
    }
    const UrlRow before = row_;
    TakeEntry(links);
    return is_changed || !(row_ == before);
  }

  bool RaiseKind(UrlKind kind) {
    if (kind <= row_.kind) return false;
    row_.kind = kind;
    return true;
  }

  // The word of the sitemaps of this round.
  void TakeEntry(const LinkNews& links) {
    TakeStatedWords(links.words, TakesLinks(row_.state), &row_);
    if (row_.sitemap.empty() || links.sitemap < row_.sitemap) row_.sitemap = links.sitemap;
    row_.depth = std::min(row_.depth, links.depth);
    Rescore();
  }

  // Whether the date that a sitemap had stated for a page was right; nothing where none was to be judged.
  std::optional<bool> JudgeLastmod(UrlEvent event) const {
    const int64_t now_stated_ms = news_.links ? news_.links->words.lastmod_ms : 0;
    const int64_t stated_ms =
        now_stated_ms <= fetched_ms() ? std::max(stated_lastmod_ms_, now_stated_ms) : stated_lastmod_ms_;
    if (row_.kind != UrlKind::kPage || asked_before_ms_ == 0 || stated_ms <= asked_before_ms_) return std::nullopt;
    if (event == UrlEvent::kFetchedChanged) return true;
    if (event == UrlEvent::kFetchedUnchanged || event == UrlEvent::kNotModified) return false;
    return std::nullopt;
  }

  // /sitemap.xml was asked for though nobody names it, and the host has none.
  bool IsWrongGuess() const {
    return is_known_ && IsGuessedSitemap(row_) && news_.fetch != nullptr && IsNoSitemap(fetch());
  }

  void Create(UrlKind kind, int32_t depth, const std::string& via, std::string spelling) {
    row_.key.assign(news_.key);
    row_.kind = kind;
    row_.depth = depth;
    row_.via = via;
    row_.spelling = std::move(spelling);
    row_.due_ms = policy_.now_ms;
    row_.discovered_ms = policy_.now_ms;
    Rescore();
    is_known_ = true;
  }

  void Rescore() {
    if (!HasScoreByRule(row_)) return;
    const int32_t before = row_.score;
    const bool priorities = policy_.sitemaps.priority && news_.host.believes_priorities;
    row_.score = ScoreByRule(row_, {.links = news_.graph != nullptr ? *news_.graph : LinkStanding(),
                                    .suspected_trap = news_.host.suspected_trap,
                                    .believes_priorities = priorities});
    LeaveTop(policy_.refresh, before, &row_);
  }

  void TakeFetch(UrlEvent event) {
    if (!is_known_) Create(fetch().kind, fetch().depth, fetch().hop_of, SpellingOf(news_.key, fetch().url));
    const UrlRow before = row_;
    row_.outcome = fetch().outcome;
    row_.reason = fetch().reason;
    row_.status = fetch().status;
    switch (event) {
      case UrlEvent::kThrottled:
        return Wait(fetch().retry_after_ms > 0 ? row_.due_ms : std::max(row_.due_ms, fetched_ms() + kThrottledWaitMs));
      case UrlEvent::kRobotsDeferred:
        return Wait(fetched_ms() + RobotsDeferralMs(news_.origin != nullptr ? news_.origin->robots_failures : 0));
      case UrlEvent::kRobotsDenied:
        return Deny();
      default:
        break;
    }
    row_.fetched_ms = fetched_ms();
    row_.fetches = AddCapped(row_.fetches, 1);
    row_.response_ms = fetch().total_ms;
    TakeAnswer(event, before);
  }

  // What the operator said about the time stands until the URL was asked for at that time or later.
  void KeepOperatorsDue(const UrlRow& before, int64_t asked_ms) {
    if (before.due_set_ms > 0 && asked_ms <= std::max(before.due_set_ms, before.due_ms)) {
      row_.due_ms = before.due_ms;
    } else {
      row_.due_set_ms = 0;
    }
  }

  void TakeAnswer(UrlEvent event, const UrlRow& before) {
    switch (event) {
      case UrlEvent::kFetchedNew:
      case UrlEvent::kFetchedChanged:
      case UrlEvent::kFetchedUnchanged:
      case UrlEvent::kParseFailed:
        return TakePage(before);
      case UrlEvent::kNotModified:
        return TakeNotModified(before);
      case UrlEvent::kRedirectTemporary:
      case UrlEvent::kRedirectPermanent:
        return Redirect(event == UrlEvent::kRedirectPermanent, before);
      case UrlEvent::kNotFound:
      case UrlEvent::kFailed:
        return Fail();
      case UrlEvent::kGoneForGood:
        return Leave(UrlState::kGone, kNever);
      case UrlEvent::kClientError:
      case UrlEvent::kTlsFailed:
        return Leave(UrlState::kGone, After(policy_.refresh.gone_interval_ms));
      default:
        return Leave(UrlState::kRefused, After(policy_.refresh.gone_interval_ms));
    }
  }

  void Wait(int64_t due_ms) { row_.due_ms = std::max(due_ms, fetch().retry_after_ms); }

  void Deny() {
    Unsettle(&row_);
    row_.state = UrlState::kDenied;
    if (row_.reason.empty() && fetch().robots_line > 0) {
      row_.reason = "line " + std::to_string(fetch().robots_line) + ": " + fetch().robots_rule;
    }
    row_.due_ms = std::max(After(policy_.refresh.denied_interval_ms), fetched_ms() + policy_.robots_ttl_ms);
  }

  void TakePage(const UrlRow& before) {
    const bool is_first = before.body_digest.empty();
    const bool has_changed =
        EventOf(&before, news_) != UrlEvent::kFetchedUnchanged && fetch().body_digest != before.body_digest;
    row_.etag = fetch().etag;
    row_.last_modified = fetch().last_modified;
    row_.content_type = fetch().content_type;
    row_.bytes = fetch().bytes;
    row_.truncated = fetch().truncated;
    if (!fetch().content_file.empty()) {
      row_.body_segment = policy_.segment;
      row_.body_file = fetch().content_file;
      row_.body_row = fetch().content_row;
      row_.shares_body = fetch().shares_body;
    }
    if (fetch().body_digest != before.body_digest) {
      row_.content_digest.clear();
      row_.simhash = 0;
      row_.text_sketch.clear();
      row_.read_policy = 0;
      ForgetParsePlace();
    }
    row_.body_digest = fetch().body_digest;
    if (news_.parse != nullptr) {
      TakeParse(*news_.parse);
    } else if (fetch().body_digest == before.body_digest) {
      KeepParse(before);
    } else {
      row_.signals = NotedSignals(news_.header_signals, news_.header_signals);
    }
    if (is_first || has_changed) row_.changed_ms = fetched_ms();
    UnsettleIfChanged(before);
    Succeed(StateOfPage(before), is_first, has_changed);
  }

  void UnsettleIfChanged(const UrlRow& before) {
    if (row_.content_digest.empty() || row_.content_digest != before.content_digest) Unsettle(&row_);
  }

  // Of a page that answers: what settle made of it stays as long as its content does.
  UrlState StateOfPage(const UrlRow& before) const {
    const bool is_settled = !row_.duplicate_of.empty() || !row_.near_duplicate_of.empty();
    if (is_settled && before.state == UrlState::kDuplicate) return UrlState::kDuplicate;
    return SettledState(row_, policy_.near_policy);
  }

  void TakeParse(const ParseRow& parse) {
    row_.parser = parse.parser;
    row_.content_digest = parse.content_digest;
    row_.simhash = !parse.has_simhash ? 0 : parse.simhash == 0 ? 1 : parse.simhash;
    row_.text_sketch = parse.text_sketch;
    row_.canonical_to = parse.canonical_to;
    row_.read_policy = parse.policy;
    TakeParsePlace();
    row_.entries = parse.entries;
    if (parse.failed) row_.reason = std::string(kNotParsed) + parse.reason;
    row_.signals =
        NotedSignals(SignalsOf(parse), news_.fetch != nullptr ? news_.header_signals : HeaderSignals(row_.signals));
  }

  // Its body may come to lie elsewhere: with an equal one, or where trawl compact puts it.
  void TakeParsePlace() {
    if (news_.place == nullptr) return ForgetParsePlace();
    row_.parse_segment = policy_.segment;
    row_.parse_file = news_.place->file;
    row_.parse_row = news_.place->row;
  }

  // Then the parse row lies in the segment of the body, by its place.
  void ForgetParsePlace() {
    row_.parse_segment.clear();
    row_.parse_file.clear();
    row_.parse_row = 0;
  }

  // The body is as it was, and so is all that a request told: state, due time, interval, change rate.
  void TakeReread() {
    if (row_.reason.starts_with(kNotParsed)) row_.reason.clear();
    const std::string reason = row_.reason;
    TakeParse(*news_.parse);
    // Of a page that failed since, the reason is why.
    if (row_.state != UrlState::kFetched) row_.reason = reason;
  }

  // A body that was known is not parsed again: what the last parse found still holds.
  void KeepParse(const UrlRow& before) {
    if (row_.reason.empty() && before.reason.starts_with(kNotParsed)) row_.reason = before.reason;
  }

  void TakeNotModified(const UrlRow& before) {
    KeepParse(before);
    if (!fetch().etag.empty()) row_.etag = fetch().etag;
    if (!fetch().last_modified.empty()) row_.last_modified = fetch().last_modified;
    row_.signals |= news_.header_signals;
    Succeed(StateOfPage(before), /*is_first=*/false, /*has_changed=*/false);
  }

  void Redirect(bool permanent, const UrlRow& before) {
    Unsettle(&row_);
    row_.redirect_to = fetch().redirect_to;
    const bool has_changed = before.state != UrlState::kRedirected || before.redirect_to != row_.redirect_to;
    Succeed(UrlState::kRedirected, /*is_first=*/before.state == UrlState::kUnfetched, has_changed);
    if (!permanent || row_.fixed_interval_ms > 0) return;
    row_.interval_ms = policy_.refresh.max_interval_ms;
    row_.due_ms = After(row_.interval_ms);
  }

  // For a URL that has answered: it is asked again when its interval is over.
  void Succeed(UrlState state, bool is_first, bool has_changed) {
    row_.state = state;
    row_.retries = 0;
    if (state != UrlState::kRedirected) row_.redirect_to.clear();
    if (!fetch().url.empty()) row_.spelling = SpellingOf(row_.key, fetch().url);
    Rescore();
    const RefreshClass none;
    const RefreshClass& refresh_class = policy_.classes != nullptr ? policy_.classes->ClassOf(row_) : none;
    const int64_t last_ms = is_first ? 0 : row_.interval_ms;
    Reschedule(policy_.refresh, refresh_class, is_first, has_changed, &row_);
    if (row_.fixed_interval_ms == 0) {
      if (row_.kind != UrlKind::kPage) {
        TakeListInterval(last_ms, has_changed);
      } else if (policy_.sitemaps.changefreq) {
        TakeStatedInterval(policy_.refresh, refresh_class, is_first, has_changed, &row_);
      }
    }
    row_.due_ms = After(WaitOf(row_));
  }

  void TakeListInterval(int64_t last_ms, bool has_changed) {
    row_.interval_ms = ListIntervalMs(policy_.sitemaps, row_.kind, last_ms, has_changed, news_.host.believes_lastmods);
  }

  void Fail() {
    const bool was_gone = row_.state == UrlState::kGone;
    if (!was_gone) row_.retries = AddCapped(row_.retries, 1);
    if (was_gone || row_.retries >= policy_.refresh.failing_rounds || fate() == OriginFate::kGone) {
      return Leave(UrlState::kGone, After(policy_.refresh.gone_interval_ms));
    }
    row_.state = UrlState::kFailing;
    Wait(After(policy_.refresh.retry_interval_ms));
  }

  // What the URL shares with its host, though nobody asked for it. Whether that changes the row.
  bool TakeOrigin() { return fate() == OriginFate::kGone ? TakeHostGone() : TakeHostBack(); }

  bool TakeHostGone() {
    // What is never asked for again stays as it is.
    if (row_.state == UrlState::kGone || row_.due_ms == kNever) return false;
    row_.outcome = news_.origin->outcome;
    row_.reason = news_.origin->reason;
    row_.status = 0;
    row_.retries = std::max(row_.retries, policy_.refresh.failing_rounds);
    const UrlRow before = row_;
    Leave(UrlState::kGone, After(news_.origin->asked_ms, policy_.refresh.gone_interval_ms));
    KeepOperatorsDue(before, news_.origin->asked_ms);
    return true;
  }

  // Only what is gone because nobody was there comes back.
  bool TakeHostBack() {
    const bool shares = row_.outcome == Outcome::kDnsFailed || row_.outcome == Outcome::kConnectFailed;
    if (row_.state != UrlState::kGone || !shares || row_.due_ms <= policy_.now_ms) return false;
    row_.due_ms = policy_.now_ms;
    return true;
  }

  void Leave(UrlState state, int64_t due_ms) {
    Unsettle(&row_);
    row_.state = state;
    row_.due_ms = due_ms;
  }

  const UrlNews& news_;
  const StatePolicy& policy_;
  bool is_known_;
  UrlRow row_;
  // Of the row before the round.
  int64_t asked_before_ms_ = 0;
  int64_t stated_lastmod_ms_ = 0;
};

}  // namespace

// Rules. Of a URL that was asked for several times in the round only the outcome that counts (IsLater) comes here.
//  1. A link to a URL that the crawl does not know, or that was removed, makes it unfetched and due at once. It has the
//     score of jobs/policy/score.h, the depth and via of its nearest link, and the shortest spelling.
//  2. A link lowers the depth of a URL, never raises it; the score follows the depth. So a page is as deep as the nearest
//     page that is known to link to it. The links of a page that comes nearer are read again (rule 19).
//  3. A link to an unfetched URL adds its inlinks. Those of any other URL are added when the row is written for another
//     reason; such a link changes neither state nor due time.
//  4. An outcome that is not newer than the row's last fetch, or that is our own fault, changes nothing. Neither does a
//     URL that was not reached, or whose host's breaker was open. The URL stays due.
//  5. Throttled: state and retries stay; due when the host said, or 5 min after the answer where it did not.
//  6. robots.txt could not be reached: state and retries stay, never "denied"; due after RobotsDeferralMs.
//  7. robots.txt denies: denied; due again after denied_interval, at least robots.ttl.
//  8. A page: fetched (but see rule 26), retries 0, the next fetch by Reschedule. It is new where no body was known, and unchanged where the
//     body or the cleaned page is the same. A page that could not be parsed is fetched, too, and its reason says so as
//     long as its body stays.
//  9. Not modified: fetched (but see rule 26), unchanged, whatever the state was. What its header fields ask for is added to the signals.
// 10. A redirect: redirected, its target in redirect_to. A temporary one is asked again like a page whose content is
//     the target; a permanent one after max_interval. A redirect to itself, or in a circle, is refused, and due again
//     after gone_interval.
// 11. 404, a network error or 5xx: failing, due after retry_interval; in the last of failing_rounds rounds in a row:
//     gone, due again after gone_interval. A page that is gone stays gone until it answers.
// 12. 410: gone, never due again. Another 4xx and TLS faults: gone at once, due again after gone_interval.
// 13. Refused by a limit, its address or its type: refused, due again after gone_interval.
// 14. The facts about the content stay in all states; only a new page replaces them.
// 15. A URL that the operator dropped stays dropped, whatever comes.
// 16. A due time that the operator set stands until the URL is asked for at that time or later, and after the operator
//     set it: an earlier page, redirect or 304 counts, but for its due time; any other earlier outcome is late (rule 4).
// 17. A score that the operator set stays. Any other is made anew by rules 1 and 2, and when a page, a redirect or a 304
//     has come, from the row and what trawl graph found of links (ScoreByRule); trawl graph makes it anew for all others.
//     A page that is a top page no longer begins anew with start_interval.
// 18. The host is gone, that is, nobody was there in the last of failing_rounds rounds in a row: so are all URLs of it,
//     whether they were asked for or not; due again after gone_interval. When it answers again, those that went with it
//     are due at once.
// 19. A stored body that was read again changes what its reading tells: parser, content digest, fingerprint, canonical target,
//     signals, links, and the place of the parse row. State (but see rule 25), due time, interval, change rate and every fact of a request stay. It
//     is late (rule 4) where a newer body has taken its place.
// 20. The entry of a sitemap has depth 0. Its priority is the base of the score, and its change frequency the interval after
//     the first fetch, within the bounds of all intervals; if the page has not changed by the second fetch, the frequency no
//     longer counts. A URL that was asked for already takes these words when a sitemap lists it first, with the depth and the
//     score; its due time stays.
// 21. A date of a sitemap, or of a feed of the same host, that lies after the last fetch makes a page due that is fetched,
//     a duplicate, redirected, failing or gone, but for what the operator set; an earlier date changes nothing.
// 22. Of a host that is not believed (jobs/policy/sitemap_options.h) priorities or dates count as not stated.
// 23. A sitemap or feed has the interval of ListIntervalMs.
// 24. A sitemap that nobody named and that is not there is forgotten: its row goes.
// 25. What settle decided of a page (duplicate_of, near_duplicate_of, distance) holds as long as its content digest does. Another
//     content, also by reading again, makes it stand for itself: fetched, until the next settle. So it does when the page is
//     redirected, gone, denied or refused. One that fails keeps it.
// 26. A page that answers with the content by which it was settled is a duplicate if it was one, or if it was one before it failed: one
//     of the same content, or one of nearly the same text where settle.near is duplicate. A duplicate is due after twice its
//     interval, but for an interval that the operator set.
// 27. The answer to a path that cannot exist (UrlKind::kProbe) is no news of a URL.
Transition NextState(const UrlRow* row, const UrlNews& news, const StatePolicy& policy) {
  if (news.fetch == nullptr || news.fetch->kind != UrlKind::kProbe) return Step(row, news, policy).Take();
  UrlNews others = news;
  others.fetch = nullptr;
  others.parse = nullptr;
  return Step(row, others, policy).Take();
}

}  // namespace trawl
