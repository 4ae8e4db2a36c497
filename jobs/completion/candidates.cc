#include "jobs/completion/candidates.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "jobs/completion/arguments.h"
#include "jobs/completion/known_words.h"
#include "jobs/verb/find_verb.h"
#include "runtime/options/command_line.h"

namespace trawl {

namespace {

using Words = std::vector<std::string>;

// Collects candidates that begin with what was typed.
class Offer {
 public:
  explicit Offer(std::string typed) : typed_(std::move(typed)) {}

  const std::string& typed() const { return typed_; }
  void Add(const std::string& word, const std::string& text) {
    if (word.starts_with(typed_) && known_.insert(word).second) found_.words.push_back({word, text});
  }
  void AddPaths(PathsWanted paths, const std::string& before, const std::string& path) {
    // A shell knows no paths of other stores.
    if (path.find("://") != std::string::npos) return;
    found_.paths = found_.paths == PathsWanted::kFiles ? found_.paths : paths;
    found_.before = before;
    found_.path = path;
  }
  void LeaveOpen() { found_.is_open = true; }
  Candidates Take() { return std::move(found_); }

 private:
  const std::string typed_;
  std::set<std::string> known_;
  Candidates found_;
};

std::string FirstWord(const std::string& name) { return name.substr(0, name.find(' ')); }

// "readdb stats, get, dump and hosts" would be long: a family is shown by the words that follow it.
std::string FamilyText(const std::vector<Verb>& verbs, const std::string& family) {
  std::string text;
  for (const Verb& verb : verbs) {
    if (IsOfFamily(verb, family)) text += (text.empty() ? "" : ", ") + verb.name.substr(family.size() + 1);
  }
  return text;
}

void OfferVerbs(const std::vector<Verb>& verbs, Offer* offer) {
  for (const Verb& verb : verbs) {
    if (verb.is_hidden) continue;
    const std::string first = FirstWord(verb.name);
    const Verb* const alone = FindVerb(verbs, first);
    offer->Add(first, alone != nullptr ? alone->summary : FamilyText(verbs, first));
  }
}

void OfferSecondWords(const std::vector<Verb>& verbs, const std::string& family, Offer* offer) {
  for (const Verb& verb : verbs) {
    if (IsOfFamily(verb, family) && !verb.is_hidden) offer->Add(verb.name.substr(family.size() + 1), verb.summary);
  }
}

void OfferHelp(Offer* offer) { offer->Add("--help", "explain it and its most important options"); }

// A verb's line, read up to its last word.
class VerbLine {
 public:
  VerbLine(const std::vector<Verb>& verbs, const Verb& verb, const FindIds& find_ids, Offer* offer)
      : verbs_(verbs),
        verb_(verb),
        groups_(GroupsOf(verb)),
        names_(OptionNames(groups_)),
        find_ids_(find_ids),
        offer_(offer) {}

  // Reads a word that is complete.
  void Read(const std::string& word) {
    if (const OptionSpec* const option = std::exchange(waiting_, nullptr);
        option != nullptr && !word.starts_with("--")) {
      Note(*option, word);
    } else if (has_ended_ || word.size() < 2 || word.front() != '-') {
      if (!std::exchange(is_after_help_, false) || word != kAll) ++arguments_;
    } else if (word == "--") {
      has_ended_ = true;
    } else {
      ReadOption(word);
    }
  }

  // What a word after the cursor says of the crawl wins, as it does when the line is run.
  void ReadLater(VerbLine later, const Words& words) {
    for (const std::string& word : words) later.Read(word);
    if (later.crawl_.root) crawl_.root = later.crawl_.root;
    if (later.crawl_.config) crawl_.config = later.crawl_.config;
  }

  // Offers what the last word may be.
  void OfferLast() {
    const std::string& typed = offer_->typed();
    if (waiting_ != nullptr && !typed.starts_with("--")) {
      OfferValue(*waiting_, "", typed);
      return;
    }
    if (is_after_help_) offer_->Add(kAll, "every option");
    if (has_ended_ || !typed.starts_with("-")) {
      OfferArgument();
    } else if (const size_t equals = typed.find('='); equals == std::string::npos) {
      OfferArgument();  // a lone - is one
      OfferOptions();
    } else if (const OptionName* name = Find(typed.substr(2, equals - 2)); name != nullptr && !name->is_negation) {
      OfferValue(*name->option, typed.substr(0, equals + 1), typed.substr(equals + 1));
    }
  }

