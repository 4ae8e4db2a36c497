// Near duplicates: what is found is what comparing all pairs finds, at once or round by round.
#include "jobs/near/near.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "formats/digests/text_sketch.h"
#include "jobs/near/decisions.h"
#include "jobs/near/rows.h"
#include "jobs/near/search.h"
#include "tests/support/crawl/near_scene.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using Random = std::mt19937_64;

uint64_t Flipped(uint64_t fingerprint, int bits, Random& random) {
  std::set<int> places;
  while (static_cast<int>(places.size()) < bits) places.insert(static_cast<int>(random() % 64));
  for (const int place : places) fingerprint ^= uint64_t{1} << place;
  return fingerprint;
}

// A third of them random, the others up to 12 bits from one before.
std::vector<uint64_t> Fingerprints(size_t count, Random& random) {
  std::vector<uint64_t> all = {random()};
  while (all.size() < count) {
    const uint64_t other = all[random() % all.size()];
    all.push_back(random() % 3 == 0 ? random() : Flipped(other, static_cast<int>(random() % 13), random));
  }
  return all;
}

TEST(FingerprintIndex, FindsWhatComparingAllFinds) {
  Random random(1);
  const std::vector<uint64_t> all = Fingerprints(100'000, random);
  for (const int distance : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
    FingerprintIndex index(distance);
    for (const uint64_t fingerprint : all) index.Add(fingerprint);
    int64_t pairs = 0;
    for (int i = 0; i < 150; ++i) {
      const uint64_t wanted = Flipped(all[random() % all.size()], static_cast<int>(random() % 12), random);
      std::vector<std::pair<uint32_t, int>> found, expected;
      index.ForEachNear(wanted, [&](uint32_t number, int bits) { found.emplace_back(number, bits); });
      std::sort(found.begin(), found.end());
      for (uint32_t number = 0; number < all.size(); ++number) {
        const int bits = std::popcount(all[number] ^ wanted);
        if (bits <= distance) expected.emplace_back(number, bits);
      }
      ASSERT_EQ(found, expected) << distance;
      pairs += static_cast<int64_t>(found.size());
    }
    EXPECT_GT(pairs, 5) << distance;
  }
}

TEST(FingerprintIndex, QuartersReachAsFarAsTheDistanceNeeds) {
  for (int distance = 0; distance <= kMostDistance; ++distance) {
    int sum = 0;
    for (int quarter = 0; quarter < kQuarters; ++quarter) sum += ReachOf(distance, quarter) + 1;
    EXPECT_EQ(sum, distance + 1);
  }
  const std::vector<int64_t> values = {1, 2, 3, 4, 20, 36, 52, 68, 188, 308, 428, 548};
  for (int distance = 0; distance <= kMostDistance; ++distance) {
    EXPECT_EQ(ValuesLookedAt(distance), values[static_cast<size_t>(distance)]);
  }
  for (const int bits : {0, 1, 2}) {
    std::set<uint16_t> flips;
    for (const uint16_t flip : FlipsWithin(bits)) {
      EXPECT_LE(std::popcount(flip), bits);
      flips.insert(flip);
    }
    EXPECT_EQ(flips.size(), std::vector<size_t>({1, 17, 137})[static_cast<size_t>(bits)]);
  }
}

TEST(FingerprintRows, TheKeyOfAQuarterSaysTheFingerprint) {
  constexpr uint64_t kFingerprint = 0x0123456789ABCDEF, kDigest = 0x00FF;
  EXPECT_EQ(QuarterKey(kFingerprint, 0, kDigest), "00123)456789abcdef00000000000000ff");
  EXPECT_EQ(QuarterKey(kFingerprint, 2, kDigest), "289ab)01234567cdef00000000000000ff");
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const uint64_t fingerprint = random(), digest = random();
    const int quarter = i % 4;
    const std::string key = QuarterKey(fingerprint, quarter, digest);
    const auto place = QuarterPlaceOf(key);
    ASSERT_TRUE(place);
    EXPECT_EQ(std::tie(place->quarter, place->fingerprint, place->digest), std::tie(quarter, fingerprint, digest));
    const SidecarEntry entry = SidecarOf(FingerprintRow{.key = key});
    const uint64_t bits = uint64_t{entry.depth} << 22 | uint64_t{entry.inlinks} << 6 | (entry.state & 63U);
    EXPECT_EQ(bits, RestOf(fingerprint, quarter) >> 18);
    EXPECT_EQ(entry.state & kQuarterState, kQuarterState);
  }
  EXPECT_FALSE(QuarterPlaceOf(StandingKey(ContentOf("a"))));
  EXPECT_EQ(SidecarOf(FingerprintRow{.key = StandingKey(ContentOf("a"))}).state, 1);
  EXPECT_EQ(SidecarOf(FingerprintRow{.key = QuarterKey(1, 1, 1), .removed = true}).state, 0);
}

