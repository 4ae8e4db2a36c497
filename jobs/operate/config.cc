// trawl config: the settings of a crawl, which lie in its snapshot. Every later verb takes them below its own options.
#include <algorithm>
#include <map>

#include "jobs/list/listing.h"
#include "jobs/operate/reschedule.h"
#include "jobs/policy/scope.h"
#include "jobs/refresh/refresh_rules.h"
#include "jobs/reparse/reparse.h"
#include "jobs/reparse/to_read.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/lasting.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The option of that name, which must make sense as a setting.
Result<const OptionSpec*> SettingNamed(const OptionGroups& groups, const std::string& name, const std::string& where) {
  const OptionSpec* option = FindOption(groups, name);
  const std::string text = option == nullptr ? "" : option->default_text;
  ARROW_RETURN_NOT_OK(CanonicalSetting(groups, {name, text, where}).status());
  return option;
}

Result<int> RunGet(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  const OptionGroups groups = AllGroups(Verbs());
  Json json = Json::object();
  std::string text;
  for (const auto& [name, value] : crawl->manifest().settings) {
    if (!context.arguments.empty()) continue;
    json[name] = value;
    text += name + " = " + value + "\n";
  }
  for (const std::string& name : context.arguments) {
    ARROW_ASSIGN_OR_RAISE(const OptionSpec* option, SettingNamed(groups, name, "config get " + name));
    const auto found = crawl->manifest().settings.find(name);
    const bool is_set = found != crawl->manifest().settings.end();
    json[name] = is_set ? found->second : option->default_text;
    text += name + " = " + json[name].get<std::string>() + (is_set ? "" : "   # the default") + "\n";
  }
  ARROW_ASSIGN_OR_RAISE(const bool as_listing, AsksForFormat(context));
  if (!as_listing) {
    ARROW_RETURN_NOT_OK(context.Answer(json, text));
    return kExitDone;
  }
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  const auto row = [&](const std::string& name, const std::string& value) -> Json {
    return {{"name", name}, {"value", value}, {"is_set", crawl->manifest().settings.contains(name)}};
  };
  Listing listing(
      context, format,
      {.columns = {{.member = "name"}, {.member = "value", .gives_way = true}, {.member = "is_set", .title = "set"}},
       .empty = row("", "")});
  for (const auto& [name, value] : json.items()) ARROW_RETURN_NOT_OK(listing.Add(row(name, value.get<std::string>())));
  ARROW_RETURN_NOT_OK(listing.Finish());
  return kExitDone;
}

using Settings = std::map<std::string, std::string>;

// SETTING=VALUE sets one; SETTING= removes it, even one that only a newer version knows, if it is among `there`.
// A root on this machine is used from other folders, too; the tasks of a cluster find files in their work folders, by the
// name that was given.
Result<std::string> SettingText(const OptionGroups& groups, const std::string& root, const std::string& name,
                                const std::string& text) {
  const OptionSpec* const option = FindOption(groups, name);
  const bool is_local = root.find("://") == std::string::npos;
  return option != nullptr && is_local ? WithWholePaths(*option, text) : text;
}

Result<Settings> ParseAssignments(const std::vector<std::string>& arguments, const std::string& root,
                                  const Settings& there) {
  const OptionGroups groups = AllGroups(Verbs());
  Settings out;
  for (const std::string& argument : arguments) {
    const size_t equals = argument.find('=');
    if (equals == std::string::npos)
      return UsageError("'", argument, "' is not a setting; write SETTING=VALUE, such as generate.top_n=1000");
    const std::string name = argument.substr(0, equals);
    const std::string text = argument.substr(equals + 1);
    const std::string where = "config set " + argument.substr(0, 80);
    out[name] = "";
    if (text.empty() && there.contains(name)) continue;
    ARROW_RETURN_NOT_OK(SettingNamed(groups, name, where).status());
    if (text.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(const std::string canonical, CanonicalSetting(groups, {name, text, where}));
    ARROW_ASSIGN_OR_RAISE(out[name], SettingText(groups, root, name, canonical));
  }
  return out;
}

// The rules between fields must hold for all settings together. A change that only removes settings may leave some that
// this version does not know.
Status CheckTogether(Settings settings, bool only_takes_away) {
  const OptionGroups groups = AllGroups(Verbs());
  if (only_takes_away) {
    std::erase_if(settings, [&groups](const auto& setting) { return FindOption(groups, setting.first) == nullptr; });
  }
  EffectiveOptions effective(groups, groups);
  ARROW_RETURN_NOT_OK(effective.ApplySettings(settings, "the settings"));
  const Status rules = effective.Check();
  return rules.ok() ? rules : UsageError(rules.message());
}

// What a change of the rules of URLs means for the pages that are stored, in words; `json` gets the number.
Result<std::string> ReadingText(Store* store, const VerbContext& context, Json* json) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store));
  const Result<int64_t> pages = CountToRead(store, present.manifest, context.process.stop);
  // A file of rules that is not on this machine is no reason to refuse the setting. Damage is.
  if (pages.status().IsIOError()) return pages.status();
  if (!pages.ok()) return "it is not known which stored pages are to be read again: " + pages.status().message() + "\n";
  (*json)["pages_to_read"] = *pages;
  if (*pages == 0) return "no stored page is to be read again\n";
  OptionTexts texts = ReparseOptionGroup().Print({});
  for (auto& [name, value] : texts) {
    const auto set = present.manifest.settings.find(name);
    if (set != present.manifest.settings.end()) value = set->second;
  }
  ARROW_ASSIGN_OR_RAISE(const ReparseOptions options, ReparseOptionGroup().Read(texts));
  std::string text = ReadableCount(*pages, "page") + (*pages == 1 ? " is" : " are") +
                     " to be read again, without a request; trawl reparse does it now";
  if (options.pages > 0) {
    text += ", trawl crawl and trawl round " + ReadableCount(options.pages) + " a round (reparse.pages)";
  }
  return text + "\n";
}