 private:
  const OptionName* Find(const std::string& name) const {
    const auto found =
        std::find_if(names_.begin(), names_.end(), [&name](const OptionName& known) { return known.name == name; });
    return found == names_.end() ? nullptr : &*found;
  }

  void Note(const OptionSpec& option, const std::string& text) {
    if (option.name == "root") crawl_.root = text;
    if (option.name == "config") crawl_.config = text;
  }

  void ReadOption(const std::string& word) {
    is_after_help_ = IsHelp(word);
    const size_t equals = word.find('=');
    const OptionName* const name =
        word == kShortOutput ? Find("output") : Find(word.substr(2, equals == std::string::npos ? equals : equals - 2));
    if (name == nullptr) return;
    if (equals != std::string::npos) {
      Note(*name->option, word.substr(equals + 1));
    } else if (name->option->type.kind != OptionKind::kBool) {
      waiting_ = name->option;
    }
  }

  // Short names at first; a full name once its group was typed, or where no short one fits.
  void OfferOptions() {
    const std::string typed = offer_->typed().size() < 2 ? "" : offer_->typed().substr(2);
    const bool fits_short = std::any_of(names_.begin(), names_.end(), [&typed](const OptionName& name) {
      return name.is_shortest && name.name.starts_with(typed);
    });
    for (const OptionName& name : names_) {
      const std::string& full = name.option->name;
      const size_t dot = full.find('.');
      const bool has_group = dot != std::string::npos && typed.starts_with(full.substr(0, dot));
      const bool is_shown = name.is_shortest || !fits_short || has_group;
      // What a flag is anyway need not be said, unless somebody begins to.
      const bool is_idle = name.is_negation && name.option->default_text == "false" && !typed.starts_with("no");
      if (is_shown && (!is_idle || typed.find(".no") != std::string::npos))
        offer_->Add("--" + name.name, name.is_negation ? "not: " + name.option->help : name.option->help);
    }
    OfferHelp(offer_);
  }

  // `value` is what was typed of it, after `before`.
  void OfferValue(const OptionSpec& option, const std::string& before, const std::string& value) {
    if (option.type.kind != OptionKind::kList) {
      OfferOne(option, before, value, {});
      return;
    }
    const size_t comma = value.rfind(',');
    const size_t begin = comma == std::string::npos ? 0 : comma + 1;
    OfferOne(option, before + value.substr(0, begin), value.substr(begin), "," + value.substr(0, begin));
  }

  void OfferUnused(const std::string& before, const std::string& word, const std::string& used) {
    if (used.find("," + word + ",") == std::string::npos) offer_->Add(before + word, "");
  }

  // `used` has commas around each item that the list has already.
  void OfferOne(const OptionSpec& option, const std::string& before, const std::string& value,
                const std::string& used) {
    for (const std::string& word : KnownValues(option.type)) OfferUnused(before, word, used);
    OfferNamed(option.type.placeholder, before, value, used);
  }

  // What the placeholder stands for.
  void OfferNamed(const std::string& placeholder, const std::string& before, const std::string& value,
                  const std::string& used) {
    for (const std::string& word : WordsOf(placeholder)) OfferUnused(before, word, used);
    const ValueKind kind = ValueKindOf(placeholder);
    switch (kind) {
      case ValueKind::kText:
        return;
      case ValueKind::kFile:
        return offer_->AddPaths(PathsWanted::kFiles, before, value);
      case ValueKind::kFolder:
      case ValueKind::kRoot:
        return offer_->AddPaths(PathsWanted::kFolders, before, value);
      case ValueKind::kSegment:
      case ValueKind::kJob:
      case ValueKind::kSnapshot:
        for (const std::string& id : find_ids_(kind, crawl_)) OfferUnused(before, id, used);
        return;
      case ValueKind::kSetting:
        return;
    }
  }

