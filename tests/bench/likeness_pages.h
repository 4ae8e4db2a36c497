// Pages whose likeness is known, because they are made here: for likeness_bench.cc. One thread.
//
// A page is a body in the template of its host. The words come from real pages, or are made by Zipf's law. A copy is the page with 1
// to 20 % of the body's words changed: scattered, or in one run. Two pages are near if one is a copy of the other, or both are of a
// third; whatever else is alike in real pages is left out. Start at Corpora.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/digests/digest.h"
#include "formats/digests/simhash.h"
#include "formats/digests/tokens.h"
#include "formats/html/html.h"

namespace trawl {

inline constexpr int kRates[] = {0, 1, 2, 5, 10, 20};  // percent of the words that a copy changes

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    uint64_t x = state_;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
    return x ^ x >> 31;
  }
  size_t Below(size_t n) { return static_cast<size_t>(Next() % n); }
  size_t Between(size_t from, size_t to) { return from + Below(to - from + 1); }
  double Unit() { return static_cast<double>(Next() >> 11) / static_cast<double>(uint64_t{1} << 53); }

 private:
  uint64_t state_;
};

using Words = std::vector<std::string>;

inline Words WordsOf(std::string_view line) {
  Words words;
  size_t from = 0;
  while (from < line.size()) {
    const size_t end = std::min(line.find(' ', from), line.size());
    if (end > from) words.emplace_back(line.substr(from, end - from));
    from = end + 1;
  }
  return words;
}

