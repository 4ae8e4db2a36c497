// Which bodies of a list are stored once.
#include "jobs/fetch/shared_bodies.h"

#include <gtest/gtest.h>

#include "formats/digests/digest.h"

namespace trawl {
namespace {

FetchRow Fetched(const std::string& key, const std::string& body) {
  FetchRow row;
  row.key = key;
  row.content_type = "text/html";
  row.body_digest = Sha256Of(body);
  row.response_headers = "HTTP/1.1 200 OK\r\nDate: now\r\nX-Robots-Tag: noindex\r\n\r\n";
  return row;
}

FetchRow StoredAt(FetchRow row, const std::string& file, int64_t number) {
  row.content_file = file;
  row.content_row = number;
  return row;
}

TEST(SharedBodies, AnEqualBodyIsPointedTo) {
  SharedBodies bodies(100);
  bodies.Add(StoredAt(Fetched("a", "one"), "f0", 3));
  bodies.Add(StoredAt(Fetched("b", "two"), "f1", 0));
  FetchRow row = Fetched("c", "one");
  row.response_headers = "HTTP/1.1 200 OK\r\nDate: later\r\nx-robots-tag:  noindex\r\nETag: 7\r\n\r\n";
  EXPECT_TRUE(bodies.Share(&row));
  EXPECT_EQ(row.content_file, "f0");
  EXPECT_EQ(row.content_row, 3);
  EXPECT_TRUE(row.shares_body);
}

TEST(SharedBodies, WhatParseReadsBesideTheBytesMustBeEqualToo) {
  SharedBodies bodies(100);
  bodies.Add(StoredAt(Fetched("a", "one"), "f0", 3));
  const std::vector<std::pair<const char*, void (*)(FetchRow&)>> cases = {
      {"bytes", [](FetchRow& row) { row.body_digest = Sha256Of("other"); }},
      {"no digest", [](FetchRow& row) { row.body_digest.clear(); }},
      {"type", [](FetchRow& row) { row.content_type = "text/html; charset=iso-8859-2"; }},
      {"coding", [](FetchRow& row) { row.kept_codings = "br"; }},
      {"cut", [](FetchRow& row) { row.truncated = Truncation::kSize; }},
      {"wish", [](FetchRow& row) { row.response_headers = "HTTP/1.1 200 OK\r\nX-Robots-Tag: noarchive\r\n\r\n"; }},
      {"link", [](FetchRow& row) { row.response_headers += "Link: </a>; rel=canonical\r\n\r\n"; }},
  };
  for (const auto& [name, change] : cases) {
    FetchRow row = Fetched("c", "one");
    // The list of fields ends with an empty line.
    row.response_headers.resize(row.response_headers.size() - 2);
    change(row);
    EXPECT_FALSE(bodies.Share(&row)) << name;
    EXPECT_FALSE(row.shares_body) << name;
  }
}

TEST(SharedBodies, RememberNoMoreThanTheyMay) {
  SharedBodies bodies(10);
  bodies.Add(StoredAt(Fetched("a", "kept"), "f0", 0));
  for (int i = 0; i < 100; ++i) {
    FetchRow kept = Fetched("b", "kept");
    EXPECT_TRUE(bodies.Share(&kept)) << i << ": it is met again and again";
    bodies.Add(StoredAt(Fetched("a", std::to_string(i)), "f0", i + 1));
  }
  FetchRow last = Fetched("b", "99"), old = Fetched("b", "50");
  EXPECT_TRUE(bodies.Share(&last));
  EXPECT_FALSE(bodies.Share(&old));
}

}  // namespace
}  // namespace trawl
