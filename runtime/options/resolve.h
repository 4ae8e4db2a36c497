// Finds where an option's value comes from: the command line takes precedence, then a TRAWL_… variable, the config
// file, the settings of the crawl, the default. Every name and text is checked, also in a source that a higher one
// overrides.
//
// Start at ResolveOptions. All errors here are UsageErrors that say where the text stood and what to write instead.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/options/options.h"

namespace trawl {

// In order of precedence, lowest first.
enum class OptionSource { kDefault, kSettings, kConfigFile, kEnvironment, kCommandLine };

using OptionGroups = std::vector<const AnyOptionGroup*>;

// One option set by one source. `where` names the place for error messages: "--depth", "TRAWL_DEPTH", "trawl.ini:12".
struct OptionAssignment {
  std::string name;  // full
  std::string text;
  std::string where;
};

// The options of a verb, each with its effective text. They only point to the groups, which live as long as the
// process.
class EffectiveOptions {
 public:
  // Everything at its default. `groups` are those of the verb, `known` are all groups.
  EffectiveOptions(OptionGroups groups, OptionGroups known);

  // Takes the assignments for every option that no higher source has set; checks and then ignores assignments of known
  // options that this verb does not have. Several assignments of a list are joined; of any other option the last
  // counts.
  arrow::Status Apply(OptionSource source, const std::vector<OptionAssignment>& assignments);
  // Applies the settings of the crawl. `where` names the crawl: "settings of snapshot 42". A setting without an option
  // comes from a newer version; it is Invalid, not a UsageError, because nobody typed it.
  arrow::Status ApplySettings(const OptionTexts& settings, const std::string& where);
  // Replaces the text of an option, keeping its source: for a default that is only known at run time.
  void FillIn(const OptionTexts& texts);

  // Whether the group is one of the verb's.
  bool Has(const AnyOptionGroup* group) const {
    return std::find(groups_.begin(), groups_.end(), group) != groups_.end();
  }

  template <typename T>
  arrow::Result<T> Read(const OptionGroup<T>& group) const {
    return group.Read(texts());
  }
  // Checks the rules between fields, for every group.
  arrow::Status Check() const;

  // Every effective value, as a plan records them. (An option that is a secret would have to be left out here; no
  // option is.)
  OptionTexts texts() const;
  // REQUIRES: the verb has this option.
  OptionSource SourceOf(const std::string& name) const { return options_.at(name).source; }

 private:
  struct Effective {
    std::string text;
    OptionSource source = OptionSource::kDefault;
  };

  OptionGroups groups_;
  OptionGroups known_;
  std::map<std::string, Effective> options_;
};

// Returns the option of that full name in `groups`; null where it does not exist.
const OptionSpec* FindOption(const OptionGroups& groups, std::string_view name);

// Returns the UsageError for a name that is not among `known`, with the nearest name that is.
arrow::Status UnknownOption(const std::string& where, const std::string& name, const OptionGroups& known);

// Returns the text under which a setting of a crawl is stored. UsageErrors: an unknown name, an option that every verb
// has, a senseless text.
arrow::Result<std::string> CanonicalSetting(const OptionGroups& known, const OptionAssignment& assignment);

// Returns TRAWL_FETCH_DELAY_MS for fetch.delay_ms.
std::string EnvironmentName(std::string_view option_name);
// Returns the assignments in an environment of NAME=VALUE lines. Another TRAWL_… variable is refused where somebody
// must have meant an option: where its first word is a group's, or where it differs from an option's variable in at
// most two letters. The rest belong to other programs.
arrow::Result<std::vector<OptionAssignment>> ReadEnvironment(const OptionGroups& known,
                                                             const std::vector<std::string>& environment);

struct OptionInputs {
  std::vector<std::string> arguments;    // words of the command line after the verb
  std::vector<std::string> environment;  // NAME=VALUE
};
struct ResolvedOptions {
  EffectiveOptions options;
  std::vector<std::string> positional;
};
// Reads all sources but the settings, which the caller applies once it knows the root. The option `config` names the
// config file. `verb` is for messages: "trawl generate".
arrow::Result<ResolvedOptions> ResolveOptions(const std::string& verb, const OptionGroups& groups,
                                              const OptionGroups& known, const OptionInputs& inputs);

}  // namespace trawl