inline std::string Joined(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

inline std::set<uint64_t> ShinglesOf(std::string_view text) {
  Words tokens;
  TokenReader reader(text);
  for (std::string_view token; reader.Next(&token);) tokens.emplace_back(token);
  std::set<uint64_t> shingles;
  for (size_t i = 2; i < tokens.size(); ++i)
    shingles.insert(Hash64(tokens[i - 2] + " " + tokens[i - 1] + " " + tokens[i]));
  return shingles;
}

// Takes texts that share no more than a tenth of their shingles with those before: what is alike here is so by label.
class Distinct {
 public:
  bool Take(std::string_view text) {
    const std::set<uint64_t> shingles = ShinglesOf(text);
    const auto known =
        std::count_if(shingles.begin(), shingles.end(), [this](uint64_t x) { return seen_.contains(x); });
    if (shingles.empty() || static_cast<size_t>(known) * 10 > shingles.size()) return false;
    seen_.insert(shingles.begin(), shingles.end());
    return true;
  }

 private:
  std::set<uint64_t> seen_;
};

// -- material -----------------------------------------------------------------------------------------------------------

struct Material {
  bool is_real = false;
  std::vector<std::string> articles;    // whole texts of real pages
  std::vector<std::string> paragraphs;  // each used once in a corpus
  std::vector<std::string> labels;      // short lines, for templates
  Words vocabulary;
};

inline std::string MadeWord(size_t rank) {
  std::string word;
  for (size_t n = rank + 20; n > 0; n /= 20) {
    word += "bdfgklmnprstvwzhjcqx"[n % 20];
    word += "aeiou"[(n / 3 + rank) % 5];
  }
  return word;
}

inline Material MadeMaterial(Random random) {
  Material material;
  for (size_t i = 0; i < 20'000; ++i) material.vocabulary.push_back(MadeWord(i));
  const auto word = [&] { return material.vocabulary[static_cast<size_t>(std::pow(20'000.0, random.Unit())) - 1]; };
  const auto line = [&](size_t words) {
    Words made;
    for (size_t i = 0; i < words; ++i) made.push_back(word());
    return Joined(made);
  };
  for (int i = 0; i < 6'000; ++i) material.paragraphs.push_back(line(random.Between(25, 90)));
  for (int i = 0; i < 3'000; ++i) material.labels.push_back(line(random.Between(1, 5)));
  return material;
}

inline Material RealMaterial(const std::filesystem::path& folder) {
  Material material;
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".html") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::set<std::string> paragraphs, labels, vocabulary;
  Distinct distinct_articles, distinct_lines;
  HtmlParser parser;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::string body{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::string storage;
    const HtmlPage page = parser.Parse(DecodeToUtf8(body, SniffCharset(body, {}).encoding, &storage));
    if (!SimHashOf(page.text, 100)) continue;
    if (distinct_articles.Take(page.text)) material.articles.push_back(page.text);
    std::string_view rest = page.text;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string line(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const Words words = WordsOf(line);
      if (words.size() >= 25 && distinct_lines.Take(line)) paragraphs.insert(line);
      if (words.size() <= 5) labels.insert(line);
      if (words.size() >= 25) vocabulary.insert(words.begin(), words.end());
    }
  }
  // The order of a set puts lines side by side that begin alike.
  Random random(7);
  const auto shuffled = [&](const std::set<std::string>& lines) {
    std::vector<std::string> list(lines.begin(), lines.end());
    for (size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.Below(i)]);
    return list;
  };
  material.is_real = !material.articles.empty();
  material.paragraphs = shuffled(paragraphs);
  material.labels = shuffled(labels);
  material.vocabulary = shuffled(vocabulary);
  return material;
}

// -- corpora --------------------------------------------------------------------------------------------------------------

struct Page {
  int host = 0;
  int content = 0;  // pages of one content are near
  int rate = -1;    // of a copy; -1: the page from which copies are made
  std::vector<std::string> lines;
};

struct Corpus {
  std::string name;
  std::vector<Page> pages;
};

// The text between two lines of a template.
using Body = std::vector<std::string>;

inline Body Edited(const Body& body, int percent, const Words& vocabulary, Random* random) {
  if (percent == 0) return body;
  std::vector<Words> lines;
  std::vector<std::pair<size_t, size_t>> places;
  for (const std::string& line : body) {
    lines.push_back(WordsOf(line));
    for (size_t i = 0; i < lines.back().size(); ++i) places.emplace_back(lines.size() - 1, i);
  }
  const size_t edits = std::max<size_t>(places.size() * static_cast<size_t>(percent) / 100, 1);
  const bool in_one_run = random->Below(2) == 0;
  const size_t from = random->Below(places.size() - edits + 1);
  for (size_t i = 0; i < edits; ++i) {
    const auto [line, word] = places[in_one_run ? from + i : random->Below(places.size())];
    std::string& text = lines[line][word];
    const std::string& other = vocabulary[random->Below(vocabulary.size())];
    switch (random->Below(5)) {
      case 0:
        text.clear();
        break;
      case 1:
        text += " " + other;
        break;
      default:
        text = other;
    }
  }
  Body edited;
  for (const Words& line : lines) edited.push_back(Joined(line));
  return edited;
}

inline size_t CountWords(const Body& body) {
  size_t words = 0;
  for (const std::string& line : body) words += WordsOf(line).size();
  return words;
}

class Maker {
 public:
  Maker(const Material& material, uint64_t seed) : material_(material), random_(seed) {}

  // A template of about so many words: short lines, and one long one in five hundred characters of small print.
  Body Template(size_t words) {
    Body lines;
    while (CountWords(lines) < words) lines.push_back(material_.labels[random_.Below(material_.labels.size())]);
    if (words >= 100) lines.push_back(Paragraph());
    return lines;
  }
  Body Article(size_t least_words) {
    Body lines;
    while (CountWords(lines) < least_words) lines.push_back(Paragraph());
    return lines;
  }
  // Exactly so many words, in one line.
  Body Short(size_t words) {
    Words line = WordsOf(Paragraph());
    while (line.size() < words) {
      for (std::string& word : WordsOf(Paragraph())) line.push_back(std::move(word));
    }
    line.resize(words);
    return {Joined(line)};
  }
  // Twelve fields, half of which have the same few values on many pages.
  Body Record(const Body& names) {
    Body lines;
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string value =
          i % 2 == 0 ? std::to_string(random_.Below(100'000)) + " " + Word() : Value(random_.Below(8));
      lines.push_back(names[i]);
      lines.push_back(value);
    }
    return lines;
  }

  void Add(int host, const Body& around, const Body& body, int rate, Corpus* corpus) {
    Page page = {.host = host, .content = content_, .rate = rate};
    const size_t middle = around.size() / 2;
    page.lines.assign(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(middle));
    page.lines.insert(page.lines.end(), body.begin(), body.end());
    page.lines.insert(page.lines.end(), around.begin() + static_cast<std::ptrdiff_t>(middle), around.end());
    corpus->pages.push_back(std::move(page));
  }
  // A page, and one copy of each rate.
  void AddWithCopies(int host, const Body& around, const Body& body, Corpus* corpus) {
    ++content_;
    Add(host, around, body, -1, corpus);
    for (const int rate : kRates) {
      if (rate > 0) Add(host, around, Edited(body, rate, material_.vocabulary, &random_), rate, corpus);
    }
  }
  void AddAlone(int host, const Body& around, const Body& body, Corpus* corpus) {
    ++content_;
    Add(host, around, body, -1, corpus);
  }
  // The same article on several hosts.
  void AddOnHosts(const std::vector<Body>& templates, const Body& body, Corpus* corpus) {
    ++content_;
    for (size_t host = 0; host < templates.size(); ++host) {
      Add(static_cast<int>(host), templates[host], body, host == 0 ? -1 : 0, corpus);
    }
  }
  Random& random() { return random_; }

 private:
  std::string Paragraph() { return material_.paragraphs[next_paragraph_++ % material_.paragraphs.size()]; }
  std::string Word() { return material_.vocabulary[random_.Below(material_.vocabulary.size())]; }
  std::string Value(size_t i) { return material_.labels[i * 37 % material_.labels.size()]; }

  const Material& material_;
  Random random_;
  int content_ = 0;
  size_t next_paragraph_ = 0;
};

// Hosts with one template each; of four pages one has copies.
inline Corpus Sites(const std::string& name, const Material& material, size_t template_words, size_t least,
                    size_t most) {
  Corpus corpus = {name, {}};
  Maker maker(material, Hash64(name));
  for (int host = 0; host < 4; ++host) {
    const Body around = maker.Template(template_words);
    for (int i = 0; i < 40; ++i) {
      const size_t words = maker.random().Between(least, most);
      const Body body = least < 25 ? maker.Short(words) : maker.Article(words);
      i % 4 == 0 ? maker.AddWithCopies(host, around, body, &corpus) : maker.AddAlone(host, around, body, &corpus);
    }
  }
  return corpus;
}

inline std::vector<Corpus> Corpora(const Material& material) {
  std::vector<Corpus> corpora;
  if (material.is_real) {
    Corpus whole = {"real pages and their copies", {}};
    Maker maker(material, 1);
    int host = 0;
    for (const std::string& text : material.articles) {
      Body lines;
      for (size_t from = 0; from < text.size();) {
        const size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
      }
      maker.AddWithCopies(host++, {}, lines, &whole);
    }
    // Each copy stands on a host of its own: no line is on most pages of a host.
    for (size_t i = 0; i < whole.pages.size(); ++i) whole.pages[i].host = static_cast<int>(i);
    corpora.push_back(std::move(whole));
  }
  corpora.push_back(Sites("articles of 300 to 900 words, template of 80", material, 80, 300, 900));
  corpora.push_back(Sites("articles of 100 to 300 words, template of 300", material, 300, 100, 300));
  corpora.push_back(Sites("notes of 30 to 80 words, template of 600", material, 600, 30, 80));
  corpora.push_back(Sites("short pages of 20 to 60 words, no template", material, 0, 20, 60));
  {
    Corpus records = {"records of twelve fields, template of 150", {}};
    Maker maker(material, 2);
    const Body around = maker.Template(150);
    const Body names = {"Name",  "Kind",  "Number", "Colour", "Maker", "Country",
                        "Price", "Stock", "Weight", "Size",   "Code",  "Group"};
    for (int i = 0; i < 400; ++i) {
      const Body body = maker.Record(names);
      i % 10 == 0 ? maker.AddWithCopies(0, around, body, &records) : maker.AddAlone(0, around, body, &records);
    }
    corpora.push_back(std::move(records));
  }
  {
    Corpus syndicated = {"the same articles on three hosts with templates of 80", {}};
    Maker maker(material, 3);
    const std::vector<Body> templates = {maker.Template(80), maker.Template(80), maker.Template(80)};
    for (int i = 0; i < 100; ++i)
      maker.AddOnHosts(templates, maker.Article(maker.random().Between(300, 900)), &syndicated);
    corpora.push_back(std::move(syndicated));
  }
  return corpora;
}

}  // namespace trawl