TEST(FingerprintRows, TurnsSortByOrderThenContent) {
  using std::string_literals::operator""s;
  const std::vector<std::pair<std::string, std::string>> ordered = {
      {"", "b"},  {"\0"s, "a"}, {"\0\0"s, "a"}, {"\0\1"s, "a"}, {"\1"s, "a"},
      {"a", "b"}, {"a", "c"},   {"a\0"s, "a"},  {"ab", "a"},    {"\xFF\xFF\xFF\xFF", "a"}};
  for (size_t i = 1; i < ordered.size(); ++i) {
    EXPECT_LT(ordered[i - 1], ordered[i]);
    EXPECT_LT(TurnOf(ordered[i - 1].first, ordered[i - 1].second), TurnOf(ordered[i].first, ordered[i].second)) << i;
  }
}

// The sketch of a page: one of five texts in one template, as it is or with a word changed; or none.
std::string SketchOfPage(Random& random) {
  const auto text = static_cast<int>(random() % 6);
  if (text == 5) return "";
  std::string page;
  for (int i = 0; i < 40; ++i) page += "label " + std::to_string(i) + "\n";
  const int changed = random() % 2 == 0 ? static_cast<int>(random() % 30) : -1;
  for (int i = 0; i < 30; ++i) page += (i == changed ? "other" : std::to_string(text * 1000 + i)) + " ";
  return TextSketchOf(page).Bytes();
}

bool PassLook(const std::string& a, const std::string& b) {
  return MayBeCopies(TextSketch::FromBytes(a), TextSketch::FromBytes(b));
}

TEST(NearDecisions, AreTheSameHoweverFewFitIntoMemory) {
  Random random(3);
  std::vector<ContentTurn> turns;
  for (const uint64_t fingerprint : Fingerprints(3000, random)) {
    const std::string order = std::to_string(1'000'000 + turns.size());
    turns.push_back({ContentRowOf(ContentOf(order), fingerprint, order, "com,example)/" + order), {}});
    turns.back().content.text_sketch = SketchOfPage(random);
  }
  // Some have a match in the table, which may be better or worse.
  for (size_t i = 0; i < turns.size(); i += 7) {
    turns[i].match = {static_cast<int32_t>(i % 4), ContentOf("other"), "com,other)/", i % 2 == 0 ? "0" : "9"};
  }
  using Decided = std::map<std::string, std::tuple<std::string, std::string, int>>;
  const auto decide = [&turns](size_t most, bool second_look) {
    Decided decided;
    StopToken stop;
    NearDecisions decisions(
        {.distance = 3, .temp_folder = "/tmp", .most_in_memory = most, .second_look = second_look}, stop,
        [&decided](const ContentTurn& turn) {
          EXPECT_TRUE(
              decided.emplace(turn.content.key, std::tuple(turn.match.content, turn.match.page, turn.match.distance))
                  .second);
          return arrow::Status::OK();
        });
    for (const ContentTurn& turn : turns) EXPECT_OK(decisions.Add(turn));
    EXPECT_OK(decisions.Finish());
    return decided;
  };
  for (const bool second_look : {false, true}) {
    const Decided all = decide(1'000'000, second_look);
    EXPECT_EQ(all.size(), turns.size());
    EXPECT_EQ(decide(100, second_look), all);
    EXPECT_EQ(decide(1021, second_look), all);
    EXPECT_NE(decide(100, !second_look), all);
  }
}

