#include "jobs/check/url_verdict.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "formats/robots/robots.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/policy/advice.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/judge.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/select/url_holds.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/typed_root.h"
#include "jobs/verb/url_arguments.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The lines for one URL, and the same for programs.
class Sheet {
 public:
  void Say(const std::string& about, const std::string& text) { text_ += PadRight(about, 12) + text + "\n"; }
  Json& json() { return json_; }
  const std::string& text() const { return text_; }

 private:
  Json json_ = Json::object();
  std::string text_;
};

void SayPieces(const Url& url, Sheet* sheet) {
  sheet->Say("url", std::string(url.href()));
  if (url.has_userinfo()) sheet->Say("userinfo", "is there, and is neither kept nor sent");
  if (url.has_fragment()) sheet->Say("fragment", std::string(url.fragment()) + "  (not sent)");
}

void SayForms(const Url& url, NormalForm own, Sheet* sheet) {
  Json& forms = sheet->json()["forms"] = Json::object();
  for (const NormalForm form : {NormalForm::kStrict, NormalForm::kStandard, NormalForm::kFold}) {
    std::string normal;
    const UrlRefusal refusal = UrlNormalizer(form).Normalize(url, &normal);
    const std::string name(NameOf(form));
    const bool has_one = refusal == UrlRefusal::kNone;
    forms[name] = has_one ? Json(normal) : Json(nullptr);
    const std::string mark = form == own ? "  (the form of the key)" : "";
    sheet->Say(name, has_one ? normal + mark : "(" + std::string(TextOf(refusal)) + ")");
  }
}

void SayVerdict(const CrawlScope& scope, const JudgedUrl& judged, Sheet* sheet) {
  Json& json = sheet->json();
  const bool has_form = judged.no_form == UrlRefusal::kNone;
  json["normal"] = TextOrNull(judged.url);
  json["key"] = TextOrNull(judged.key);
  json["slot"] = has_form ? Json(SlotOfKey(judged.key)) : Json(nullptr);
  json["host"] = TextOrNull(judged.host);
  json["domain"] = TextOrNull(judged.domain);
  json["length"] = judged.url.size();
  json["parameters"] = judged.parameters;
  json["loop"] = TextOrNull(judged.repeated);
  json["accepted"] = judged.accepted();
  json["rule"] = NameOf(judged.verdict.by);
  json["reason"] = judged.text;
  if (has_form) {
    const CrawlScopeOptions& limits = scope.options();
    const std::string loops = limits.repeated_segments == 0
                                  ? "not looked for (--urls.repeated_segments 0)"
                                  : "none: nothing repeats " + std::to_string(limits.repeated_segments) + " times";
    sheet->Say("key", judged.key);
    sheet->Say("slot", std::to_string(SlotOfKey(judged.key)));
    sheet->Say("host", judged.host);
    sheet->Say("domain", judged.domain.empty() ? "(none: held as the host itself)" : judged.domain);
    sheet->Say("length", std::to_string(judged.url.size()) + " of " + std::to_string(limits.max_url_bytes) + " bytes");
    sheet->Say("parameters", std::to_string(judged.parameters) + " of " + std::to_string(limits.max_parameters));
    sheet->Say("loop", judged.repeated.empty() ? loops : judged.repeated);
  }
  sheet->Say("scope", judged.text);
}

// What the crawl at --root knows of a URL.
class KnownCrawl {
 public:
  // `context` is that crawl's, `root` what its commands are typed with (jobs/verb/typed_root.h).
  KnownCrawl(const Crawl& crawl, HoldContext context, std::string root)
      : crawl_(crawl), context_(std::move(context)), root_(std::move(root)) {}

  Result<std::optional<UrlRow>> FindUrl(const std::string& key) const { return Find<UrlRow>(key); }

  Status Say(const CrawlScope& scope, const JudgedUrl& judged, const std::optional<UrlRow>& row, Sheet* sheet) const {
    SayRow(row, sheet);
    ARROW_RETURN_NOT_OK(SayRobots(judged, sheet));
    return SayHolds(scope, judged, row, sheet);
  }

