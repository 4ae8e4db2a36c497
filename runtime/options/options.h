// The door of runtime/options: one table that binds the fields of a struct to names, and everything derived from it.
//
// To have options, declare a struct whose initialisers are the defaults, and a group that names its fields:
//
//   struct ShuffleOptions { int64_t memory_bytes = 1 << 30; int32_t partitions = 0; };
//
//   const OptionGroup<ShuffleOptions>& ShuffleOptionGroup() {
//     static const auto group = OptionGroup<ShuffleOptions>("shuffle", "Sorting and grouping")
//         .Size("memory", &ShuffleOptions::memory_bytes, "memory of the sort buffers", AtLeast(1 << 20))
//         .Int("partitions", &ShuffleOptions::partitions, "parts; 0 is as many as threads", Between(0, 4096))
//         .Main();
//     return group;
//   }
//
// Main() marks an option that most users want to set: the short help shows it, and `--help all` shows everything.
//
// Groups feed the command line, the config file, TRAWL_… variables, the crawl's settings (runtime/options/resolve.h),
// the help text and the docs page (runtime/options/help.h), and the plan, from whose texts a task reads its struct with
// Read. An option's full name is `prefix.noun` ("shuffle.memory"); in a group without prefix it is the noun ("root").
//
// A group is immutable once built, and then safe for any thread.
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/options/type.h"

namespace trawl {

// Full name → canonical text: the form of the plan and of the crawl's settings.
using OptionTexts = std::map<std::string, std::string>;

struct OptionSpec {
  std::string name = {};  // full
  std::string noun = {};  // without the prefix
  std::string help = {};
  OptionType type = {};
  std::string default_text = {};
  // The short help of a verb that is about this group shows it.
  bool is_main = false;
  // Both take the address of the group's struct.
  std::function<OptionValue(const void*)> get = {};
  std::function<void(void*, const OptionValue&)> set = {};
};

// Both ends inclusive, in the unit of the field.
template <typename N>
struct Range {
  N min = std::numeric_limits<N>::lowest();
  N max = std::numeric_limits<N>::max();
};
inline Range<int64_t> AtLeast(int64_t min) { return {.min = min}; }
inline Range<int64_t> Between(int64_t min, int64_t max) { return {.min = min, .max = max}; }

// The part of a group that does not know its struct.
class AnyOptionGroup {
 public:
  virtual ~AnyOptionGroup() = default;
  const std::string& prefix() const { return prefix_; }
  // One line for the help text: the subject of these options.
  const std::string& title() const { return title_; }
  const std::vector<OptionSpec>& options() const { return options_; }
  // Reads the struct and drops it: OK where `texts` makes sense for this group as a whole.
  virtual arrow::Status Check(const OptionTexts& texts) const = 0;

 protected:
  AnyOptionGroup(std::string prefix, std::string title) : prefix_(std::move(prefix)), title_(std::move(title)) {}
  void Add(OptionSpec spec, const void* defaults);
  // REQUIRES: `first` is the index of an option, or the number of them.
  void MarkMain(size_t first);
  arrow::Status ReadInto(const OptionTexts& texts, void* object) const;
  void PrintInto(const void* object, OptionTexts* texts) const;

 private:
  std::string prefix_;
  std::string title_;
  std::vector<OptionSpec> options_;
};

template <typename T>
class OptionGroup : public AnyOptionGroup {
 public:
  using Text = std::string_view;

  explicit OptionGroup(Text prefix, Text title = "") : AnyOptionGroup(std::string(prefix), std::string(title)) {}

  OptionGroup& Bool(Text noun, bool T::*field, Text help) {
    return Bind(noun, field, help, {.kind = OptionKind::kBool});
  }

