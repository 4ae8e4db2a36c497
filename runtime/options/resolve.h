// Where an option's value comes from: the command line, over a TRAWL_… variable, over the config file, over the
// settings of the crawl, over the default. Every name and text is checked, also of a source that a higher one outvotes.
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

// The options of a verb, each with its effective text. They own nothing of the groups, which live as long as the
// process.
class EffectiveOptions {
 public:
  // Everything at its default. `groups` are those of the verb, `known` all that there are.
  EffectiveOptions(OptionGroups groups, OptionGroups known);

  // Takes the assignments for every option that no higher source has set; those of known options that this verb does
  // not have are checked and left out. Several assignments of a list are joined, of anything else the last counts.
  arrow::Status Apply(OptionSource source, const std::vector<OptionAssignment>& assignments);
  // The settings of the crawl. `where` says which crawl's: "settings of snapshot 42". One that no option has is of a newer
  // version, and Invalid: nobody typed it.
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
  // What the rules between fields say, for every group.
  arrow::Status Check() const;

  // Every effective value; what a plan records. (An option that is a secret would have to be left out here; there is
  // none.)
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

// The option of that full name in `groups`; null where there is none.
const OptionSpec* FindOption(const OptionGroups& groups, std::string_view name);

// The UsageError for a name that is none of `known`, with the nearest that is.
arrow::Status UnknownOption(const std::string& where, const std::string& name, const OptionGroups& known);

// The text that a setting of a crawl is stored as. UsageErrors: an unknown name, an option of every verb, a senseless
// text.
arrow::Result<std::string> CanonicalSetting(const OptionGroups& known, const OptionAssignment& assignment);

// TRAWL_FETCH_DELAY_MS for fetch.delay_ms.
std::string EnvironmentName(std::string_view option_name);
// The assignments in an environment of NAME=VALUE lines. Of other TRAWL_… variables those are refused that somebody must
// have meant as an option: whose first word is a group's, or that are at most two letters from one. The rest are
// somebody else's.
arrow::Result<std::vector<OptionAssignment>> ReadEnvironment(const OptionGroups& known,
                                                             const std::vector<std::string>& environment);

struct OptionInputs {
  std::vector<std::string> arguments;    // of the command line, behind the verb
  std::vector<std::string> environment;  // NAME=VALUE
};
struct ResolvedOptions {
  EffectiveOptions options;
  std::vector<std::string> positional;
};
// Reads all sources but the settings, which the caller applies once it knows the root. The config file is the one that
// the option `config` names. `verb` is for messages: "trawl generate".
arrow::Result<ResolvedOptions> ResolveOptions(const std::string& verb, const OptionGroups& groups,
                                              const OptionGroups& known, const OptionInputs& inputs);

}  // namespace trawl
