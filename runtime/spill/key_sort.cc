#include "runtime/spill/key_sort.h"

#include <algorithm>
#include <utility>

namespace trawl {

namespace {

// Up to this number of entries, comparing whole keys beats loading their next bytes into the index.
constexpr ptrdiff_t kFewEntries = 16;

std::string_view KeyOf(const SortEntry& entry) { return UnpackRecord(entry.record).key(); }

// A lambda, so that the sort compares without a call.
constexpr auto kByPrefix = [](const SortEntry& a, const SortEntry& b) { return a.prefix < b.prefix; };

void SortByWholeKeys(SortEntry* begin, SortEntry* end, size_t depth) {
  std::sort(begin, end, [depth](const SortEntry& a, const SortEntry& b) {
    const std::string_view x = KeyOf(a);
    const std::string_view y = KeyOf(b);
    // Keys that end before `depth` differ from the others only in length.
    if (x.size() <= depth || y.size() <= depth) return x.size() < y.size();
    return x.substr(depth) < y.substr(depth);
  });
}

// Brings the keys of at most `depth` bytes to the front, shortest first: among keys that agree so far (a missing byte
// counts as zero) they are the smallest. Returns the first of the longer ones.
SortEntry* SettleEndedKeys(SortEntry* begin, SortEntry* end, size_t depth) {
  SortEntry* longer =
      std::partition(begin, end, [depth](const SortEntry& entry) { return KeyOf(entry).size() <= depth; });
  if (longer == begin) return begin;
  for (SortEntry* entry = begin; entry != longer; ++entry) entry->prefix = KeyOf(*entry).size();
  const auto [shortest, longest] = std::minmax_element(begin, longer, kByPrefix);
  if (shortest->prefix != longest->prefix) std::sort(begin, longer, kByPrefix);
  return longer;
}

// Loads the next eight bytes of each key; says whether they differ anywhere.
bool LoadPrefixes(SortEntry* begin, SortEntry* end, size_t depth) {
  uint64_t differences = 0;
  for (SortEntry* entry = begin; entry != end; ++entry) {
    entry->prefix = KeyBytes(KeyOf(*entry), depth);
    differences |= entry->prefix ^ begin->prefix;
  }
  return differences != 0;
}

SortEntry* EndOfRun(SortEntry* begin, SortEntry* end) {
  SortEntry* run_end = begin + 1;
  while (run_end != end && run_end->prefix == begin->prefix) ++run_end;
  return run_end;
}

// Sorts keys that agree in their first `depth` bytes. Calls itself for all runs of ties but the largest, and continues
// with that one, so that the calls nest no deeper than log2(n). Leaves prefixes changed.
void SortTies(SortEntry* begin, SortEntry* end, size_t depth) {
  while (end - begin > kFewEntries) {
    begin = SettleEndedKeys(begin, end, depth);
    if (begin == end) return;
    const bool differ = LoadPrefixes(begin, end, depth);
    depth += 8;
    if (!differ) continue;
    std::sort(begin, end, kByPrefix);
    std::pair<SortEntry*, SortEntry*> largest{begin, begin};
    for (SortEntry *run = begin, *run_end; run != end; run = run_end) {
      run_end = EndOfRun(run, end);
      if (run_end - run > largest.second - largest.first) {
        std::swap(largest.first, run);
        std::swap(largest.second, run_end);
        SortTies(run, run_end, depth);
        run_end = largest.second;
      } else {
        SortTies(run, run_end, depth);
      }
    }
    begin = largest.first;
    end = largest.second;
  }
  SortByWholeKeys(begin, end, depth);
}

}  // namespace

// Distributing the entries by their first bytes before sorting (a radix sort) saves 25 of 70 ns per entry with random
// keys and nothing with URLs, where the ties dominate; from file to file a record costs 450 ns.
void SortEntries(SortEntry* begin, SortEntry* end) {
  std::sort(begin, end, kByPrefix);
  for (SortEntry *run = begin, *run_end; run < end; run = run_end) {
    run_end = EndOfRun(run, end);
    if (run_end - run == 1) continue;
    const uint64_t prefix = run->prefix;
    SortTies(run, run_end, kPrefixKeyBytes);
    for (SortEntry* entry = run; entry != run_end; ++entry) entry->prefix = prefix;
  }
}

}  // namespace trawl