TEST(NearDecisions, OnlySoManyOfOneFingerprintAreToldApart) {
  // Sketches of which no two pass, although one in thousands of pairs does by chance.
  std::vector<TextSketch> sketches;
  for (int i = 0; sketches.size() < kMostToldApart + 20; ++i) {
    std::string page;
    for (int word = 0; word < 100; ++word) page += std::to_string(i) + "x" + std::to_string(word) + " ";
    const TextSketch sketch = TextSketchOf(page);
    const auto passes = [&sketch](const TextSketch& other) { return MayBeCopies(sketch, other); };
    if (std::none_of(sketches.begin(), sketches.end(), passes)) sketches.push_back(sketch);
  }
  int standing = 0, near_the_first = 0;
  StopToken stop;
  NearDecisions decisions({.distance = 3, .temp_folder = "/tmp", .second_look = true}, stop,
                          [&](const ContentTurn& turn) {
                            standing += turn.match.content.empty() ? 1 : 0;
                            near_the_first += turn.match.order == "1000000" ? 1 : 0;
                            return arrow::Status::OK();
                          });
  for (size_t i = 0; i < sketches.size(); ++i) {
    const std::string order = std::to_string(1'000'000 + i);
    ContentTurn turn = {ContentRowOf(ContentOf(order), 77, order, "com,example)/" + order), {}};
    turn.content.text_sketch = sketches[i].Bytes();
    EXPECT_OK(decisions.Add(std::move(turn)));
  }
  EXPECT_OK(decisions.Finish());
  EXPECT_EQ(standing, kMostToldApart);
  EXPECT_EQ(near_the_first, 20);
}

// What the rules say, by comparing all pairs.
class Reference {
 public:
  explicit Reference(int distance, bool second_look = true) : distance_(distance), second_look_(second_look) {}

  struct Content {
    SettledContentRow row;
    std::string other;  // content; empty: it stands
    int distance = 0;
  };

  void Settle(const std::vector<SettledContentRow>& news, bool all = false) {
    if (all) contents_.clear();
    std::map<std::pair<std::string, std::string>, SettledContentRow> anew;  // by order and content
    std::set<std::string> left;
    for (const SettledContentRow& row : news) {
      const std::string content = row.key.substr(0, 64);
      const auto known = contents_.find(content);
      const bool stays = known != contents_.end() && !row.is_gone && known->second.row.simhash == row.simhash &&
                         known->second.row.text_sketch == row.text_sketch;
      if (stays) {
        known->second.row = row;
        continue;
      }
      if (known != contents_.end()) contents_.erase(known);
      left.insert(content);
      if (!row.is_gone && row.simhash != 0) anew[{row.order, content}] = row;
    }
    for (auto it = contents_.begin(); it != contents_.end();) {
      if (!it->second.other.empty() && left.contains(it->second.other)) {
        anew[{it->second.row.order, it->first}] = it->second.row;
        it = contents_.erase(it);
      } else {
        ++it;
      }
    }
    std::vector<const Content*> standing;
    for (const auto& [content, known] : contents_) {
      if (known.other.empty()) standing.push_back(&known);
    }
    for (const auto& [place, row] : anew) {
      Content decided = {.row = row};
      const Content* best = nullptr;
      for (const Content* const other : standing) {
        const int bits = std::popcount(static_cast<uint64_t>(other->row.simhash ^ row.simhash));
        if (bits > distance_ || (second_look_ && !PassLook(row.text_sketch, other->row.text_sketch))) continue;
        if (best == nullptr || std::tie(bits, other->row.order, other->row.key) <
                                   std::tie(decided.distance, best->row.order, best->row.key)) {
          best = other;
          decided.distance = bits;
        }
      }
      if (best != nullptr) decided.other = best->row.key.substr(0, 64);
      const Content& stored = contents_[place.second] = decided;
      if (best == nullptr) standing.push_back(&stored);
    }
  }

