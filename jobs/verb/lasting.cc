#include "jobs/verb/lasting.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/signals/respect.h"
#include "jobs/verb/job_options.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Options that are given when a crawl is made hold for it from then on: every later verb takes them as settings.
OptionGroups LastingGroups() {
  return {&ScopeOptionGroup(),   &FetchOptionGroup(),   &RobotsOptionGroup(), &RefreshOptionGroup(),
          &SitemapOptionGroup(), &RespectOptionGroup(), &SettleOptionGroup()};
}

}  // namespace

Result<std::string> WithWholePaths(const OptionSpec& option, const std::string& text) {
  if (option.type.placeholder != "FILE") return text;
  ARROW_ASSIGN_OR_RAISE(OptionValue value, ParseOptionText(option.type, text));
  const auto make_whole = [](std::string& path) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(path, error);
    if (!path.empty() && !error) path = whole.lexically_normal().string();
  };
  if (auto* const path = std::get_if<std::string>(&value)) make_whole(*path);
  if (auto* const paths = std::get_if<std::vector<std::string>>(&value)) {
    std::for_each(paths->begin(), paths->end(), make_whole);
  }
  return PrintOptionValue(option.type, value);
}

namespace {

using Settings = std::map<std::string, std::string>;

// The quotas that a source above `least` has given.
Settings QuotasFrom(const VerbContext& context, OptionSource least) {
  Settings given;
  const OptionTexts texts = context.options.texts();
  for (const std::string& name : QuotaOptionNames()) {
    if (context.options.SourceOf(name) > least) given[name] = texts.at(name);
  }
  return given;
}

std::string DefaultOf(const std::string& name) {
  const OptionSpec* const option = FindOption({&GenerateOptionGroup()}, name);
  return option == nullptr ? "" : option->default_text;
}

void SayKept(VerbContext& context, const Settings& kept) {
  if (kept.empty() || context.global.quiet) return;
  std::string text;
  for (const auto& [name, value] : kept) text += (text.empty() ? "" : ", ") + name + "=" + value;
  context.process.err << "kept as a setting of the crawl: " << text << " (trawl config set NAME= undoes it)\n"
                      << std::flush;
}

}  // namespace

Status KeepFirstSettings(VerbContext& context, Crawl& crawl) {
  const Settings quotas = QuotasFrom(context, OptionSource::kSettings);
  Settings asked = quotas;
  const OptionTexts texts = context.options.texts();
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  // Tasks on a cluster find files in their work folders, by the name that was given.
  const bool is_local = job.runner == RunnerKind::kLocal;
  for (const AnyOptionGroup* group : LastingGroups()) {
    for (const OptionSpec& option : group->options()) {
      const OptionSource source = context.options.SourceOf(option.name);
      if (source <= OptionSource::kSettings) continue;
      std::string& text = asked[option.name] = texts.at(option.name);
      if (is_local) {
        ARROW_ASSIGN_OR_RAISE(text, WithWholePaths(option, text));
      }
    }
  }
  if (asked.empty()) return Status::OK();
  const auto change = [&asked](Manifest* next) -> Result<bool> {
    next->settings.insert(asked.begin(), asked.end());
    return true;
  };
  ARROW_RETURN_NOT_OK(crawl.Change(context, "config", change).status());
  SayKept(context, quotas);
  return Status::OK();
}

Status KeepQuotas(VerbContext& context, Crawl& crawl) {
  const Settings given = QuotasFrom(context, OptionSource::kSettings);
  if (given.empty()) return Status::OK();
  Settings changed;
  const auto change = [&](Manifest* next) -> Result<bool> {
    changed.clear();
    for (const auto& [name, text] : given) {
      const auto there = next->settings.find(name);
      if (text == (there == next->settings.end() ? DefaultOf(name) : there->second)) continue;
      next->settings[name] = changed[name] = text;
    }
    return !changed.empty();
  };
  ARROW_RETURN_NOT_OK(crawl.Change(context, "config", change).status());
  SayKept(context, changed);
  return Status::OK();
}

}  // namespace trawl