 private:
  template <typename Row>
  Result<std::optional<Row>> Find(std::string_view key) const {
    ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<Row>(crawl_.store(), crawl_.manifest()));
    ARROW_ASSIGN_OR_RAISE(std::optional<Row> row, FindRow<Row>(*table, key));
    if (row && row->removed) row.reset();
    return row;
  }

  void SayRow(const std::optional<UrlRow>& row, Sheet* sheet) const {
    Json& json = sheet->json();
    json["snapshot"] = crawl_.snapshot().manifest.number;
    json["known"] = row.has_value();
    json["state"] = row ? Json(TextOf(row->state)) : Json(nullptr);
    json["depth"] = row ? Json(row->depth) : Json(nullptr);
    json["due"] = row ? TimeJson(row->due_ms) : Json(nullptr);
    if (!row) return sheet->Say("crawl", "not in the crawl");
    const std::string why = ReasonOf(*row);
    const std::string due = row->due_ms == kNever            ? "never due again"
                            : row->due_ms <= context_.now_ms ? "due now"
                                                             : "due at " + FormatTimestamp(row->due_ms);
    sheet->Say("crawl", TextOf(row->state) + (why.empty() ? "" : ", " + why) + ", depth " + std::to_string(row->depth) +
                            ", " + due);
  }

  Status SayRobots(const JudgedUrl& judged, Sheet* sheet) const {
    Json& json = sheet->json()["robots"] = Json(nullptr);
    ARROW_ASSIGN_OR_RAISE(const auto robots, Find<RobotsRow>(OriginPartOfKey(judged.key)));
    if (!robots) {
      sheet->Say("robots", "robots.txt is not fetched yet");
      return Status::OK();
    }
    json = {{"allowed", nullptr}, {"line", nullptr}, {"fetched", TimeJson(robots->fetched_ms)}};
    const TimeMs until_ms = DeferredUntil(*robots, context_.robots, context_.now_ms);
    if (robots->is_dead || !RulesServe(*robots, context_.robots.keep_ms, context_.now_ms)) {
      const std::string why =
          robots->is_dead ? ReasonOfDead(*robots) : "not known: " + std::string(WhyOfRobots(*robots));
      json["reason"] = why;
      sheet->Say("robots", why + (until_ms > 0 ? "; asked again at " + FormatTimestamp(until_ms) : ""));
      return Status::OK();
    }
    UrlPieces pieces;
    if (!SplitWebUrl(judged.url, &pieces)) return Status::OK();
    const std::string path = std::string(pieces.path) + (pieces.has_query ? "?" + std::string(pieces.query) : "");
    const RobotsRules rules = RobotsRules::Parse(robots->text, context_.fetch.agent);
    const RobotsRules::Verdict verdict = rules.Check(path);
    json["allowed"] = verdict.allowed;
    if (verdict.line > 0) json["line"] = verdict.line;
    sheet->Say("robots",
               std::string(verdict.allowed ? "allowed" : "denied") +
                   (verdict.line > 0 ? " by line " + std::to_string(verdict.line) + ": " + std::string(verdict.text)
                                     : ": no line is against it"));
    return Status::OK();
  }

  // Everything for which generate would leave the URL out now, though it is due.
  Status SayHolds(const CrawlScope& scope, const JudgedUrl& judged, const std::optional<UrlRow>& row,
                  Sheet* sheet) const {
    ARROW_ASSIGN_OR_RAISE(const UrlStanding standing, ReadStanding(context_, judged.key));
    std::vector<std::string> holds;
    for (const UrlHold& hold : HoldsOf(standing, context_.fetch)) {
      holds.push_back(hold.until_ms == kNever ? hold.text
                                              : "until " + FormatTimestamp(hold.until_ms) + ": " + hold.text);
    }
    if (IsTriedAgain(standing) && row && row->due_ms <= context_.now_ms) {
      ARROW_ASSIGN_OR_RAISE(const std::string tried, TriedForAll(context_, scope, judged.key));
      if (!tried.empty() && tried != judged.key)
        holds.push_back("nobody was there: the next round tries " + UrlOfKey(tried).ValueOr(tried) +
                        " for all of its host");
    }
    if (row && row->due_ms <= context_.now_ms) {
      ARROW_ASSIGN_OR_RAISE(const int64_t before, HeldByPattern(context_, scope, standing, *row));
      if (before > 0) holds.push_back(PatternHoldText(standing, judged.key, before));
    }
    for (std::string& hold : holds) hold = WithRoot(hold, root_);
    sheet->json()["holds"] = holds;
    for (const std::string& hold : holds) sheet->Say("hold", hold);
    return Status::OK();
  }

  const Crawl& crawl_;
  const HoldContext context_;
  const std::string root_;
};

// The crawl at --root; null where nobody named one and there is none.
Result<std::unique_ptr<Crawl>> OpenIfThere(VerbContext& context) {
  Result<std::unique_ptr<Crawl>> crawl = Crawl::Open(context);
  const bool is_named = context.options.SourceOf("root") != OptionSource::kDefault;
  if (!crawl.ok() && !is_named) return std::unique_ptr<Crawl>();
  return crawl;
}

// The scope without a crawl: there are no seeds whose hosts could bound it.
Result<CrawlScope> ScopeAlone(OptionTexts options) {
  options["urls.scope"] = NameOf(UrlScope::kAny);
  return ScopeOfOptions(nullptr, Manifest(), options);
}

Status Print(VerbContext& context, const std::vector<Sheet>& sheets) {
  std::string text;
  for (const Sheet& sheet : sheets) text += (text.empty() ? "" : "\n") + sheet.text();
  if (!context.global.json) return context.Answer(Json(), text);
  for (Sheet sheet : sheets) ARROW_RETURN_NOT_OK(context.Answer(sheet.json(), ""));
  return Status::OK();
}

