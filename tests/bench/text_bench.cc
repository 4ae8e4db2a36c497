// Measures fingerprints and language: MB/s of SHA-256, SimHash and CLD2 over page texts.
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/digests/simhash.h"
#include "formats/text/language.h"

namespace {

double SecondsSince(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

// Returns the MB per CPU second of one call over `bytes`, from as many calls as fit into about a second.
double MegabytesPerSecond(size_t bytes, const std::function<void()>& call) {
  const std::clock_t start = std::clock();
  int calls = 0;
  do {
    call();
    ++calls;
  } while (std::clock() - start < CLOCKS_PER_SEC);
  return static_cast<double>(bytes) * calls / SecondsSince(start) / 1e6;
}

// Makes texts of about 8 KB from words whose order does not repeat.
std::string PageText(const std::vector<std::string>& words, const char* between, size_t salt) {
  std::string text;
  for (size_t i = 0; text.size() < 8000; ++i) {
    text += words[(i * i + salt * 31 + i / 7) % words.size()];
    text += i % 12 == 11 ? ". " : between;
  }
  return text;
}

void Bench(const char* name, const std::vector<std::string>& words, const char* between) {
  std::vector<std::string> pages;
  size_t bytes = 0;
  for (size_t salt = 0; salt < 100; ++salt) {
    pages.push_back(PageText(words, between, salt));
    bytes += pages.back().size();
  }
  uint64_t sum = 0;
  const auto over_pages = [&](const std::function<uint64_t(const std::string&)>& call) {
    return MegabytesPerSecond(bytes, [&] {
      for (const std::string& page : pages) sum += call(page);
    });
  };
  std::printf("SHA-256, %s: %.0f MB/s\n", name, over_pages([](const std::string& page) {
                return static_cast<uint64_t>(static_cast<unsigned char>(trawl::Sha256Of(page)[0]));
              }));
  std::printf("SimHash, %s: %.0f MB/s\n", name,
              over_pages([](const std::string& page) { return trawl::SimHashOf(page).value_or(0); }));
  std::printf("CLD2, %s: %.0f MB/s\n", name,
              over_pages([](const std::string& page) { return uint64_t{trawl::LanguageOf(page).size()}; }));
  if (sum == 0) std::printf("nothing was computed\n");
}

}  // namespace

int main() {
  Bench("English",
        {"The",     "weather", "was",   "fine", "this",  "morning", "and",   "everybody", "went",  "out",   "for",
         "a",       "walk",    "along", "the",  "river", "where",   "small", "boats",     "lay",   "under", "trees",
         "without", "any",     "wind",  "to",   "move",  "them",    "from",  "their",     "place", "until", "noon"},
        " ");
  Bench("Russian",
        {"Сегодня", "утром", "была", "хорошая", "погода", "и", "все", "пошли", "гулять", "вдоль", "реки", "где",
         "стояли", "лодки", "под", "деревьями"},
        " ");
  Bench("Japanese",
        {"今朝は", "天気が", "良かったので", "みんなで", "川沿いを", "散歩しました", "小さな", "船が", "木の下に"},
        "、");
  return 0;
}