  void OfferArgument() {
    const std::string& typed = offer_->typed();
    for (const std::string& name : ArgumentsAt(verb_.arguments, arguments_)) {
      if (ValueKindOf(name) == ValueKind::kSetting) {
        OfferSetting(name.ends_with("=VALUE"));
      } else if (IsKnownPlaceholder(name)) {
        OfferNamed(name, "", typed, "");
      } else {
        offer_->Add(name, "");
      }
    }
  }

  // Options that can be a setting have a group.
  void OfferSetting(bool has_value) {
    const std::string& typed = offer_->typed();
    const size_t equals = typed.find('=');
    const OptionGroups known = AllGroups(verbs_);
    if (has_value && equals != std::string::npos) {
      const OptionSpec* const option = FindOption(known, typed.substr(0, equals));
      if (option != nullptr) OfferValue(*option, typed.substr(0, equals + 1), typed.substr(equals + 1));
      return;
    }
    for (const AnyOptionGroup* group : known) {
      for (const OptionSpec& option : group->options()) {
        if (option.name != option.noun) offer_->Add(option.name + (has_value ? "=" : ""), option.help);
      }
    }
    if (has_value) offer_->LeaveOpen();
  }

  const std::vector<Verb>& verbs_;
  const Verb& verb_;
  const OptionGroups groups_;
  const std::vector<OptionName> names_;
  const FindIds& find_ids_;
  Offer* const offer_;

  const OptionSpec* waiting_ = nullptr;  // the option whose value comes next
  bool has_ended_ = false;               // after --
  bool is_after_help_ = false;
  size_t arguments_ = 0;
  TypedCrawl crawl_;
};

// `trawl help VERB [all]`
void OfferHelpVerb(const std::vector<Verb>& verbs, const Words& before, Offer* offer) {
  if (before.size() == 1) OfferVerbs(verbs, offer);
  if (before.size() == 2) OfferSecondWords(verbs, before[1], offer);
  const FoundVerb found = FindVerb(verbs, Words(before.begin() + 1, before.end()));
  if (found.verb != nullptr && found.words + 1 == before.size()) offer->Add(kAll, "every option");
}

void OfferFirst(const std::vector<Verb>& verbs, Offer* offer) {
  OfferVerbs(verbs, offer);
  offer->Add("help", "explain a verb");
  if (!offer->typed().starts_with('-')) return;
  offer->Add("--help", "list the verbs");
  offer->Add("--version", "print the version, the commit and the libraries");
}

}  // namespace

Candidates FindCandidates(const std::vector<Verb>& verbs, const TypedWords& typed, const FindIds& find_ids) {
  Offer offer(typed.words.back());
  const Words before(typed.words.begin(), typed.words.end() - 1);
  if (before.empty()) {
    OfferFirst(verbs, &offer);
    return offer.Take();
  }
  if (before[0] == "--version" && before.size() == 1) offer.Add("--json", "as one JSON object");
  if (before[0] == "help") OfferHelpVerb(verbs, before, &offer);
  if (before.size() == 1) OfferSecondWords(verbs, before[0], &offer);
  const FoundVerb found = FindVerb(verbs, before);
  if (found.verb == nullptr) {
    const bool is_family = before.size() == 1 && !FamilyText(verbs, before[0]).empty();
    if (is_family && offer.typed().starts_with('-')) OfferHelp(&offer);
    return offer.Take();
  }
  // `config` means one of its family only where options follow.
  const bool is_implied =
      found.words < static_cast<size_t>(std::count(found.verb->name.begin(), found.verb->name.end(), ' ')) + 1;
  if (is_implied && before.size() == 1 && !offer.typed().starts_with('-')) return offer.Take();
  VerbLine line(verbs, *found.verb, find_ids, &offer);
  for (size_t i = found.words; i < before.size(); ++i) line.Read(before[i]);
  line.ReadLater(VerbLine(verbs, *found.verb, find_ids, &offer), typed.later);
  line.OfferLast();
  return offer.Take();
}

}  // namespace trawl