// Whether it is no URL at all, like "a.com", or one by accident, like "a.com:8080", whose scheme is "a.com".
bool IsMistyped(const std::string& given, const std::string& base) {
  if (!ParseUrlIn(given, base, "UTF-8").ok()) return true;
  const size_t after_colon = given.find(':') + 1;
  return after_colon > 0 && after_colon < given.size() && given[after_colon] >= '0' && given[after_colon] <= '9';
}

// Looks at one URL.
struct UrlJudge {
  const CrawlScope& scope;
  NormalForm form;
  std::string base;
  const KnownCrawl* crawl;  // null where there is none

  Result<Sheet> Judge(const std::string& given) const {
    Sheet sheet;
    const Result<Url> url = ParseUrlIn(given, base, "UTF-8");
    sheet.json() = {{"url", given}, {"href", url.ok() ? Json(url->href()) : Json(nullptr)}};
    if (url.ok()) {
      SayPieces(*url, &sheet);
      SayForms(*url, form, &sheet);
    } else {
      sheet.Say("url", given);
    }
    const std::string href = url.ok() ? std::string(url->href()) : given;
    JudgedUrl judged = JudgeUrl(scope, href, form, std::nullopt);
    std::optional<UrlRow> row;
    const bool looks = crawl != nullptr && judged.no_form == UrlRefusal::kNone;
    if (looks) {
      ARROW_ASSIGN_OR_RAISE(row, crawl->FindUrl(judged.key));
      if (row) judged = JudgeUrl(scope, href, form, static_cast<uint32_t>(std::max(row->depth, 0)));
    }
    SayVerdict(scope, judged, &sheet);
    if (looks) ARROW_RETURN_NOT_OK(crawl->Say(scope, judged, row, &sheet));
    return sheet;
  }
};

}  // namespace

const OptionGroup<CheckUrlOptions>& CheckUrlOptionGroup() {
  static const auto group =
      OptionGroup<CheckUrlOptions>("", "For check url")
          .String("base", &CheckUrlOptions::base,
                  "the page on which check url finds its URLs, so that they may be relative", "URL")
          .AllMain();
  return group;
}

Result<int> RunUrlChecks(VerbContext& context, const std::vector<std::string>& urls) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, OpenIfThere(context));
  ARROW_ASSIGN_OR_RAISE(const CheckUrlOptions options, context.Read(CheckUrlOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const NewCrawlOptions constants, context.Read(NewCrawlOptionGroup()));
  HoldContext holds;
  holds.now_ms = context.global.now_ms;
  ARROW_ASSIGN_OR_RAISE(holds.generate, context.Read(GenerateOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(holds.fetch, context.Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(holds.robots, context.Read(RobotsOptionGroup()));
  const OptionTexts texts = context.options.texts();
  ARROW_ASSIGN_OR_RAISE(const CrawlScope scope,
                        crawl ? ScopeOfOptions(crawl->store(), crawl->manifest(), texts) : ScopeAlone(texts));
  std::optional<KnownCrawl> known;
  if (crawl) {
    holds.store = crawl->store();
    holds.snapshot = &crawl->manifest();
    known.emplace(*crawl, std::move(holds), TypedRoot(context.options));
  }
  const UrlJudge judge = {.scope = scope,
                          .form = crawl ? crawl->normal_form() : constants.normal_form,
                          .base = options.base,
                          .crawl = known ? &*known : nullptr};
  std::vector<Sheet> sheets;
  Status mistyped;
  for (const std::string& url : urls) {
    ARROW_ASSIGN_OR_RAISE(Sheet sheet, judge.Judge(url));
    if (mistyped.ok() && IsMistyped(url, options.base)) mistyped = KeyOfArgument(url, judge.form).status();
    sheets.push_back(std::move(sheet));
  }
  ARROW_RETURN_NOT_OK(Print(context, sheets));
  ARROW_RETURN_NOT_OK(mistyped);
  return kExitDone;
}

Result<int> RunUrlFilter(VerbContext& context, const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) return UsageError("trawl check urlfilter takes RULES_FILE URL…");
  ARROW_ASSIGN_OR_RAISE(const NewCrawlOptions constants, context.Read(NewCrawlOptionGroup()));
  OptionTexts texts = context.options.texts();
  texts["urls.scope_rules"] = arguments[0];
  ARROW_ASSIGN_OR_RAISE(const CrawlScope scope, ScopeAlone(std::move(texts)));
  std::vector<Sheet> sheets;
  for (size_t i = 1; i < arguments.size(); ++i) {
    const JudgedUrl judged = JudgeUrl(scope, arguments[i], constants.normal_form, std::nullopt);
    Sheet& sheet = sheets.emplace_back();
    sheet.json() = {{"url", arguments[i]},
                    {"accept", judged.accepted()},
                    {"rule", NameOf(judged.verdict.by)},
                    {"line", judged.verdict.line},
                    {"reason", judged.text}};
    sheet.Say("url", judged.url.empty() ? arguments[i] : judged.url);
    sheet.Say("scope", judged.text);
  }
  ARROW_RETURN_NOT_OK(Print(context, sheets));
  return kExitDone;
}

}  // namespace trawl