  std::vector<FingerprintRow> Rows() const {
    std::vector<FingerprintRow> rows;
    for (const auto& [content, known] : contents_) {
      EXPECT_OK(ForEachRowOf({.key = known.row.key,
                              .content = known.other,
                              .distance = known.distance,
                              .simhash = known.row.simhash,
                              .page = known.row.page,
                              .order = known.row.order,
                              .text_sketch = known.row.text_sketch},
                             [&rows](const FingerprintRow& row) {
                               rows.push_back(row);
                               return arrow::Status::OK();
                             }));
    }
    SortRows(&rows);
    return rows;
  }

  const std::map<std::string, Content>& contents() const { return contents_; }
  std::string PageOfOther(const Content& content) const {
    return content.other.empty() ? "" : contents_.at(content.other).row.page;
  }

 private:
  const int distance_;
  const bool second_look_;
  std::map<std::string, Content> contents_;
};

// The pointers of pages, as verdicts change them.
using Pointers = std::map<std::string, std::pair<std::string, int>>;  // by content and page

void Apply(const std::vector<VerdictRow>& verdicts, Pointers* pointers) {
  for (const VerdictRow& verdict : verdicts) {
    EXPECT_TRUE(verdict.is_near && !verdict.is_exact);
    (*pointers)[verdict.key] = {verdict.near_duplicate_of, verdict.distance};
  }
}

void ExpectPointers(const Reference& reference, const Pointers& pointers) {
  for (const auto& [content, known] : reference.contents()) {
    const auto pointer = pointers.find(known.row.key + known.row.page);
    ASSERT_NE(pointer, pointers.end());
    ASSERT_EQ(pointer->second, std::pair(reference.PageOfOther(known), known.distance));
  }
}

class NearJob : public ::testing::Test {
 protected:
  NearJob() : scene_(crawl_.store(), folder_.path()) {}

  SegmentFixture crawl_;
  TemporaryFolder folder_;
  NearScene scene_;
};

std::vector<SettledContentRow> ContentsOf(const std::vector<uint64_t>& fingerprints, Random& random) {
  std::vector<SettledContentRow> rows;
  for (const uint64_t fingerprint : fingerprints) {
    const std::string number = std::to_string(rows.size());
    // Orders have zeros and repeat.
    const std::string order = {static_cast<char>(random() % 3), static_cast<char>(random()),
                               static_cast<char>(random())};
    rows.push_back(ContentRowOf(ContentOf(number), fingerprint, order, "com,example)/" + number));
    rows.back().text_sketch = SketchOfPage(random);
  }
  return rows;
}

