#include "formats/cdx/columns.h"

#include <gtest/gtest.h>

#include <map>

#include "arrow/adapters/orc/adapter.h"
#include "arrow/array.h"
#include "arrow/io/memory.h"
#include "arrow/memory_pool.h"
#include "arrow/scalar.h"
#include "arrow/table.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

// A row's columns as texts; those that are null are absent.
using Row = std::map<std::string, std::string>;

CaptureRow CaptureOf(const std::string& url) {
  CaptureRow row;
  row.key = "key";
  row.url = url;
  row.began_ms = 1767225600999;
  row.record_type = "response";
  row.filename = "crawl-data/T/segments/S/warc/a.warc.gz";
  row.segment = "S";
  return row;
}

std::shared_ptr<arrow::Table> Written(const std::vector<CaptureRow>& captures) {
  auto sink = *arrow::io::BufferOutputStream::Create();
  auto table = *CaptureTable::Make(sink, "part-00000.orc", NullableFormat::kOrc);
  for (const CaptureRow& capture : captures) EXPECT_OK(table->Add(capture));
  EXPECT_OK(table->Close());
  EXPECT_EQ(table->rows(), static_cast<int64_t>(captures.size()));
  auto file = std::make_shared<arrow::io::BufferReader>(*sink->Finish());
  auto reader = *arrow::adapters::orc::ORCFileReader::Open(file, arrow::default_memory_pool());
  return *reader->Read();
}

Row RowOf(const CaptureRow& capture) {
  const auto table = Written({capture});
  Row row;
  for (int i = 0; i < table->num_columns(); ++i) {
    const auto value = *table->column(i)->GetScalar(0);
    if (value->is_valid) row[table->schema()->field(i)->name()] = value->ToString();
  }
  return row;
}

TEST(CaptureColumns, AHostIsTakenApart) {
  const Row row = RowOf(CaptureOf("https://a.b.c.d.example.co.uk:8443/p/q?x=1"));
  const Row expected = {
      {"url_surtkey", "key"},
      {"url", "https://a.b.c.d.example.co.uk:8443/p/q?x=1"},
      {"url_host_name", "a.b.c.d.example.co.uk"},
      {"url_host_tld", "uk"},
      {"url_host_2nd_last_part", "co"},
      {"url_host_3rd_last_part", "example"},
      {"url_host_4th_last_part", "d"},
      {"url_host_5th_last_part", "c"},
      {"url_host_registry_suffix", "co.uk"},
      {"url_host_registered_domain", "example.co.uk"},
      {"url_host_private_suffix", "co.uk"},
      {"url_host_private_domain", "example.co.uk"},
      {"url_host_name_reversed", "uk.co.example.d.c.b.a"},
      {"url_protocol", "https"},
      {"url_port", "8443"},
      {"url_path", "/p/q"},
      {"url_query", "x=1"},
      {"fetch_status", "-1"},
      {"content_mime_type", "unk"},
      {"warc_filename", "crawl-data/T/segments/S/warc/a.warc.gz"},
      {"warc_record_offset", "0"},
      {"warc_record_length", "0"},
      {"warc_segment", "S"},
  };
  for (const auto& [name, value] : expected) EXPECT_EQ(row.count(name) ? row.at(name) : "(null)", value) << name;
  EXPECT_EQ(row.size(), expected.size() + 1);  // and fetch_time
}

TEST(CaptureColumns, PrivateSuffixesAreNotTheRegistrys) {
  const Row row = RowOf(CaptureOf("http://a.github.io/"));
  EXPECT_EQ(row.at("url_host_registry_suffix"), "io");
  EXPECT_EQ(row.at("url_host_registered_domain"), "github.io");
  EXPECT_EQ(row.at("url_host_private_suffix"), "github.io");
  EXPECT_EQ(row.at("url_host_private_domain"), "a.github.io");
  EXPECT_EQ(row.count("url_host_4th_last_part"), 0u);
  EXPECT_EQ(row.count("url_port"), 0u);
}

TEST(CaptureColumns, AnAddressHasNoPartsOfAName) {
  for (const char* url : {"http://192.0.2.1/", "http://[2001:db8::1]/"}) {
    const Row row = RowOf(CaptureOf(url));
    EXPECT_EQ(row.count("url_host_name"), 1u);
    for (const char* name : {"url_host_tld", "url_host_2nd_last_part", "url_host_5th_last_part",
                             "url_host_registry_suffix", "url_host_private_domain", "url_host_name_reversed"}) {
      EXPECT_EQ(row.count(name), 0u) << url << name;
    }
  }
}

TEST(CaptureColumns, AnEmptyQueryIsNotAMissingOne) {
  EXPECT_EQ(RowOf(CaptureOf("http://example.com/?")).at("url_query"), "");
  EXPECT_EQ(RowOf(CaptureOf("http://example.com/")).count("url_query"), 0u);
}

TEST(CaptureColumns, TypesAndNullsAreThoseOfTheSchema) {
  CaptureRow revisit = CaptureOf("http://example.com/");
  revisit.record_type = "revisit";
  revisit.status = 200;
  revisit.mime = revisit.mime_detected = "text/html";
  revisit.digest = "sha1:ABC";
  const auto table = Written({revisit, CaptureOf("http://example.com/b")});
  ASSERT_EQ(table->num_columns(), 30);
  EXPECT_TRUE(table->GetColumnByName("fetch_status")->type()->Equals(arrow::int16()));
  EXPECT_TRUE(table->GetColumnByName("url_port")->type()->Equals(arrow::int32()));
  EXPECT_EQ(table->GetColumnByName("fetch_time")->type()->id(), arrow::Type::TIMESTAMP);
  EXPECT_EQ((*table->GetColumnByName("content_mime_type")->GetScalar(0))->ToString(), "warc/revisit");
  EXPECT_EQ((*table->GetColumnByName("content_digest")->GetScalar(0))->ToString(), "ABC");
  EXPECT_EQ(table->GetColumnByName("content_mime_detected")->null_count(), 2);
  EXPECT_EQ(table->GetColumnByName("content_digest")->null_count(), 1);
  // To the second, as in the CDX.
  const auto time =
      *(*table->GetColumnByName("fetch_time")->GetScalar(0))->CastTo(arrow::timestamp(arrow::TimeUnit::MILLI));
  EXPECT_EQ(static_cast<const arrow::TimestampScalar&>(*time).value, 1767225600000);
}

TEST(CaptureColumns, WhatDoesNotFitIsAnError) {
  auto sink = *arrow::io::BufferOutputStream::Create();
  auto table = *CaptureTable::Make(sink, "part-00000.parquet", NullableFormat::kParquet);
  CaptureRow far = CaptureOf("http://example.com/");
  far.offset = int64_t{1} << 31;
  EXPECT_FALSE(table->Add(far).ok());
  EXPECT_FALSE(table->Add(CaptureOf("dns:example.com")).ok());
  EXPECT_OK(table->Close());
}

TEST(CaptureColumns, ATableMayBeEmpty) { EXPECT_EQ(Written({})->num_rows(), 0); }

}  // namespace
}  // namespace trawl
