#include "jobs/policy/scope.h"

#include <memory>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/seed_host_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "runtime/process/read_file.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kIgnored[] = "urls.ignored_parameters";
constexpr char kLearned[] = "learned";
constexpr size_t kMostLearnedRules = 10'000;
constexpr int64_t kMaxInputBytes = int64_t{256} << 20;

// The options that name lists, with the kind of each list. A plan stores their numbers in this table.
struct ListOption {
  const char* name;
  UrlList::Kind kind;
  bool deny;
  std::vector<std::string> ScopeOptions::*files;
};
constexpr ListOption kListOptions[] = {
    {"urls.allow_hosts", UrlList::Kind::kHosts, false, &ScopeOptions::allow_hosts},
    {"urls.allow_domains", UrlList::Kind::kDomains, false, &ScopeOptions::allow_domains},
    {"urls.allow_prefixes", UrlList::Kind::kPrefixes, false, &ScopeOptions::allow_prefixes},
    {"urls.allow_suffixes", UrlList::Kind::kSuffixes, false, &ScopeOptions::allow_suffixes},
    {"urls.deny_hosts", UrlList::Kind::kHosts, true, &ScopeOptions::deny_hosts},
    {"urls.deny_domains", UrlList::Kind::kDomains, true, &ScopeOptions::deny_domains},
    {"urls.deny_prefixes", UrlList::Kind::kPrefixes, true, &ScopeOptions::deny_prefixes},
    {"urls.deny_suffixes", UrlList::Kind::kSuffixes, true, &ScopeOptions::deny_suffixes},
};

Result<std::string> ReadOptionFile(const std::string& option, const std::string& path) {
  Result<std::string> text = ReadLocalFile(path, kMaxInputBytes);
  if (!text.ok()) return UsageError("--", option, " ", text.status().message());
  return text;
}

// Stores the files of a plan's scope as inputs of its job, numbered from `first`.
class InputWriter {
 public:
  InputWriter(Store* store, Plan* plan, int first) : store_(store), plan_(plan), next_(first) {}

  Result<Json> Add(const std::string& file, const std::string& text) {
    const std::string path = JobInputPath(plan_->job, next_);
    ARROW_ASSIGN_OR_RAISE(const CreateOutcome outcome, store_->CreateExclusive(path, text));
    if (outcome != CreateOutcome::kCreated) return Status::IOError(path, ": exists already");
    return Json{{"file", file}, {"input", next_++}};
  }

 private:
  Store* store_;
  Plan* plan_;
  int next_;
};

// Collects what judges links, for a hash: numbers and texts in a fixed order.
class PolicyHash {
 public:
  explicit PolicyHash(const ScopeOptions& options) : most_depth_(options.depth) {
    Add(NameOf(options.scope));
    for (const int32_t limit : {options.max_bytes, options.max_parameters, options.repeated_segments})
      Add(std::to_string(limit));
  }
  // The text of a file that an option names.
  void AddFile(std::string_view option, std::string_view text) {
    Add(option);
    Add(text);
  }
  ReadPolicy policy() const { return {static_cast<int64_t>(Hash64(all_)), most_depth_}; }

 private:
  void Add(std::string_view text) { all_ += std::to_string(text.size()) + ":" + std::string(text); }

  const int32_t most_depth_;
  std::string all_;
};

Result<std::string> ReadInput(Store* store, const Plan& plan, const Json& entry) {
  ARROW_ASSIGN_OR_RAISE(const int64_t number, GetInt(entry, "input"));
  return store->ReadWhole(JobInputPath(plan.job, static_cast<int>(number)), kMaxInputBytes);
}

Result<std::vector<std::string>> ReadLearnedRules(Store* store, const Manifest& snapshot) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<PatternRow>(store, snapshot));
  std::vector<std::string> rules;
  ARROW_RETURN_NOT_OK(ForEachRow<PatternRow>(
      std::move(table), {.wanted = Columns<PatternRow>({"key", "is_ignored"}).Flags()}, [&](const PatternRow& row) {
        if (row.is_ignored && IsLearnedRule(row.key) && rules.size() < kMostLearnedRules) rules.push_back(row.key);
        return Status::OK();
      }));
  return rules;
}

Status AddLearnedRules(const Json& scope, IgnoredParameters* ignored) {
  if (!HasMember(scope, kLearned)) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> rules, GetStrings(scope, kLearned));
  for (const std::string& rule : rules) {
    if (!IsLearnedRule(rule)) return Status::Invalid("'", rule, "' is no rule for a parameter");
    ignored->AddLearned(rule);
  }
  return Status::OK();
}

