#include "formats/hadoop/yarn_room.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

constexpr char kMetrics[] = R"({"clusterMetrics": {"appsRunning": 1, "totalMB": 81920, "totalVirtualCores": 40}})";
constexpr YarnRoom kCluster = {.memory_mb = 81920, .cores = 40};

// As the capacity scheduler of Hadoop 3 answers, without what is not read.
constexpr char kCapacity[] = R"({"scheduler": {"schedulerInfo": {"type": "capacityScheduler", "queueName": "root",
    "absoluteMaxCapacity": 100.0, "queues": {"queue": [
      {"queueName": "default", "queuePath": "root.default", "absoluteCapacity": 30.0, "absoluteMaxCapacity": 50.0},
      {"queueName": "data", "queuePath": "root.data", "absoluteMaxCapacity": 100.0, "queues": {"queue": [
        {"queueName": "crawl", "queuePath": "root.data.crawl", "absoluteMaxCapacity": 25.0}]}}]}}}})";

constexpr char kFair[] = R"({"scheduler": {"schedulerInfo": {"type": "fairScheduler", "rootQueue": {"queueName": "root",
    "maxResources": {"memory": 81920, "vCores": 40}, "childQueues": {"queue": [
      {"queueName": "root.crawl", "maxResources": {"memory": 20480, "vCores": 5}},
      {"queueName": "root.wide", "maxResources": {"memory": 999999999, "vCores": 2147483647}}]}}}}})";

YarnRoom RoomOf(const char* scheduler, const char* queue) {
  const auto room = YarnRoomOfQueue(scheduler, queue, kCluster);
  EXPECT_TRUE(room.ok()) << room.status();
  return room.ValueOr(YarnRoom());
}

TEST(YarnRoom, TheClusterIsAllItsNodes) {
  const auto room = YarnRoomOfCluster(kMetrics);
  ASSERT_TRUE(room.ok()) << room.status();
  EXPECT_EQ(room->memory_mb, 81920);
  EXPECT_EQ(room->cores, 40);
}

TEST(YarnRoom, ACapacityQueueHasAShare) {
  EXPECT_EQ(RoomOf(kCapacity, "").memory_mb, 40960);
  EXPECT_EQ(RoomOf(kCapacity, "default").cores, 20);
  EXPECT_EQ(RoomOf(kCapacity, "crawl").memory_mb, 20480) << "by its name, below another queue";
  EXPECT_EQ(RoomOf(kCapacity, "data.crawl").memory_mb, 20480);
  EXPECT_EQ(RoomOf(kCapacity, "root.data.crawl").memory_mb, 20480);
  EXPECT_EQ(RoomOf(kCapacity, "data").memory_mb, 81920);
}

TEST(YarnRoom, AFairQueueHasAmountsAndNoMoreThanTheCluster) {
  EXPECT_EQ(RoomOf(kFair, "crawl").memory_mb, 20480);
  EXPECT_EQ(RoomOf(kFair, "root.crawl").cores, 5);
  EXPECT_EQ(RoomOf(kFair, "wide").memory_mb, 81920);
  EXPECT_EQ(RoomOf(kFair, "wide").cores, 40);
}

TEST(YarnRoom, AnUnknownQueueOrSchedulerHasTheWholeCluster) {
  EXPECT_EQ(RoomOf(kCapacity, "nobody").memory_mb, 81920);
  EXPECT_EQ(RoomOf(R"({"scheduler": {"schedulerInfo": {"type": "fifoScheduler"}}})", "").cores, 40);
}

TEST(YarnRoom, AnswersOfAnotherKindAreErrors) {
  EXPECT_FALSE(YarnRoomOfCluster("{}").ok());
  EXPECT_FALSE(YarnRoomOfCluster("<html>").ok());
  EXPECT_FALSE(YarnRoomOfQueue(R"({"scheduler": 1})", "", kCluster).ok());
}

TEST(YarnRoom, TasksFitBesideTheApplicationMaster) {
  EXPECT_EQ(YarnSlots({.memory_mb = 8192, .cores = 8}, 1024, 1), 6) << "by memory";
  EXPECT_EQ(YarnSlots({.memory_mb = 81920, .cores = 8}, 1024, 1), 7) << "by cores";
  EXPECT_EQ(YarnSlots({.memory_mb = 81920, .cores = 9}, 1024, 4), 2);
  EXPECT_EQ(YarnSlots({}, 1024, 1), 1);
  EXPECT_EQ(YarnSlots({.memory_mb = 1'000'000'000'000, .cores = 1'000'000'000}, 1024, 1), 100'000);
}

TEST(YarnRoom, WhatAQueueGives) {
  const char kScheduler[] = R"({"scheduler": {"schedulerInfo": {"type": "capacityScheduler", "queueName": "root",
      "queuePath": "root", "queues": {"queue": [
        {"queueName": "default", "queuePath": "root.default", "defaultPriority": 0},
        {"queueName": "crawl", "queuePath": "root.crawl", "defaultPriority": 4, "defaultNodeLabelExpression": "fast"}]}}}})";
  for (const char* name : {"crawl", "root.crawl"}) {
    const auto given = YarnDefaultsOfQueue(kScheduler, name);
    ASSERT_TRUE(given.ok()) << given.status();
    EXPECT_EQ(given->priority, 4);
    EXPECT_EQ(given->label, "fast");
  }
  for (const char* name : {"default", "nobodys"}) {
    const auto given = YarnDefaultsOfQueue(kScheduler, name);
    ASSERT_TRUE(given.ok()) << given.status();
    EXPECT_EQ(given->priority, 0);
    EXPECT_EQ(given->label, "");
  }
  EXPECT_FALSE(YarnDefaultsOfQueue("{}", "default").ok());
}

}  // namespace
}  // namespace trawl
