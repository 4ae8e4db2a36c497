#include "formats/documents/attempt_entry.h"

#include <gtest/gtest.h>

#include "formats/documents/sealed_json.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

AttemptEntry Part() {
  AttemptEntry entry;
  entry.event = AttemptEvent::kPart;
  entry.attempt = "20260101T000000Z-fetch-00000001-m0-0";
  entry.process = {"boot pid:[1]", 4711, 99};
  entry.lease_ms = 60'000;
  entry.at_ms = 1'772'366'400'000;
  FileReceipt file;
  file.name = "x-0.orc";
  file.rows = 3;
  entry.files["fetch"] = {file};
  entry.counters = {{"pages", 3}};
  return entry;
}

TEST(AttemptEntry, EveryKindComesBackAsItWas) {
  AttemptEntry begin = Part(), beat = Part(), end = Part();
  begin.files = beat.files = end.files = {};
  begin.counters = beat.counters = end.counters = Json::object();
  begin.event = AttemptEvent::kBegin;
  begin.lists_job = "20260101T000000Z-generate-00000001";
  beat.event = AttemptEvent::kBeat;
  end.event = AttemptEvent::kEnd;
  end.done = true;
  end.gauges = {{"settled", 3}, {"left", 0}};
  AttemptEntry shown = Part();
  shown.gauges = {{"left", 7}};
  for (const AttemptEntry& entry : {begin, Part(), shown, beat, end}) {
    ASSERT_OK_AND_ASSIGN(const Json json, OpenSealedJson(SealJson(ToJson(entry)), "n.json"));
    ASSERT_OK_AND_ASSIGN(const AttemptEntry back, AttemptEntryFromJson(json));
    EXPECT_EQ(back, entry) << NameOf(entry.event);
  }
}

TEST(AttemptEntry, WhatIsMissingUnknownOrNewerIsRefused) {
  for (const char* member :
       {"format", "kind", "attempt", "machine", "pid", "started", "lease_ms", "at_ms", "files", "counters"}) {
    Json json = ToJson(Part());
    json.erase(member);
    EXPECT_FALSE(AttemptEntryFromJson(json).ok()) << member;
  }
  Json json = ToJson(Part());
  json["kind"] = "pause";
  EXPECT_FALSE(AttemptEntryFromJson(json).ok());
  json = ToJson(Part());
  json["gauges"] = "many";
  EXPECT_FALSE(AttemptEntryFromJson(json).ok());
  json = ToJson(Part());
  json["format"] = 2;
  EXPECT_FALSE(AttemptEntryFromJson(json).ok());
}

}  // namespace
}  // namespace trawl