Status AddLists(Store* store, const Plan& plan, const Json& scope, CrawlScopeOptions* wanted) {
  ARROW_ASSIGN_OR_RAISE(const Json* lists, GetArray(scope, "lists"));
  for (const Json& entry : *lists) {
    ARROW_ASSIGN_OR_RAISE(const int64_t option, GetInt(entry, "option"));
    ARROW_ASSIGN_OR_RAISE(const std::string file, GetString(entry, "file"));
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadInput(store, plan, entry));
    const ListOption& kind = kListOptions[static_cast<size_t>(option)];
    ARROW_ASSIGN_OR_RAISE(UrlList list, UrlList::Parse(kind.kind, text, file));
    (kind.deny ? wanted->deny : wanted->allow).push_back(std::move(list));
  }
  if (HasMember(scope, "ignored")) {
    ARROW_ASSIGN_OR_RAISE(const Json* ignored, GetObject(scope, "ignored"));
    ARROW_ASSIGN_OR_RAISE(const std::string name, GetString(*ignored, "file"));
    ARROW_ASSIGN_OR_RAISE(const std::string lines, ReadInput(store, plan, *ignored));
    ARROW_ASSIGN_OR_RAISE(wanted->ignored, IgnoredParameters::Parse(lines, name));
  }
  ARROW_RETURN_NOT_OK(AddLearnedRules(scope, &wanted->ignored));
  if (!HasMember(scope, "rules")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const Json* rules, GetObject(scope, "rules"));
  ARROW_ASSIGN_OR_RAISE(const std::string file, GetString(*rules, "file"));
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadInput(store, plan, *rules));
  ARROW_ASSIGN_OR_RAISE(wanted->rules, UrlRules::Parse(text, file));
  return Status::OK();
}

}  // namespace

const OptionGroup<ScopeOptions>& ScopeOptionGroup() {
  static const auto group =
      OptionGroup<ScopeOptions>("urls", "Which URLs the crawl takes")
          .Choice("scope", &ScopeOptions::scope,
                  "follow links to the seeds' hosts, to their registrable domains, or anywhere",
                  {{"host", UrlScope::kHost}, {"domain", UrlScope::kDomain}, {"any", UrlScope::kAny}})
          .Main()
          .String("scope_rules", &ScopeOptions::scope_rules, "lines +REGEX or -REGEX; the first match decides", "FILE")
          .Main()
          .Int("depth", &ScopeOptions::depth, "most links between a seed and a page", Between(0, 10'000))
          .Main()
          .Size("max_bytes", &ScopeOptions::max_bytes, "refuse longer URLs", Between(16, 2048))
          .Int("max_parameters", &ScopeOptions::max_parameters, "refuse URLs with more parameters in the query",
               Between(0, 1000))
          .Int("repeated_segments", &ScopeOptions::repeated_segments,
               "refuse URLs whose path repeats a segment, or a group of them, N times in succession; 0 refuses none",
               Between(0, 100))
          .String("ignored_parameters", &ScopeOptions::ignored_parameters,
                  "lines HOST PARAM: links to the host lead to the URL without this parameter (trawl host HOST "
                  "--suggest)",
                  "FILE")
          .Bool("learn_parameters", &ScopeOptions::learn_parameters,
                "settle learns which parameters change nothing, and links lead to the URL without them, as if what "
                "--suggest says were in ignored_parameters; trawl host HOST --clear patterns takes it back")
          .List("allow_hosts", &ScopeOptions::allow_hosts, "take only these hosts; the file has one per line", "FILE")
          .List("allow_domains", &ScopeOptions::allow_domains, "take only these domains and everything below them",
                "FILE")
          .List("allow_prefixes", &ScopeOptions::allow_prefixes, "take only URLs that begin with one of these lines",
                "FILE")
          .List("allow_suffixes", &ScopeOptions::allow_suffixes,
                "take only URLs whose path ends with one of these lines", "FILE")
          .List("deny_hosts", &ScopeOptions::deny_hosts, "refuse these hosts", "FILE")
          .List("deny_domains", &ScopeOptions::deny_domains, "refuse these domains and everything below them", "FILE")
          .List("deny_prefixes", &ScopeOptions::deny_prefixes, "refuse URLs that begin with one of these lines", "FILE")
          .List("deny_suffixes", &ScopeOptions::deny_suffixes, "refuse URLs whose path ends with one of these lines",
                "FILE")
          .Must([](const ScopeOptions& options) {
            if (options.repeated_segments != 1) return Status::OK();
            return UsageError("--urls.repeated_segments 1 would refuse every URL; use 2 or more, or 0 to refuse none");
          });
  return group;
}

namespace {

// Stores the files that the options name as inputs of the job, from number `first` on. Returns what the plan keeps of it.
Result<Json> StoreScope(Store* store, const ScopeOptions& options, int first, Plan* plan) {
  InputWriter inputs(store, plan, first);
  PolicyHash hash(options);
  Json scope = {{"lists", Json::array()}};
  for (size_t i = 0; i < std::size(kListOptions); ++i) {
    const ListOption& option = kListOptions[i];
    for (const std::string& file : options.*option.files) {
      ARROW_ASSIGN_OR_RAISE(const std::string text, ReadOptionFile(option.name, file));
      ARROW_RETURN_NOT_OK(UrlList::Parse(option.kind, text, file).status());
      ARROW_ASSIGN_OR_RAISE(Json entry, inputs.Add(file, text));
      entry["option"] = i;
      scope["lists"].push_back(std::move(entry));
      hash.AddFile(option.name, text);
    }
  }
  if (!options.scope_rules.empty()) {
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadOptionFile("urls.scope_rules", options.scope_rules));
    ARROW_RETURN_NOT_OK(UrlRules::Parse(text, options.scope_rules).status());
    ARROW_ASSIGN_OR_RAISE(scope["rules"], inputs.Add(options.scope_rules, text));
    hash.AddFile("urls.scope_rules", text);
  }
  if (!options.ignored_parameters.empty()) {
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadOptionFile(kIgnored, options.ignored_parameters));
    ARROW_RETURN_NOT_OK(IgnoredParameters::Parse(text, options.ignored_parameters).status());
    ARROW_ASSIGN_OR_RAISE(scope["ignored"], inputs.Add(options.ignored_parameters, text));
    hash.AddFile(kIgnored, text);
  }
  scope["policy"] = ToJson(hash.policy());
  return scope;
}

}  // namespace