  template <std::signed_integral I>
  OptionGroup& Int(Text noun, I T::*field, Text help, Range<int64_t> range = {}, Text placeholder = "N") {
    return Whole(noun, field, help, OptionKind::kInt, range, placeholder);
  }
  // Bytes. A noun that ends in `_bytes` also takes bare numbers.
  template <std::signed_integral I>
  OptionGroup& Size(Text noun, I T::*field, Text help, Range<int64_t> range = {.min = 0}) {
    return Whole(noun, field, help, OptionKind::kSize, range, "SIZE");
  }
  // Milliseconds. A noun that ends in `_ms` or `_seconds` also takes bare numbers of that unit.
  template <std::signed_integral I>
  OptionGroup& Duration(Text noun, I T::*field, Text help, Range<int64_t> range = {.min = 0}) {
    return Whole(noun, field, help, OptionKind::kDuration, range, "TIME");
  }
  // A decimal number kept as an integer of 10^-decimals; `range` applies to the integer.
  template <std::signed_integral I>
  OptionGroup& Fixed(Text noun, I T::*field, Text help, int decimals, Range<int64_t> range = {}) {
    return Whole(noun, field, help, OptionKind::kFixed, range, "X", decimals);
  }
  // kNoTime where nobody sets a time.
  OptionGroup& Time(Text noun, TimeMs T::*field, Text help) {
    return Bind(noun, field, help, {.kind = OptionKind::kTime, .placeholder = "WHEN"});
  }
  OptionGroup& Real(Text noun, double T::*field, Text help, Range<double> range = {}) {
    return Bind(noun, field, help,
                {.kind = OptionKind::kReal, .real_min = range.min, .real_max = range.max, .placeholder = "X"});
  }
  OptionGroup& String(Text noun, std::string T::*field, Text help, Text placeholder = "TEXT") {
    return Bind(noun, field, help, {.kind = OptionKind::kText, .placeholder = std::string(placeholder)});
  }
  OptionGroup& List(Text noun, std::vector<std::string> T::*field, Text help, Text placeholder = "TEXT") {
    return Bind(noun, field, help, {.kind = OptionKind::kList, .placeholder = std::string(placeholder)});
  }
  template <typename E>
    requires std::is_enum_v<E>
  OptionGroup& Choice(Text noun, E T::*field, Text help, const std::vector<std::pair<std::string, E>>& choices) {
    OptionType type{.kind = OptionKind::kChoice};
    for (const auto& [name, value] : choices) {
      type.choices.push_back({name, static_cast<int64_t>(value)});
      type.placeholder += (type.placeholder.empty() ? "" : "|") + name;
    }
    return Bind(noun, field, help, std::move(type));
  }

  // Marks the option that was added last.
  OptionGroup& Main() {
    MarkMain(options().size() - 1);
    return *this;
  }
  // Marks every option that was added so far.
  OptionGroup& AllMain() {
    MarkMain(0);
    return *this;
  }

  // A rule between fields. A failure's message names the options. Called whenever the struct is read.
  OptionGroup& Must(std::function<arrow::Status(const T&)> rule) {
    rules_.push_back(std::move(rule));
    return *this;
  }

  // Reads the struct from the texts of a plan or of the effective options and nothing else. Invalid where a text is
  // missing or makes no sense, or has this group's prefix and an unknown name.
  arrow::Result<T> Read(const OptionTexts& texts) const {
    T object{};
    ARROW_RETURN_NOT_OK(ReadInto(texts, &object));
    for (const auto& rule : rules_) ARROW_RETURN_NOT_OK(rule(object));
    return object;
  }
  // The inverse, for a struct that code has filled.
  OptionTexts Print(const T& object) const {
    OptionTexts texts;
    PrintInto(&object, &texts);
    return texts;
  }
  arrow::Status Check(const OptionTexts& texts) const override { return Read(texts).status(); }

 private:
  template <typename I>
  OptionGroup& Whole(Text noun, I T::*field, Text help, OptionKind kind, Range<int64_t> range, Text placeholder,
                     int decimals = 0) {
    const int64_t lowest = std::numeric_limits<I>::lowest(), highest = std::numeric_limits<I>::max();
    return Bind(noun, field, help,
                {.kind = kind,
                 .min = range.min < lowest ? lowest : range.min,
                 .max = range.max > highest ? highest : range.max,
                 .decimals = decimals,
                 .placeholder = std::string(placeholder)});
  }

  template <typename F>
  OptionGroup& Bind(Text noun, F T::*field, Text help, OptionType type) {
    // How a field is kept in an OptionValue: integers and enumerations as int64_t, everything else as itself.
    constexpr bool kIsWhole = (std::is_integral_v<F> && !std::is_same_v<F, bool>) || std::is_enum_v<F>;
    using Stored = std::conditional_t<kIsWhole, int64_t, F>;
    OptionSpec spec{.noun = std::string(noun), .help = std::string(help), .type = std::move(type)};
    spec.get = [field](const void* object) {
      return OptionValue(static_cast<Stored>(static_cast<const T*>(object)->*field));
    };
    spec.set = [field](void* object, const OptionValue& value) {
      static_cast<T*>(object)->*field = static_cast<F>(std::get<Stored>(value));
    };
    const T defaults{};
    Add(std::move(spec), &defaults);
    return *this;
  }

  std::vector<std::function<arrow::Status(const T&)>> rules_;
};

}  // namespace trawl