TEST_F(NearJob, DecidesAsComparingAllDoes) {
  Random random(4);
  const std::vector<SettledContentRow> rows = ContentsOf(Fingerprints(20'000, random), random);
  for (const int distance : {0, 3, 6, 10}) {
    scene_.second_look = distance != 6;
    Reference reference(distance, scene_.second_look);
    reference.Settle(rows);
    scene_.distance = distance;
    ASSERT_OK_AND_ASSIGN(const NearSettlement settled, scene_.Settle(rows, /*all=*/true));
    EXPECT_EQ(scene_.Rows(), reference.Rows()) << distance;
    Pointers pointers;
    Apply(settled.verdicts, &pointers);
    ExpectPointers(reference, pointers);
    EXPECT_GT(settled.output.counters.Get("near_found"), 100);
    EXPECT_EQ(settled.output.counters.Get("near_decided"), 20'000);
  }
}

TEST_F(NearJob, AgainstATableItFindsWhatComparingAllFinds) {
  Random random(5);
  const std::vector<SettledContentRow> rows = ContentsOf(Fingerprints(20'000, random), random);
  const std::vector<SettledContentRow> first(rows.begin(), rows.begin() + 12'000),
      few(rows.begin() + 12'000, rows.begin() + 12'040), many(rows.begin() + 12'040, rows.end());
  for (const int distance : {0, 3, 6, 10}) {
    Reference reference(distance);
    scene_.distance = distance;
    Pointers pointers;
    bool is_first = true;
    for (const auto& news : {first, few, many}) {
      reference.Settle(news);
      ASSERT_OK_AND_ASSIGN(const NearSettlement settled, scene_.Settle(news, is_first));
      is_first = false;
      Apply(settled.verdicts, &pointers);
    }
    EXPECT_EQ(scene_.Rows(), reference.Rows()) << distance;
    ExpectPointers(reference, pointers);
  }
}

TEST_F(NearJob, BothWaysOfSearchingFindTheSame) {
  Random random(6);
  const std::vector<SettledContentRow> rows = ContentsOf(Fingerprints(8'000, random), random);
  scene_.distance = 2;
  ASSERT_OK(scene_.Settle({rows.begin(), rows.begin() + 5'000}, true));
  ASSERT_OK(scene_.Settle({rows.begin() + 5'000, rows.begin() + 7'000}));
  std::vector<SettledContentRow> gone(rows.begin() + 100, rows.begin() + 2'000);
  for (SettledContentRow& row : gone) row.is_gone = true;
  ASSERT_OK(scene_.Settle(gone));
  ASSERT_OK_AND_ASSIGN(const auto table, Table::Open<FingerprintRow>(crawl_.store(), crawl_.Present()));
  ASSERT_EQ(table->runs().size(), 3u);
  std::vector<uint64_t> wanted;
  std::vector<TextSketch> sketches;
  for (int i = 0; i < 200; ++i) {
    const uint64_t known = static_cast<uint64_t>(rows[random() % rows.size()].simhash);
    sketches.push_back(TextSketch::FromBytes(SketchOfPage(random)));
    wanted.push_back(Flipped(known, static_cast<int>(random() % 9), random));
  }
  const std::vector<FingerprintRow> present = scene_.Rows();
  std::vector<uint64_t> leaving;
  for (size_t i = 2'000; i < 2'400; ++i) ASSERT_OK(BeginningOf(rows[i].key.substr(0, 64), &leaving.emplace_back()));
  std::sort(leaving.begin(), leaving.end());
  const StopToken stop;
  ASSERT_OK_AND_ASSIGN(const auto none_moved, Table::OpenRuns<FingerprintRow>(crawl_.store(), {}));
  for (const int distance : {0, 1, 3, 4, 6, 8, 10}) {
    std::map<uint32_t, std::tuple<int, std::string, std::string>> expected, found[2];
    for (uint32_t number = 0; number < wanted.size(); ++number) {
      for (const FingerprintRow& row : present) {
        const auto place = QuarterPlaceOf(row.key);
        if (!place || place->quarter != 0 || std::binary_search(leaving.begin(), leaving.end(), place->digest))
          continue;
        const std::tuple match(std::popcount(place->fingerprint ^ wanted[number]), row.order, row.content);
        if (std::get<0>(match) > distance) continue;
        if (distance != 4 && !MayBeCopies(sketches[number], TextSketch::FromBytes(row.text_sketch))) continue;
        const auto known = expected.try_emplace(number, match).first;
        known->second = std::min(known->second, match);
      }
    }
    EXPECT_GT(expected.size(), 5u);
    for (const int way : {0, 1}) {
      for (const SlotRange slots : {SlotRange{0, 20'000}, SlotRange{20'000, kSlots}}) {
        NearSearch search(table, none_moved, slots, distance, leaving, stop);
        search.Take(way == 0 ? NearSearch::Way::kPlaces : NearSearch::Way::kAll);
        ASSERT_OK_AND_ASSIGN(const auto matches,
                             search.Search(wanted, distance == 4 ? std::span<const TextSketch>() : sketches));
        for (const auto& [number, match] : matches) {
          const std::tuple one(match.distance, match.order, match.content);
          const auto known = found[way].try_emplace(number, one).first;
          known->second = std::min(known->second, one);
        }
      }
      EXPECT_EQ(found[way], expected) << distance << " " << way;
    }
  }
}

// Contents come, go, change their page, their order or their fingerprint, lose it, and come back.
void RunRounds(NearScene* scene, SegmentFixture* crawl, NearPolicy policy, uint64_t seed) {
  Random random(seed);
  scene->near_policy = policy;
  const std::vector<SettledContentRow> all = ContentsOf(Fingerprints(1'500, random), random);
  std::map<std::string, SettledContentRow> there;
  Reference reference(scene->distance);
  Pointers pointers;
  for (int round = 0; round < 15; ++round) {
    std::map<std::string, SettledContentRow> news;
    for (int i = 0; i < 150; ++i) {
      SettledContentRow row = all[random() % all.size()];
      if (news.contains(row.key)) continue;
      const auto known = there.find(row.key);
      if (known != there.end()) row = known->second;
      const uint64_t what = known == there.end() ? 0 : 1 + random() % 6;
      if (what <= 1 && known != there.end()) row.is_gone = true;
      if (what == 2 || what == 3) row.page = "com,example)/p" + std::to_string(random() % 1000);
      if (what == 3 || what == 4) row.order = std::to_string(random() % 1000);
      if (what == 5) row.simhash = static_cast<int64_t>(Flipped(static_cast<uint64_t>(row.simhash), 2, random));
      if (what == 6 && random() % 4 == 0) row.simhash = 0;
      if (what == 6 && random() % 4 == 0) row.text_sketch = SketchOfPage(random);
      if (what == 0 && row.simhash == 0) row.simhash = 1;
      news[row.key] = row;
    }
    std::vector<SettledContentRow> rows;
    for (const auto& [key, row] : news) {
      rows.push_back(row);
      // Pages that left a content have no pointer, whatever settle says.
      if (row.is_gone) {
        if (there.contains(key)) pointers.erase(key + there[key].page);
        there.erase(key);
      } else {
        there[key] = row;
      }
    }
    reference.Settle(rows);
    ASSERT_OK_AND_ASSIGN(const NearSettlement settled, scene->Settle(rows));
    ASSERT_EQ(scene->Rows(), reference.Rows()) << round;
    Apply(settled.verdicts, &pointers);
    ExpectPointers(reference, pointers);
    std::set<std::string> pages;
    for (const auto& [key, row] : there) {
      pages.insert(key + row.page);
      if (row.simhash != 0) continue;
      EXPECT_EQ(pointers.at(key + row.page), std::pair(std::string(), 0));
    }
    for (const auto& [page, pointer] : pointers) {
      if (policy == NearPolicy::kDuplicate || pages.contains(page)) continue;
      EXPECT_EQ(pointer.first, "") << page;
    }
    // No two that stand are near each other.
    std::vector<const SettledContentRow*> standing;
    for (const auto& [content, known] : reference.contents()) {
      if (!known.other.empty()) {
        EXPECT_TRUE(reference.contents().at(known.other).other.empty());
        continue;
      }
      for (const SettledContentRow* const other : standing) {
        const bool is_near =
            std::popcount(static_cast<uint64_t>(other->simhash ^ known.row.simhash)) <= scene->distance;
        EXPECT_FALSE(is_near && PassLook(other->text_sketch, known.row.text_sketch));
      }
      standing.push_back(&known.row);
    }
    EXPECT_GT(reference.contents().size() - standing.size(), round < 3 ? 0u : 5u);
  }
  // All anew: the same as if it had come at once.
  std::vector<SettledContentRow> rows;
  for (const auto& [key, row] : there) rows.push_back(row);
  Reference at_once(scene->distance);
  at_once.Settle(rows);
  EXPECT_NE(at_once.Rows(), reference.Rows()) << "history matters until then";
  ASSERT_OK_AND_ASSIGN(const NearSettlement settled, scene->Settle(rows, true));
  EXPECT_EQ(scene->Rows(), at_once.Rows());
  Apply(settled.verdicts, &pointers);
  ExpectPointers(at_once, pointers);
  EXPECT_EQ(crawl->Present().tables.at(FingerprintRow::kTable).size(), 1u);
}

TEST_F(NearJob, RoundsAreDecidedAsTheRulesSay) { RunRounds(&scene_, &crawl_, NearPolicy::kMark, 7); }
TEST_F(NearJob, RoundsAreDecidedAsTheRulesSayAtALargeDistance) {
  scene_.distance = 10;
  RunRounds(&scene_, &crawl_, NearPolicy::kMark, 8);
}
TEST_F(NearJob, WhereNearOnesAreDuplicatesAVerdictHoldsForAllPages) {
  RunRounds(&scene_, &crawl_, NearPolicy::kDuplicate, 9);
}

TEST_F(NearJob, PartsDoNotChangeRows) {
  Random random(10);
  std::vector<SettledContentRow> rows = ContentsOf(Fingerprints(3'000, random), random);
  ASSERT_OK(scene_.Settle({rows.begin(), rows.begin() + 2'000}));
  std::vector<SettledContentRow> news(rows.begin() + 1'500, rows.end());
  for (size_t i = 0; i < 500; ++i) {
    news[i].is_gone = i % 2 == 0;
    news[i].page += "x";
  }
  ASSERT_OK_AND_ASSIGN(const RunReference contents, scene_.WriteContents(news));
  std::set<std::string> fingerprints, verdicts;
  for (const int parts : {1, 2, 5, 8}) {
    scene_.parts = parts;
    ASSERT_OK_AND_ASSIGN(const NearSettlement settled, scene_.Compare(contents, false));
    fingerprints.insert(settled.output.runs.at(FingerprintRow::kTable).digest.ToHex());
    verdicts.insert(settled.output.runs.at(VerdictRow::kTable).digest.ToHex());
  }
  EXPECT_EQ(fingerprints.size(), 1u);
  EXPECT_EQ(verdicts.size(), 1u);
  // What the jobs tell each other is gone: left are the runs of the table, of the four settlements, and the contents that
  // the test wrote.
  const auto folders = [this](const char* table) {
    const std::filesystem::directory_iterator runs(crawl_.root() + "/crawldb/" + table), end;
    return std::distance(runs, end);
  };
  EXPECT_EQ(folders("fingerprints"), 5);
  EXPECT_EQ(folders("settle_verdicts"), 5);
  EXPECT_EQ(folders("settle_contents"), 2);
}

// A and C are both near B, and not near each other.
TEST_F(NearJob, AChainIsDecidedInOrder) {
  const std::string a = ContentOf("a"), b = ContentOf("b"), c = ContentOf("c");
  const SettledContentRow row_a = ContentRowOf(a, 0b000111, "1", "com,example)/a"),
                          row_b = ContentRowOf(b, 0b111111, "2", "com,example)/b"),
                          row_c = ContentRowOf(c, 0b111111'000, "3", "com,example)/c");
  const auto pointers = [](const NearSettlement& settled) {
    std::map<std::string, std::string> of;
    for (const VerdictRow& row : settled.verdicts) {
      of[row.key.substr(65)] = row.near_duplicate_of + " " + std::to_string(row.distance);
    }
    return of;
  };
  using Map = std::map<std::string, std::string>;
  // A stands first; B is near A; C is not near A, so it stands.
  ASSERT_OK_AND_ASSIGN(NearSettlement settled, scene_.Settle({row_a, row_b, row_c}));
  EXPECT_EQ(pointers(settled),
            (Map{{"com,example)/a", " 0"}, {"com,example)/b", "com,example)/a 3"}, {"com,example)/c", " 0"}}));
  // A has another page: B follows.
  SettledContentRow moved = row_a;
  moved.page = "com,example)/z";
  ASSERT_OK_AND_ASSIGN(settled, scene_.Settle({moved}));
  EXPECT_EQ(pointers(settled),
            (Map{{"com,example)/a", " 0"}, {"com,example)/z", " 0"}, {"com,example)/b", "com,example)/z 3"}}));
  // A leaves: B is six bits from C, three at most, so it stands.
  SettledContentRow gone = moved;
  gone.is_gone = true;
  ASSERT_OK_AND_ASSIGN(settled, scene_.Settle({gone}));
  EXPECT_EQ(pointers(settled), (Map{{"com,example)/b", " 0"}}));
  // A comes back: it is near B now, and stays so until all is decided anew.
  ASSERT_OK_AND_ASSIGN(settled, scene_.Settle({row_a}));
  EXPECT_EQ(pointers(settled), (Map{{"com,example)/a", "com,example)/b 3"}}));
  ASSERT_OK_AND_ASSIGN(settled, scene_.Settle({row_a, row_b, row_c}, true));
  EXPECT_EQ(pointers(settled),
            (Map{{"com,example)/a", " 0"}, {"com,example)/b", "com,example)/a 3"}, {"com,example)/c", " 0"}}));
}

// Both texts are near A by their fingerprints; one is another text.
TEST_F(NearJob, ATextInTheSameTemplateIsNearNoneUnlessNoSecondLookIsTaken) {
  std::string around;
  for (int i = 0; i < 200; ++i) around += "label " + std::to_string(i) + " of the menu\n";
  const std::string text = "One of the ships that went down in the storm of that year has been found by divers";
  const auto row = [&](const std::string& name, uint64_t fingerprint, const std::string& body) {
    SettledContentRow content = ContentRowOf(ContentOf(name), fingerprint, name, "com,example)/" + name);
    content.text_sketch = TextSketchOf(around + body).Bytes();
    return content;
  };
  const SettledContentRow a = row("a", 0b0001, text), copy = row("b", 0b0011, text + " today"),
                          other = row("c", 0b0111, "The council will vote on new rules for parking next Tuesday night");
  const auto pointers = [](const NearSettlement& settled) {
    std::map<std::string, std::string> of;
    for (const VerdictRow& verdict : settled.verdicts) of[verdict.key.substr(65)] = verdict.near_duplicate_of;
    return of;
  };
  using Map = std::map<std::string, std::string>;
  ASSERT_OK_AND_ASSIGN(NearSettlement settled, scene_.Settle({a, copy, other}));
  EXPECT_EQ(pointers(settled),
            (Map{{"com,example)/a", ""}, {"com,example)/b", "com,example)/a"}, {"com,example)/c", ""}}));
  // What was stored before there were sketches is compared by fingerprints alone; a sketch that comes decides anew.
  SettledContentRow unknown = other;
  unknown.text_sketch.clear();
  ASSERT_OK_AND_ASSIGN(settled, scene_.Settle({unknown}));
  EXPECT_EQ(pointers(settled), (Map{{"com,example)/c", "com,example)/a"}}));
  ASSERT_OK_AND_ASSIGN(settled, scene_.Settle({other}));
  EXPECT_EQ(pointers(settled), (Map{{"com,example)/c", ""}}));
  scene_.second_look = false;
  ASSERT_OK_AND_ASSIGN(settled, scene_.Settle({a, copy, other}, true));
  EXPECT_EQ(pointers(settled)["com,example)/c"], "com,example)/a");
}

TEST_F(NearJob, ContentsWithoutFingerprintsAreNearNone) {
  const SettledContentRow none = ContentRowOf(ContentOf("a"), 0, "1", "com,example)/a"),
                          other = ContentRowOf(ContentOf("b"), 0, "2", "com,example)/b");
  ASSERT_OK_AND_ASSIGN(const NearSettlement settled, scene_.Settle({none, other}));
  EXPECT_EQ(settled.verdicts.size(), 2u);
  EXPECT_FALSE(settled.output.runs.contains(FingerprintRow::kTable));
}

}  // namespace
}  // namespace trawl