// A file of classes or of rules of URLs that is not here or makes no sense is refused: each later command would fail by it.
Status CheckRuleFiles(Store* store, const Manifest& present, const Settings& assignments) {
  if (const auto classes = assignments.find("refresh.rules"); classes != assignments.end()) {
    RefreshOptions options;
    options.rules = classes->second;
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadRefreshRules(options));
    const Status sound = RefreshRules::Parse(text, options.rules).status();
    if (!sound.ok()) return UsageError("config set refresh.rules: ", sound.message());
  }
  OptionTexts texts = ScopeOptionGroup().Print({});
  bool is_any = false;
  for (const auto& [name, text] : assignments) {
    const auto option = texts.find(name);
    if (option == texts.end() || text.empty()) continue;
    option->second = text;
    is_any = true;
  }
  if (!is_any) return Status::OK();
  const Status sound = ScopeOfOptions(store, present, texts).status();
  return sound.ok() || sound.IsIOError() ? sound : UsageError("config set: ", sound.message());
}

// Puts the pages that are known within the bounds of other refresh settings.
Result<std::string> RescheduleText(VerbContext& context, Json* json) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  const Result<JobResult> result = crawl->Run(context, RescheduleRequest());
  // The file of rules may be on another machine, or not be written yet.
  if (KindOf(result.status()) == StatusKind::kUsage)
    return "the pages keep their times: " + result.status().message() + "\n";
  ARROW_RETURN_NOT_OK(result.status());
  const int64_t pages = result->output.counters.Get("rescheduled");
  (*json)["rescheduled"] = pages;
  (*json)["snapshot"] = result->snapshot;
  if (pages == 0) return std::string("no page is due at another time\n");
  return ReadableCount(pages, "page") + (pages == 1 ? " has" : " have") +
         " another interval and due time, by the longest and shortest intervals of now; snapshot " +
         std::to_string(result->snapshot) + "\n";
}

Result<int> RunSet(VerbContext& context) {
  // Not Crawl::Open, which puts the settings below the verb's options: the settings may be what needs repair.
  ARROW_ASSIGN_OR_RAISE(const auto store, OpenRoot(context));
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store.get()));
  ARROW_ASSIGN_OR_RAISE(const Settings assignments,
                        ParseAssignments(context.arguments, context.global.root, present.manifest.settings));
  const bool only_takes_away =
      std::all_of(assignments.begin(), assignments.end(), [](const auto& setting) { return setting.second.empty(); });
  JobEnvironment environment;
  environment.store = store.get();
  environment.clock = &context.process.clock;
  environment.now_ms = context.global.now_ms;
  const auto change = [&](Manifest* next) -> Result<bool> {
    const Settings before = next->settings;
    for (const auto& [name, text] : assignments) {
      if (text.empty()) {
        next->settings.erase(name);
      } else {
        next->settings[name] = text;
      }
    }
    ARROW_RETURN_NOT_OK(CheckTogether(next->settings, only_takes_away));
    return next->settings != before;
  };
  ARROW_RETURN_NOT_OK(CheckRuleFiles(store.get(), present.manifest, assignments));
  ARROW_ASSIGN_OR_RAISE(const JobResult result, PublishChange(environment, "config", change));
  Json json = SummaryOf(result);
  std::string text = result.changed ? "snapshot " + std::to_string(result.snapshot) + "\n" : "nothing changed\n";
  const bool judges_links = std::any_of(assignments.begin(), assignments.end(),
                                        [](const auto& setting) { return setting.first.starts_with("urls."); });
  if (judges_links) {
    ARROW_ASSIGN_OR_RAISE(const std::string reading, ReadingText(store.get(), context, &json));
    text += reading;
  }
  if (std::any_of(assignments.begin(), assignments.end(),
                  [](const auto& setting) { return setting.first.starts_with("refresh."); })) {
    ARROW_ASSIGN_OR_RAISE(const std::string rescheduled, RescheduleText(context, &json));
    text += rescheduled;
  }
  ARROW_RETURN_NOT_OK(context.Summarize(json, text));
  return kExitDone;
}

}  // namespace

std::vector<Verb> ConfigVerbs() {
  return {
      {.name = "config get",
       .summary = "show the settings of the crawl",
       .purpose = VerbPurpose::kSteer,
       .arguments = "[SETTING…]",
       .most_arguments = kAnyNumber,
       .description = "Prints the settings that were set, or the named options with their values. `trawl config` "
                      "is short for `trawl config get`. The text is that of a config file; --format prints a listing.",
       .examples = {{"All that were set", "trawl config get"}, {"One of them", "trawl config get job.file_size"}},
       .groups = {&FormatOptionGroup(), &ReadingOptionGroup()},
       .run = RunGet},
      {.name = "config set",
       .summary = "change the settings of the crawl",
       .purpose = VerbPurpose::kSteer,
       .arguments = "SETTING=VALUE…",
       .least_arguments = 1,
       .most_arguments = kAnyNumber,
       .description = "A setting is the value of an option for all later commands on this crawl, unless the "
                      "command line, a TRAWL_… variable or a config file gives another. SETTING= removes it. "
                      "Name files with their whole path, because later commands may run in another folder.",
       .examples = {{"Table files of 64 MiB from now on", "trawl config set job.file_size=64MiB"},
                    {"Back to the default", "trawl config set job.file_size="}},
       .other_groups = {&RefreshOptionGroup(), &JobOptionGroup()},
       .run = RunSet}};
}

}  // namespace trawl
