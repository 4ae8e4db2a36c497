#include "jobs/program/man_pages.h"

#include <algorithm>
#include <set>

#include "jobs/program/help.h"
#include "jobs/program/man_text.h"
#include "jobs/verb/version.h"
#include "runtime/options/command_line.h"
#include "runtime/options/global.h"

namespace trawl {

namespace {

struct Named {
  const char* name;
  const char* text;
};

constexpr Named kEnvironment[] = {
    {"TRAWL_NAME, TRAWL_GROUP_NAME",
     "The value of an option: TRAWL_ROOT of --root, TRAWL_FETCH_DELAY_MS of --fetch.delay_ms."},
    {"TMPDIR", "The folder for temporary files, where --temp_dir names none; else /tmp."},
    {"COLUMNS", "The width of tables; else that of the terminal."},
    {"HADOOP_HOME, HADOOP_CONF_DIR, CLASSPATH",
     "Hadoop's programs, settings and Java classes, for a crawl on HDFS and for tasks on a cluster."},
    {"ARROW_LIBHDFS_DIR", "The folder of libhdfs.so, where --libhdfs names none."},
    {"HADOOP_USER_NAME, USER", "The user for whom a cluster runs tasks."},
};

constexpr Named kFiles[] = {
    {"./crawl", "The crawl, unless --root names another. docs/storage.md describes what is in it."},
    {"FILE of --config",
     "Options as lines \"name = value\" below lines \"[group]\". A # at the start of a line or after a space begins a "
     "comment."},
};

std::string Source() { return std::string("Trawl ") + kVersion; }

std::string Reference(const std::string& page) { return ManBold(page) + "(1)"; }

// "[OPTION]… [WHAT] DIR": names in italics, words and brackets as they are.
std::string Synopsis(const std::string& text) {
  std::string out, name;
  const auto end_name = [&] {
    const bool is_placeholder = std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!name.empty()) out += is_placeholder ? ManItalic(name) : ManText(name);
    name.clear();
  };
  for (const char c : text) {
    const bool is_part = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    if (is_part) {
      name += c;
      continue;
    }
    end_name();
    // The ellipsis has three bytes, which are escaped as one.
    if (static_cast<unsigned char>(c) < 0x80) {
      out += ManText(std::string(1, c));
    } else if (static_cast<unsigned char>(c) == 0xE2) {
      out += ManText("…");
    }
  }
  end_name();
  return out;
}

// "--top_n N, --generate.top_n N": all names of an option.
std::string Term(const std::vector<OptionName>& names, const OptionSpec& option) {
  std::string out;
  for (const OptionName& name : names) {
    // What a flag is anyway is not named.
    if (name.option != &option || (name.is_negation && option.default_text == "false")) continue;
    out += (out.empty() ? "" : ", ") + ManBold("--" + name.name);
    if (option.type.kind != OptionKind::kBool) out += " " + ManItalic(option.type.placeholder);
  }
  return out;
}

std::string Capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// A sentence of its own, whatever the help text is.
std::string Sentence(const std::string& text) {
  const bool has_end = text.empty() || text.back() == '.' || text.ends_with("…");
  return Capitalized(text) + (has_end ? "" : ".");
}

std::string OptionText(const OptionSpec& option) {
  std::string text = Sentence(option.help);
  if (option.type.kind == OptionKind::kBool)
    return option.default_text == "true" ? text + " It is on by default." : text;
  if (option.type.kind != OptionKind::kText) text += " " + Sentence("it may be " + DescribeAllowed(option.type));
  if (!option.default_text.empty()) text += " The default is " + option.default_text + ".";
  return text;
}

void AddOptions(const OptionGroups& groups, ManPage* page) {
  const std::vector<OptionName> names = OptionNames(groups);
  for (const AnyOptionGroup* group : groups) {
    if (group->options().empty()) continue;
    page->Subsection(group->title());
    if (!group->prefix().empty()) {
      page->Paragraph("In a file below [" + group->prefix() + "], in the environment as " +
                      EnvironmentName(group->prefix() + ".") + "NAME.");
    }
    for (const OptionSpec& option : group->options()) page->Item(Term(names, option), OptionText(option));
  }
}

void AddExits(const std::vector<ExitMeaning>& meanings, ManPage* page) {
  page->Section("EXIT STATUS");
  for (const ExitMeaning& exit : meanings) page->Item(ManBold(std::to_string(exit.code)), Sentence(exit.meaning));
}

template <size_t size>
void AddNamed(const char* title, const Named (&table)[size], ManPage* page) {
  page->Section(title);
  for (const Named& named : table) page->Item(ManBold(named.name), named.text);
}

void AddReferences(const std::vector<std::string>& pages, ManPage* page) {
  page->Section("SEE ALSO");
  for (const std::string& name : pages) page->RawLine(Reference(name) + (name == pages.back() ? "" : ","));
}

// trawl(1), the other verbs of the family, and the verbs whose commands the texts name.
std::vector<std::string> Related(const std::vector<Verb>& verbs, const Verb& verb) {
  std::vector<std::string> pages = {"trawl"};
  const std::string family = verb.name.substr(0, verb.name.find(' '));
  std::string texts = verb.description;
  for (const VerbExample& example : verb.examples) texts += "\n" + example.command;
  for (const Verb& other : verbs) {
    const bool is_sibling = other.name.substr(0, other.name.find(' ')) == family;
    const bool is_named = texts.find("trawl " + other.name) != std::string::npos;
    if (other.name != verb.name && (is_sibling || is_named)) pages.push_back(ManName(other));
  }
  return pages;
}

DocsPage VerbPage(const std::vector<Verb>& verbs, const Verb& verb, std::string_view date) {
  const std::string name = ManName(verb);
  ManPage page(name, date, Source());
  page.Section("NAME");
  page.RawLine(ManText(name) + " \\- " + ManText(verb.summary));
  page.Section("SYNOPSIS");
  page.RawLine(ManBold("trawl " + verb.name) + " " +
               Synopsis("[OPTION]…" + (verb.arguments.empty() ? "" : " " + verb.arguments)));
  page.Section("DESCRIPTION");
  page.Paragraph(verb.description.empty() ? Sentence(verb.summary) : verb.description);
  page.Section("OPTIONS");
  page.Paragraph("trawl(1) says how options are written, and where else they can be given.");
  AddOptions(GroupsOf(verb), &page);
  AddExits(ExitMeanings(verb), &page);
  AddNamed("ENVIRONMENT", kEnvironment, &page);
  AddNamed("FILES", kFiles, &page);
  if (!verb.examples.empty()) page.Section("EXAMPLES");
  for (const VerbExample& example : verb.examples) page.Example(example.what, example.command);
  AddReferences(Related(verbs, verb), &page);
  return {name + ".1", page.Take()};
}

void AddVerbs(const std::vector<Verb>& verbs, ManPage* page) {
  page->Section("VERBS");
  for (const auto& [purpose, title] : Purposes()) {
    page->Subsection(title);
    for (const Verb& verb : verbs) {
      if (verb.purpose == purpose && !verb.is_hidden) page->Item(Reference(ManName(verb)), Sentence(verb.summary));
    }
  }
}

DocsPage GeneralPage(const std::vector<Verb>& verbs, std::string_view date) {
  ManPage page("trawl", date, Source());
  page.Section("NAME");
  page.RawLine("trawl \\- a batch web crawler");
  page.Section("SYNOPSIS");
  page.RawLine(ManBold("trawl") + " " + Synopsis("VERB [OPTION]… [ARGUMENT]…"));
  page.RawLine(".br");
  page.RawLine(ManBold("trawl") + " " + ManItalic("VERB") + " " + ManBold("--help") + " [all]");
  page.RawLine(".br");
  page.RawLine(ManBold("trawl --version") + " [" + ManBold("--json") + "]");
  page.Section("DESCRIPTION");
  page.Paragraph(
      "Trawl crawls the web in rounds. A crawl lives in a folder (./crawl, unless --root names another), on HDFS or on "
      "S3, and continues wherever it was stopped. Each verb has a page of its own: man trawl-fetch.");
  AddVerbs(verbs, &page);
  page.Section("OPTIONS");
  page.Item(ManBold("--help") + ", " + ManBold("-h"),
            "Lists the verbs; after a verb, explains it and its most important "
            "options, and with the word all every option.");
  page.Item(ManBold("--version"),
            "Prints the version, the commit that the program was made of, and its libraries; with "
            "--json as one object.");
  page.Paragraph(
      "An option of a verb can be given in four places. If several of them name it, the first in this list wins: the "
      "command line, as --name value, --name=value, --flag or --no_flag; the environment, as TRAWL_GROUP_NAME; the "
      "file "
      "that --config names, as a line \"name = value\" below a line \"[group]\"; and the settings of the crawl (trawl "
      "config "
      "set). The part of a name before its dot may be left out if no other option of the verb has the same last part: "
      "--top_n for --generate.top_n. After -- all words are arguments.");
  page.Paragraph(
      "Sizes are written like 64MiB, 1.5GiB or 300KB; durations like 30s, 250ms, 1h30m or 7d. The items of a list have "
      "commas between them (\\, is a comma within an item), or the option is given several times.");
  AddOptions({&GlobalOptionGroup()}, &page);
  AddExits(ExitMeanings(), &page);
  AddNamed("ENVIRONMENT", kEnvironment, &page);
  AddNamed("FILES", kFiles, &page);
  page.Section("EXAMPLES");
  page.Example("Crawl one site, into ./crawl", "trawl crawl https://www.example.com/ --contact https://me.example/");
  page.Example("Count what is known", "trawl readdb stats");
  page.Example("Complete commands in this bash", ". <(trawl completion bash)");
  std::vector<std::string> pages;
  for (const Verb& verb : verbs) pages.push_back(ManName(verb));
  AddReferences(pages, &page);
  return {"trawl.1", page.Take()};
}

}  // namespace

std::string ManName(const Verb& verb) {
  std::string name = "trawl-" + verb.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::vector<DocsPage> ManPages(const std::vector<Verb>& verbs, std::string_view date) {
  std::vector<DocsPage> pages = {GeneralPage(verbs, date)};
  for (const Verb& verb : verbs) pages.push_back(VerbPage(verbs, verb, date));
  return pages;
}

}  // namespace trawl
