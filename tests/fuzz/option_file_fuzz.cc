// Input: a config file, and the same lines as the arguments of a command line. Every accepted text can be read back
// from its canonical form.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/options/command_line.h"
#include "runtime/options/file.h"
#include "runtime/options/global.h"

namespace trawl {
namespace {

struct FuzzedOptions {
  double ratio = 0.5;
  int32_t score = 0;
  int64_t delay_ms = 0;
  std::vector<std::string> items;
};

const OptionGroups& Groups() {
  static const auto group = OptionGroup<FuzzedOptions>("fuzz")
                                .Real("ratio", &FuzzedOptions::ratio, "h")
                                .Fixed("score", &FuzzedOptions::score, "h", 6)
                                .Duration("delay_ms", &FuzzedOptions::delay_ms, "h")
                                .List("items", &FuzzedOptions::items, "h");
  static const OptionGroups groups = {&GlobalOptionGroup(), &group};
  return groups;
}

void Take(const std::vector<OptionAssignment>& assignments) {
  EffectiveOptions options(Groups(), Groups());
  if (!options.Apply(OptionSource::kConfigFile, assignments).ok()) return;
  EffectiveOptions again(Groups(), Groups());
  std::vector<OptionAssignment> canonical;
  for (const auto& [name, text] : options.texts()) canonical.push_back({name, text, ""});
  if (!again.Apply(OptionSource::kConfigFile, canonical).ok() || again.texts() != options.texts()) std::abort();
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else if (c != '\0') {  // arguments of a process never contain NUL
      lines.back() += c;
    }
  }
  return lines;
}

}  // namespace
}  // namespace trawl

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = trawl::ParseOptionFile(text, "f", trawl::Groups());
  if (file.ok()) trawl::Take(*file);
  const auto line = trawl::ParseCommandLine("trawl", trawl::Groups(), trawl::Lines(text));
  if (line.ok()) trawl::Take(line->assignments);
  return 0;
}
