#include "runtime/options/help.h"

#include <set>

#include "runtime/options/command_line.h"
#include "runtime/terminal/text.h"

namespace trawl {

namespace {

constexpr size_t kHelpColumn = 30;

std::string Invocation(const OptionGroups& groups, const OptionSpec& spec) {
  const std::string name = ShortestSpelling(groups, spec);
  if (spec.type.kind != OptionKind::kBool) return "--" + name + " " + spec.type.placeholder;
  if (spec.default_text == "false") return "--" + name;
  const size_t noun = name.size() - spec.noun.size();
  return "--" + name.substr(0, noun) + "[no_]" + name.substr(noun);
}

std::string OptionLines(const OptionGroups& groups, const OptionSpec& spec) {
  std::string line = "  " + Invocation(groups, spec);
  const size_t used = CountColumns(line);
  if (used + 2 > kHelpColumn) {
    line += "\n" + std::string(kHelpColumn, ' ');
  } else {
    line.append(kHelpColumn - used, ' ');
  }
  const bool shows_default = !spec.default_text.empty() && spec.type.kind != OptionKind::kBool;
  const std::string help = shows_default ? spec.help + " [" + spec.default_text + "]" : spec.help;
  return line + WrapText(help, kHelpColumns - kHelpColumn, kHelpColumn) + "\n";
}

std::string NamedHeading(const AnyOptionGroup& group) {
  if (group.prefix().empty()) return group.title() + ":\n";
  const std::string& prefix = group.prefix();
  return WrapText(group.title() + " (" + prefix + ".NAME in files, " + EnvironmentName(prefix + ".") +
                      "NAME in the environment):",
                  kHelpColumns, 0) +
         "\n";
}

std::string Legend(const std::set<OptionKind>& kinds) {
  std::string legend;
  if (kinds.contains(OptionKind::kSize)) legend += "SIZE is like 64MiB, 1.5GiB or 300KB. ";
  if (kinds.contains(OptionKind::kDuration)) legend += "TIME is like 30s, 250ms, 1h30m or 7d. ";
  if (kinds.contains(OptionKind::kTime)) legend += "WHEN is like 2026-03-01T12:00:00Z. ";
  if (kinds.contains(OptionKind::kList)) legend += "A list has commas between its items, or is given several times. ";
  return legend.empty() ? "" : WrapText(legend, kHelpColumns, 0) + "\n";
}

// A `|` ends the cell of a table.
std::string Cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string OptionsHelp(const OptionGroups& groups) {
  std::string out;
  std::set<OptionKind> kinds;
  for (const AnyOptionGroup* group : groups) {
    if (group->options().empty()) continue;
    out += NamedHeading(*group);
    for (const OptionSpec& spec : group->options()) {
      kinds.insert(spec.type.kind);
      out += OptionLines(groups, spec);
    }
    out += "\n";
  }
  return out + Legend(kinds);
}

std::string OptionsHelp(const OptionGroups& groups, const std::function<bool(const OptionSpec&)>& is_shown) {
  std::string out;
  std::set<OptionKind> kinds;
  for (const AnyOptionGroup* group : groups) {
    std::string lines;
    for (const OptionSpec& spec : group->options()) {
      if (!is_shown(spec)) continue;
      kinds.insert(spec.type.kind);
      lines += OptionLines(groups, spec);
    }
    if (!lines.empty()) out += group->title() + ":\n" + lines;
  }
  return out.empty() ? "" : out + "\n" + Legend(kinds);
}

std::string OptionsMarkdown(const AnyOptionGroup& group) {
  std::string out = "| option | may be | default | what it is |\n|---|---|---|---|\n";
  for (const OptionSpec& spec : group.options()) {
    const std::string shown_default = spec.default_text.empty() ? "" : "`" + Cell(spec.default_text) + "`";
    out += "| `" + spec.name + "` | " + Cell(DescribeAllowed(spec.type)) + " | " + shown_default + " | " +
           Cell(spec.help) + " |\n";
  }
  return out;
}

}  // namespace trawl
