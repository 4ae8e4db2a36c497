#include "runtime/shuffle/trailer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace trawl {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

using Partition = std::map<std::string, std::vector<std::string>>;

class MapSink : public RecordSink {
 public:
  explicit MapSink(int partitions) : partitions_(static_cast<size_t>(partitions)) {}
  arrow::Status Emit(int partition, std::string_view key, std::string_view value) override {
    partitions_[static_cast<size_t>(partition)][std::string(key)].emplace_back(value);
    return arrow::Status::OK();
  }
  Partition& operator[](size_t partition) { return partitions_[partition]; }

 private:
  std::vector<Partition> partitions_;
};

class MapStream : public GroupStream {
 public:
  explicit MapStream(const Partition& records) : records_(records), next_(records.begin()) {}
  arrow::Result<bool> NextGroup() override {
    if (next_ == records_.end()) return false;
    group_ = next_++;
    value_ = 0;
    return true;
  }
  std::string_view key() const override { return group_->first; }
  arrow::Result<bool> NextValue(std::string_view* value) override {
    if (value_ == group_->second.size()) return false;
    *value = group_->second[value_++];
    return true;
  }

 private:
  const Partition& records_;
  Partition::const_iterator next_;
  Partition::const_iterator group_;
  size_t value_ = 0;
};

// Three map tasks, two partitions; partition 1 gets records only from task 2.
MapSink ThreeTasks() {
  MapSink sink(2);
  for (uint32_t task = 0; task < 3; ++task) {
    TrailerSink trailers(&sink, task, 2);
    for (uint32_t i = 0; i < 10 * task; ++i) EXPECT_TRUE(trailers.Emit(0, "\x01\x02k" + std::to_string(i), "v").ok());
    if (task == 2) {
      EXPECT_TRUE(trailers.Emit(1, "\xFF\xFFz"s, "v").ok());
    }
    EXPECT_TRUE(trailers.Finish().ok());
  }
  return sink;
}

arrow::Status Check(const Partition& partition, uint32_t map_tasks) {
  MapStream stream(partition);
  TrailerCheck check(&stream, map_tasks);
  return check.Finish();
}

TEST(Trailer, IsTheLastKeyTheTaskAndItsRecords) {
  MapSink sink = ThreeTasks();
  const std::string trailers("\xFF\xFF\xFF");
  EXPECT_EQ(sink[0].rbegin()->first, trailers);
  EXPECT_EQ(sink[0][trailers][2], "\x02\0\0\0\x14\0\0\0\0\0\0\0"s);
  EXPECT_EQ(sink[1].rbegin()->first, trailers);
  EXPECT_EQ(sink[1][trailers], (std::vector<std::string>{"\0\0\0\0\0\0\0\0\0\0\0\0"s, "\x01\0\0\0\0\0\0\0\0\0\0\0"s,
                                                         "\x02\0\0\0\x01\0\0\0\0\0\0\0"s}));
}

TEST(Trailer, IsHiddenFromTheReducer) {
  MapSink sink = ThreeTasks();
  MapStream stream(sink[0]);
  TrailerCheck check(&stream, 3);
  size_t groups = 0;
  while (check.NextGroup().ValueOrDie()) {
    ++groups;
    std::string_view value;
    // Every third group is left unread, or half read.
    if (groups % 3 == 0) continue;
    EXPECT_TRUE(check.NextValue(&value).ValueOrDie());
    while (groups % 3 == 1 && check.NextValue(&value).ValueOrDie()) {
    }
  }
  EXPECT_EQ(groups, sink[0].size() - 1);
  EXPECT_EQ(check.records(), 30);
  EXPECT_FALSE(check.NextGroup().ValueOrDie());
  EXPECT_TRUE(check.Finish().ok());
}

TEST(Trailer, FinishReadsWhatTheReducerLeft) {
  MapSink sink = ThreeTasks();
  MapStream stream(sink[0]);
  TrailerCheck check(&stream, 3);
  ASSERT_TRUE(check.NextGroup().ValueOrDie());
  EXPECT_TRUE(check.Finish().ok());
  EXPECT_EQ(check.records(), 30);
}

TEST(Trailer, AnythingMissingOrTooMuchFails) {
  const std::string trailers("\xFF\xFF\xFF");
  const struct {
    const char* what;
    uint32_t map_tasks;
    void (*damage)(Partition&);
    const char* message;
  } kCases[] = {
      {"a task more is expected", 4, [](Partition&) {}, "no trailer of map task 3"},
      {"a task fewer is expected", 2, [](Partition&) {}, "map task 2 where there are 2"},
      {"a trailer is missing", 3, [](Partition& p) { p["\xFF\xFF\xFF"].erase(p["\xFF\xFF\xFF"].begin()); },
       "no trailer of map task 0"},
      {"a trailer is doubled", 3, [](Partition& p) { p["\xFF\xFF\xFF"].push_back(p["\xFF\xFF\xFF"][1]); },
       "two trailers of map task 1"},
      {"all trailers are missing", 3, [](Partition& p) { p.erase("\xFF\xFF\xFF"); }, "no trailer of map task 0"},
      {"a record is missing", 3, [](Partition& p) { p.erase(p.begin()); }, "records came"},
      {"a record is doubled", 3, [](Partition& p) { p.begin()->second.push_back("v"); }, "31 records came"},
      {"a trailer is short", 3, [](Partition& p) { p["\xFF\xFF\xFF"][2].pop_back(); }, "a trailer of 11 bytes"},
      {"a key sorts behind", 3, [](Partition& p) { p["\xFF\xFF\xFF\x01"] = {"v"}; }, "a group after the trailers"},
      {"a stranger among the last keys", 3,
       [](Partition& p) {
         p.erase("\xFF\xFF\xFF");
         p["\xFF\xFF\xFF\x01"] = {"v"};
       },
       "sorts after the trailers: ffffff01"},
  };
  for (const auto& c : kCases) {
    MapSink sink = ThreeTasks();
    ASSERT_TRUE(Check(sink[0], 3).ok());
    c.damage(sink[0]);
    const arrow::Status status = Check(sink[0], c.map_tasks);
    EXPECT_TRUE(status.IsIOError()) << c.what;
    EXPECT_THAT(status.message(), HasSubstr(c.message)) << c.what;
  }
}

TEST(Trailer, FailureStays) {
  const Partition nothing;
  MapStream stream(nothing);
  TrailerCheck check(&stream, 1);
  EXPECT_FALSE(check.NextGroup().ok());
  EXPECT_FALSE(check.NextGroup().ok());
  EXPECT_FALSE(check.Finish().ok());
}

TEST(Trailer, NoMapTaskNeedsNoTrailer) { EXPECT_TRUE(Check({}, 0).ok()); }

TEST(Trailer, KeysBehindItAreRefused) {
  MapSink sink(1);
  TrailerSink trailers(&sink, 0, 1);
  EXPECT_TRUE(trailers.Emit(0, "\xFF\xFF\x7F", "").ok());
  EXPECT_FALSE(trailers.Emit(0, kTrailerKey, "").ok());
  EXPECT_FALSE(trailers.Emit(0, "\xFF\xFF\xFFz", "").ok());
  EXPECT_FALSE(trailers.Emit(1, "k", "").ok());
  EXPECT_TRUE(trailers.Finish().ok());
  EXPECT_FALSE(trailers.Emit(0, "k", "").ok());
  EXPECT_FALSE(trailers.Finish().ok());
}

}  // namespace
}  // namespace trawl