Status PlanScope(Store* store, Plan* plan) {
  ARROW_ASSIGN_OR_RAISE(const ScopeOptions options, ScopeOptionGroup().Read(plan->options));
  ARROW_ASSIGN_OR_RAISE(plan->facts["scope"], StoreScope(store, options, 0, plan));
  return Status::OK();
}

Status PlanLearnedRules(Store* store, const Manifest& snapshot, Plan* plan) {
  ARROW_ASSIGN_OR_RAISE(const ScopeOptions options, ScopeOptionGroup().Read(plan->options));
  if (!options.learn_parameters) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(plan->facts["scope"][kLearned], ReadLearnedRules(store, snapshot));
  return Status::OK();
}

Status PlanOtherScope(Store* store, const OptionTexts& texts, Plan* plan) {
  ARROW_ASSIGN_OR_RAISE(const ScopeOptions options, ScopeOptionGroup().Read(texts));
  ARROW_ASSIGN_OR_RAISE(Json scope, StoreScope(store, options, InputsOfScope(*plan), plan));
  Json& kept = scope["options"] = Json::object();
  for (const OptionSpec& option : ScopeOptionGroup().options()) kept[option.name] = texts.at(option.name);
  plan->facts["other_scope"] = std::move(scope);
  return Status::OK();
}

Result<ReadPolicy> ReadPolicyOfPlan(const Plan& plan) {
  ARROW_ASSIGN_OR_RAISE(const Json* scope, GetObject(plan.facts, "scope"));
  ARROW_ASSIGN_OR_RAISE(const Json* policy, GetObject(*scope, "policy"));
  return ReadPolicyFromJson(*policy);
}

Result<ReadPolicy> ReadPolicyOfOptions(const OptionTexts& texts) {
  ARROW_ASSIGN_OR_RAISE(const ScopeOptions options, ScopeOptionGroup().Read(texts));
  PolicyHash hash(options);
  for (const ListOption& option : kListOptions) {
    for (const std::string& file : options.*option.files) {
      ARROW_ASSIGN_OR_RAISE(const std::string text, ReadOptionFile(option.name, file));
      hash.AddFile(option.name, text);
    }
  }
  if (!options.scope_rules.empty()) {
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadOptionFile("urls.scope_rules", options.scope_rules));
    hash.AddFile("urls.scope_rules", text);
  }
  if (!options.ignored_parameters.empty()) {
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadOptionFile(kIgnored, options.ignored_parameters));
    hash.AddFile(kIgnored, text);
  }
  return hash.policy();
}

