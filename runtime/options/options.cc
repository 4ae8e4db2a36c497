#include "runtime/options/options.h"

#include <algorithm>

namespace trawl {

using arrow::Status;

namespace {

bool EndsWith(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The unit in a noun is a promise: only with it does a bare number mean something.
int64_t BareUnit(OptionKind kind, const std::string& noun) {
  if (kind == OptionKind::kSize) return EndsWith(noun, "_bytes") ? 1 : 0;
  if (kind != OptionKind::kDuration) return 0;
  if (EndsWith(noun, "_ms")) return 1;
  return EndsWith(noun, "_seconds") ? 1000 : 0;
}

bool BelongsTo(const std::string& prefix, const std::string& name) {
  const size_t dot = name.find('.');
  return prefix == (dot == std::string::npos ? "" : name.substr(0, dot));
}

}  // namespace

void AnyOptionGroup::Add(OptionSpec spec, const void* defaults) {
  spec.name = prefix_.empty() ? spec.noun : prefix_ + "." + spec.noun;
  spec.type.bare_unit = BareUnit(spec.type.kind, spec.noun);
  spec.default_text = PrintOptionValue(spec.type, spec.get(defaults));
  options_.push_back(std::move(spec));
}

void AnyOptionGroup::MarkMain(size_t first) {
  for (size_t i = first; i < options_.size(); ++i) options_[i].is_main = true;
}

Status AnyOptionGroup::ReadInto(const OptionTexts& texts, void* object) const {
  for (const OptionSpec& spec : options_) {
    const auto found = texts.find(spec.name);
    if (found == texts.end()) return Status::Invalid("option ", spec.name, " is missing");
    auto value = ParseOptionText(spec.type, found->second);
    if (!value.ok()) return value.status().WithMessage("option ", spec.name, ": ", value.status().message());
    spec.set(object, *value);
  }
  for (const auto& [name, text] : texts) {
    const auto has_name = [&name = name](const OptionSpec& spec) { return spec.name == name; };
    const bool is_known = std::any_of(options_.begin(), options_.end(), has_name);
    // Several groups may have no prefix; an unknown name without prefix may belong to another group.
    if (!is_known && !prefix_.empty() && BelongsTo(prefix_, name))
      return Status::Invalid("option ", name, " is unknown");
  }
  return Status::OK();
}

void AnyOptionGroup::PrintInto(const void* object, OptionTexts* texts) const {
  for (const OptionSpec& spec : options_) (*texts)[spec.name] = PrintOptionValue(spec.type, spec.get(object));
}

}  // namespace trawl
