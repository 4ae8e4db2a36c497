#include "jobs/signals/respect.h"

#include "jobs/signals/signals.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr char kNothing[] = "none";

std::string AllNames() {
  std::string names;
  for (const char* const name : kSignalNames) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

Status CheckNames(const RespectOptions& options) {
  for (const std::string& name : options.respect) {
    if (name == kNothing && options.respect.size() == 1) continue;
    if (SignalNamed(name) != 0) continue;
    return UsageError("signals.respect '", name.substr(0, 80), "': write none, or one or more of ", AllNames());
  }
  return Status::OK();
}

}  // namespace

const OptionGroup<RespectOptions>& RespectOptionGroup() {
  static const auto group =
      OptionGroup<RespectOptions>("signals", "What pages ask of those who use them")
          .List("respect", &RespectOptions::respect,
                "leave pages that ask for one of these out of exports: " + AllNames() + "; or none", "SIGNAL")
          .Main()
          .Must(CheckNames);
  return group;
}

Respect Respect::Of(const RespectOptions& options) {
  Respect respect;
  for (const std::string& name : options.respect) respect.respected_ |= SignalNamed(name);
  return respect;
}

const char* Respect::LeftOutBy(int32_t signals) const {
  for (size_t bit = 0; bit < std::size(kSignalNames); ++bit) {
    if ((signals & respected_) >> bit & 1) return kSignalNames[bit];
  }
  return nullptr;
}

std::string Respect::Text() const { return respected_ == 0 ? kNothing : SignalsText(respected_); }

int32_t PageSignals(const UrlRow& row, const ParseRow* parsed, int32_t of_robots, int64_t now_ms) {
  int32_t signals = HoldingSignals(row.signals) | of_robots;
  if (parsed == nullptr) return signals;
  if (!AreSignalsKnown(row.signals)) signals |= SignalsOf(*parsed);
  const bool is_over = parsed->unavailable_after_ms != 0 && parsed->unavailable_after_ms <= now_ms;
  return is_over ? signals | SignalNamed("noindex") : signals;
}

}  // namespace trawl