int InputsOfScope(const Plan& plan) {
  const Json& scope = plan.facts.at("scope");
  return static_cast<int>(scope.at("lists").size()) + (HasMember(scope, "rules") ? 1 : 0) +
         (HasMember(scope, "ignored") ? 1 : 0);
}

namespace {

// Adds limits and the seeds' hosts to `wanted`, which has lists and rules.
Result<CrawlScope> MakeScope(Store* store, const Manifest& snapshot, const ScopeOptions& options,
                             CrawlScopeOptions wanted) {
  wanted.max_url_bytes = static_cast<size_t>(options.max_bytes);
  wanted.max_parameters = static_cast<size_t>(options.max_parameters);
  wanted.repeated_segments = static_cast<size_t>(options.repeated_segments);
  wanted.max_depth = static_cast<uint32_t>(options.depth);
  if (options.scope != UrlScope::kAny) {
    ARROW_ASSIGN_OR_RAISE(auto seeds, Table::Open<SeedHostRow>(store, snapshot));
    ARROW_RETURN_NOT_OK(ForEachRow<SeedHostRow>(std::move(seeds), {}, [&wanted](const SeedHostRow& row) {
      wanted.scope_hosts.push_back(HostOfKey(row.key));
      return Status::OK();
    }));
    // Without a seed there are no URLs to judge, either.
    wanted.scope = wanted.scope_hosts.empty() ? UrlScope::kAny : options.scope;
  }
  return CrawlScope::Make(std::move(wanted));
}

}  // namespace

Result<CrawlScope> ScopeOfOptions(Store* store, const Manifest& snapshot, const OptionTexts& texts) {
  ARROW_ASSIGN_OR_RAISE(const ScopeOptions options, ScopeOptionGroup().Read(texts));
  CrawlScopeOptions wanted;
  for (const ListOption& option : kListOptions) {
    for (const std::string& file : options.*option.files) {
      ARROW_ASSIGN_OR_RAISE(const std::string text, ReadOptionFile(option.name, file));
      ARROW_ASSIGN_OR_RAISE(UrlList list, UrlList::Parse(option.kind, text, file));
      (option.deny ? wanted.deny : wanted.allow).push_back(std::move(list));
    }
  }
  if (!options.scope_rules.empty()) {
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadOptionFile("urls.scope_rules", options.scope_rules));
    ARROW_ASSIGN_OR_RAISE(wanted.rules, UrlRules::Parse(text, options.scope_rules));
  }
  if (!options.ignored_parameters.empty()) {
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadOptionFile(kIgnored, options.ignored_parameters));
    ARROW_ASSIGN_OR_RAISE(wanted.ignored, IgnoredParameters::Parse(text, options.ignored_parameters));
  }
  if (options.learn_parameters && store != nullptr) {
    ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> rules, ReadLearnedRules(store, snapshot));
    for (const std::string& rule : rules) wanted.ignored.AddLearned(rule);
  }
  return MakeScope(store, snapshot, options, std::move(wanted));
}

Result<CrawlScope> ScopeOfPlan(Store* store, const Manifest& snapshot, const Plan& plan) {
  ARROW_ASSIGN_OR_RAISE(const ScopeOptions options, ScopeOptionGroup().Read(plan.options));
  ARROW_ASSIGN_OR_RAISE(const Json* scope, GetObject(plan.facts, "scope"));
  CrawlScopeOptions wanted;
  ARROW_RETURN_NOT_OK(AddLists(store, plan, *scope, &wanted));
  return MakeScope(store, snapshot, options, std::move(wanted));
}

Result<CrawlScope> OtherScopeOfPlan(Store* store, const Manifest& snapshot, const Plan& plan) {
  ARROW_ASSIGN_OR_RAISE(const Json* scope, GetObject(plan.facts, "other_scope"));
  ARROW_ASSIGN_OR_RAISE(const Json* kept, GetObject(*scope, "options"));
  OptionTexts texts;
  for (const auto& [name, text] : kept->items()) texts[name] = text.get<std::string>();
  ARROW_ASSIGN_OR_RAISE(const ScopeOptions options, ScopeOptionGroup().Read(texts));
  CrawlScopeOptions wanted;
  ARROW_RETURN_NOT_OK(AddLists(store, plan, *scope, &wanted));
  return MakeScope(store, snapshot, options, std::move(wanted));
}

Result<CrawlScope> SeedScopeOfPlan(Store* store, const Plan& plan) {
  Plan of_any = plan;
  of_any.options["urls.scope"] = NameOf(UrlScope::kAny);
  return ScopeOfPlan(store, Manifest(), of_any);
}

}  // namespace trawl
