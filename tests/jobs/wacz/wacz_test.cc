// WACZ files, made of an archive that is written by hand.
#include "jobs/wacz/wacz.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "arrow/io/interfaces.h"
#include "formats/cdx/urlkey.h"
#include "formats/digests/digest.h"
#include "formats/documents/json.h"
#include "formats/sitemap/gzip.h"
#include "formats/text/deflate.h"
#include "formats/warc/record.h"
#include "jobs/wacz/pages.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/run_writer.h"
#include "tests/support/store/stored_files.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/zip_entries.h"

namespace trawl {
namespace {

constexpr int64_t kFirstMs = 1'767'225'600'250;  // 2026-01-01T00:00:00.250Z
constexpr int64_t kDay = 86'400'000;

// A NAME with one WARC file.
class HandMade {
 public:
  HandMade(Store* store, const std::string& name) : store_(store), name_(name) {
    path_ = ArchivePaths(name_).Data() + "/segments/s1/warc/" + name_ + ".warc.gz";
    std::string record;
    records_.Warcinfo({.path = path_, .opened_ms = kFirstMs, .fields = {{"software", "test"}}}, &record);
    Append(record);
  }

  // A page, or with `original` a page with the same content.
  CaptureRow Page(const std::string& url, int64_t began_ms, const std::string& body,
                  const CaptureRow* original = nullptr) {
    const WarcType type = original == nullptr ? WarcType::kResponse : WarcType::kRevisit;
    const WarcCapture capture = {
        .place = "s1/f.orc#" + std::to_string(began_ms) + url, .url = url, .began_ms = began_ms, .main = type};
    const std::string head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    std::string record;
    const std::string digest = WarcDigestOf(WarcDigest::kSha1, body);
    if (original == nullptr) {
      records_.Response(capture, head, {.bytes = body, .digest = digest}, &record);
    } else {
      records_.SamePayload(
          capture, head,
          {.id = original->record_id, .url = original->url, .began_ms = original->began_ms, .digest = original->digest},
          &record);
    }
    CaptureRow row = {.key = UrlKeyForIndex(url),
                      .url = url,
                      .began_ms = began_ms,
                      .record_type = std::string(TextOf(type)),
                      .record_id = capture.MainId(),
                      .subset = "warc",
                      .segment = "s1",
                      .status = 200,
                      .mime = "text/html",
                      .digest = digest,
                      .title = "title of " + url,
                      .filename = path_,
                      .offset = static_cast<int64_t>(file_.size())};
    row.length = Append(record);
    return rows_.emplace_back(row);
  }
  std::vector<CaptureRow>& rows() { return rows_; }
  const std::string& file() const { return file_; }

  CapturesOfName Write() {
    const auto warc = store_->OpenWriter(path_).ValueOrDie();
    EXPECT_OK(warc->stream()->Write(file_.data(), static_cast<int64_t>(file_.size())));
    EXPECT_OK(warc->Commit().status());
    RowFileOptions unsorted;
    unsorted.sorted = false;
    RunWriter<CaptureRow> writer(store_, ArchivePaths(name_).Captures(), "part-00000", unsorted);
    for (const CaptureRow& row : rows_) EXPECT_OK(writer.Append(row));
    return {.name = name_, .files = writer.Finish().ValueOrDie()};
  }

 private:
  int64_t Append(const std::string& record) {
    const std::string_view member = gzip_.MemberOf(record).ValueOrDie();
    file_ += member;
    return static_cast<int64_t>(member.size());
  }

  Store* const store_;
  const std::string name_;
  std::string path_, file_;
  GzipMembers gzip_ = GzipMembers::Make(6).ValueOrDie();
  WarcRecords records_ = WarcRecords(WarcDigest::kSha1);
  std::vector<CaptureRow> rows_;
};

class Wacz : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(store_, OpenStore(folder_.path()));
    one_ = std::make_unique<HandMade>(store_.get(), "ONE");
    two_ = std::make_unique<HandMade>(store_.get(), "TWO");
  }
  WaczWish Wish(const std::string& prefix) {
    if (names_.empty()) names_ = {one_->Write(), two_->Write()};
    return {.from = store_.get(),
            .name = names_[1],
            .earlier = {names_[0]},
            .prefix = prefix,
            .file = folder_.path() + "/share.wacz",
            .software = "trawl/test"};
  }
  // The entries of the file by their names.
  std::map<std::string, std::string> Entries() const {
    const std::string file = ReadFile(folder_.path() + "/share.wacz");
    std::map<std::string, std::string> entries;
    for (const ZipEntry& entry : ZipDirectory(file)) {
      entries[entry.name] = StoredBytes(file, entry);
      EXPECT_EQ(Crc32(entries[entry.name]), entry.crc) << entry.name;
    }
    return entries;
  }
  static std::string Unpacked(std::string_view file) {
    std::string text;
    const GunzipEnd end = Gunzip(file, [&text](std::string_view piece) {
      text += piece;
      return true;
    });
    EXPECT_EQ(end, GunzipEnd::kWhole);
    return text;
  }
  // The records that the index names, as texts: each cut out of the file alone.
  std::vector<std::string> IndexedRecords() const {
    std::map<std::string, std::string> entries = Entries();
    std::vector<std::string> records;
    const std::string lines = Unpacked(entries.at("indexes/index.cdx.gz"));
    for (size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
      const size_t json = lines.find('{', at);
      const Json line = ParseJson(lines.substr(json, lines.find('\n', at) - json)).ValueOrDie();
      const std::string& file = entries.at("archive/" + line["filename"].get<std::string>());
      records.push_back(Unpacked(std::string_view(file).substr(std::stoul(line["offset"].get<std::string>()),
                                                               std::stoul(line["length"].get<std::string>()))));
    }
    return records;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<HandMade> one_, two_;
  std::vector<CapturesOfName> names_;
};

TEST_F(Wacz, HasTheCapturesOfItsPrefix) {
  two_->Page("https://a.example/docs/1", kFirstMs, "<p>one");
  two_->Page("https://a.example/other", kFirstMs + 1000, "<p>other");
  two_->Page("http://a.example/docs/2", kFirstMs + 2000, "<p>two");
  ASSERT_OK_AND_ASSIGN(const WaczMade made, MakeWacz(Wish("a.example/docs/")));
  EXPECT_EQ(made.captures, 2);
  EXPECT_EQ(made.pages, 2);
  EXPECT_EQ(made.originals, 0);
  const std::vector<std::string> records = IndexedRecords();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_NE(records[0].find("WARC-Target-URI: https://a.example/docs/1\r\n"), std::string::npos);
  EXPECT_NE(records[1].find("<p>two"), std::string::npos);
  const std::string warc = Unpacked(Entries().at("archive/TWO-00000.warc.gz"));
  EXPECT_TRUE(warc.starts_with("WARC/1.1\r\nWARC-Type: warcinfo\r\n"));
  EXPECT_EQ(warc.find("<p>other"), std::string::npos);

  auto https_only = Wish("https://a.example/docs/");
  https_only.overwrite = true;
  ASSERT_OK_AND_ASSIGN(const WaczMade fewer, MakeWacz(https_only));
  EXPECT_EQ(fewer.captures, 1);
}

TEST_F(Wacz, EachFileIsListedWithItsDigest) {
  two_->Page("https://a.example/", kFirstMs, "<p>one");
  ASSERT_OK(MakeWacz(Wish("https://a.example/")).status());
  const std::map<std::string, std::string> entries = Entries();
  ASSERT_OK_AND_ASSIGN(const Json package, ParseJson(entries.at("datapackage.json")));
  EXPECT_EQ(package["profile"], "data-package");
  EXPECT_EQ(package["wacz_version"], "1.1.1");
  EXPECT_EQ(package["mainPageUrl"], "https://a.example/");
  EXPECT_EQ(package["mainPageDate"], "2026-01-01T00:00:00Z");
  ASSERT_EQ(package["resources"].size(), 4u);
  for (const Json& resource : package["resources"]) {
    const std::string& bytes = entries.at(resource["path"].get<std::string>());
    EXPECT_EQ(resource["bytes"], bytes.size());
    EXPECT_EQ(resource["hash"], "sha256:" + ToHex(Sha256Of(bytes)));
  }
  ASSERT_OK_AND_ASSIGN(const Json digest, ParseJson(entries.at("datapackage-digest.json")));
  EXPECT_EQ(digest["hash"], "sha256:" + ToHex(Sha256Of(entries.at("datapackage.json"))));
}

TEST_F(Wacz, TheIndexOfBlocksNamesThem) {
  for (int i = 0; i < 1500; ++i) two_->Page("https://a.example/" + std::to_string(i), kFirstMs + i, "<p>");
  ASSERT_OK(MakeWacz(Wish("https://a.example/")).status());
  std::map<std::string, std::string> entries = Entries();
  const std::string& index = entries.at("indexes/index.idx");
  const std::string meta = "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}\n";
  ASSERT_TRUE(index.starts_with(meta));
  const size_t second = index.find('\n', meta.size()) + 1;
  ASSERT_OK_AND_ASSIGN(const Json block, ParseJson(index.substr(index.find('{', second))));
  const std::string_view member = std::string_view(entries.at("indexes/index.cdx.gz"))
                                      .substr(block["offset"].get<size_t>(), block["length"].get<size_t>());
  EXPECT_EQ(block["digest"], "sha256:" + ToHex(Sha256Of(member)));
  const std::string first = index.substr(second, index.find(" {", second) - second);
  EXPECT_TRUE(Unpacked(member).starts_with(first + " {"));
}

TEST_F(Wacz, RevisitsBringTheirOriginals) {
  const CaptureRow elsewhere = one_->Page("https://b.example/", kFirstMs, "<p>same");
  const CaptureRow before = two_->Page("https://b.example/mirror", kFirstMs + kDay, "<p>also");
  two_->Page("https://a.example/1", kFirstMs + 2 * kDay, "<p>same", &elsewhere);
  two_->Page("https://a.example/2", kFirstMs + 2 * kDay, "<p>also", &before);
  const CaptureRow within = two_->Page("https://a.example/3", kFirstMs + 2 * kDay, "<p>three");
  two_->Page("https://a.example/3", kFirstMs + 3 * kDay, "<p>three", &within);
  ASSERT_OK_AND_ASSIGN(const WaczMade made, MakeWacz(Wish("https://a.example/")));
  EXPECT_EQ(made.captures, 6);
  EXPECT_EQ(made.originals, 2);
  EXPECT_EQ(made.unresolved, 0);
  EXPECT_EQ(made.pages, 3) << "the originals are no pages of the share";
  std::string all;
  for (const std::string& record : IndexedRecords()) all += record;
  EXPECT_NE(all.find("<p>same"), std::string::npos);
  EXPECT_NE(all.find("<p>also"), std::string::npos);
}

TEST_F(Wacz, ARevisitWithoutItsOriginalIsCounted) {
  const CaptureRow gone = one_->Page("https://b.example/", kFirstMs, "<p>same");
  one_->rows().clear();
  two_->Page("https://a.example/1", kFirstMs + kDay, "<p>same", &gone);
  ASSERT_OK_AND_ASSIGN(const WaczMade made, MakeWacz(Wish("https://a.example/")));
  EXPECT_EQ(made.captures, 1);
  EXPECT_EQ(made.unresolved, 1);
}

TEST_F(Wacz, TheSameBytesAgain) {
  for (int i = 0; i < 10; ++i)
    two_->Page("https://a.example/" + std::to_string(i), kFirstMs + i, "<p>" + std::to_string(i));
  WaczWish wish = Wish("https://a.example/");
  ASSERT_OK(MakeWacz(wish).status());
  const std::string first = ReadFile(wish.file);
  const auto refused = MakeWacz(wish);
  EXPECT_EQ(KindOf(refused.status()), StatusKind::kUsage) << "it is there already";
  wish.overwrite = true;
  ASSERT_OK(MakeWacz(wish).status());
  EXPECT_EQ(ReadFile(wish.file), first);
}

TEST_F(Wacz, RecordsOfAnySizeAreCopiedAsTheyAre) {
  // What is read ahead ends within records, at every distance from their beginning.
  uint32_t noise = 1;
  for (int i = 0; i < 400; ++i) {
    std::string body(i == 200 ? 3'000'000 : 10'000, ' ');
    for (char& c : body) c = static_cast<char>((noise = noise * 1664525 + 1013904223) >> 24);
    two_->Page("https://a.example/" + std::to_string(i), kFirstMs + i, body);
  }
  ASSERT_OK(MakeWacz(Wish("https://a.example/")).status());
  EXPECT_EQ(Entries().at("archive/TWO-00000.warc.gz"), two_->file()) << "all of its records go in";
}

TEST_F(Wacz, NothingToShareIsAnErrorOfUse) {
  two_->Page("https://a.example/", kFirstMs, "<p>");
  const auto made = MakeWacz(Wish("https://c.example/"));
  EXPECT_EQ(KindOf(made.status()), StatusKind::kUsage);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/share.wacz"));
}

TEST_F(Wacz, AnIndexThatPointsElsewhereIsAnError) {
  two_->Page("https://a.example/", kFirstMs, "<p>");
  two_->rows()[0].offset += 1;
  EXPECT_FALSE(MakeWacz(Wish("https://a.example/")).ok());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/share.wacz"));
}

TEST_F(Wacz, ADamagedRecordIsNotShared) {
  two_->Page("https://a.example/", kFirstMs, "<p>");
  const CaptureRow page = two_->Page("https://a.example/2", kFirstMs, std::string(100, 'x') + "<p>two");
  WaczWish wish = Wish("https://a.example/");
  const std::string path = folder_.path() + "/" + page.filename;
  std::string file = ReadFile(path);
  file[static_cast<size_t>(page.offset + page.length / 2)] ^= 1;
  std::ofstream(path, std::ios::binary) << file;
  const arrow::Status made = MakeWacz(wish).status();
  EXPECT_TRUE(made.IsIOError()) << made;
  EXPECT_NE(made.message().find(page.filename + ", offset " + std::to_string(page.offset)), std::string::npos) << made;
  EXPECT_FALSE(std::filesystem::exists(wish.file));
}

TEST_F(Wacz, ARecordIsTheOneThatTheIndexNames) {
  two_->Page("https://a.example/1", kFirstMs, "<p>1");
  two_->Page("https://a.example/2", kFirstMs, "<p>2");
  std::swap(two_->rows()[0].record_id, two_->rows()[1].record_id);
  EXPECT_TRUE(MakeWacz(Wish("https://a.example/")).status().IsIOError());
}

TEST_F(Wacz, ARecordEndsWhereTheIndexSays) {
  two_->Page("https://a.example/1", kFirstMs, "<p>1");
  const int64_t next = two_->Page("https://a.example/2", kFirstMs, "<p>2").length;
  two_->rows()[0].length += next;
  EXPECT_TRUE(MakeWacz(Wish("https://a.example/")).status().IsIOError());
}

TEST(WaczPages, ARevisitHasTheTitleOfItsOriginal) {
  const CaptureRow original = {.url = "https://b.example/",
                               .record_type = "response",
                               .status = 200,
                               .mime = "text/html",
                               .digest = "sha1:A",
                               .title = "A page"};
  CaptureRow revisit = original;
  revisit.url = "https://a.example/";
  revisit.record_type = "revisit";
  revisit.title = "";
  EXPECT_NE(PagesOf({original, revisit}, "https://a.example/").text.find("\"title\":\"A page\""), std::string::npos);
}

TEST(WaczPages, EachUrlOnceAsItWasCapturedLast) {
  CaptureRow page = {.url = "https://a.example/x",
                     .began_ms = kFirstMs,
                     .record_id = "<urn:uuid:1>",
                     .status = 200,
                     .mime = "text/html"};
  CaptureRow later = page, moved = page, image = page, shorter = page;
  later.began_ms += kDay;
  later.record_id = "<urn:uuid:2>";
  later.title = "\"later\"\n";
  moved.status = 301;
  moved.url = "https://a.example/moved";
  image.mime = "image/png";
  image.url = "https://a.example/i";
  shorter.url = "https://a.example/";
  const PageList list = PagesOf({later, page, moved, image, shorter}, "a.example/");
  EXPECT_EQ(list.text,
            "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All Pages\"}\n"
            "{\"id\":\"1\",\"url\":\"https://a.example/\",\"ts\":\"2026-01-01T00:00:00Z\"}\n"
            "{\"id\":\"2\",\"url\":\"https://a.example/"
            "x\",\"ts\":\"2026-01-02T00:00:00Z\",\"title\":\"\\\"later\\\"\\n\"}\n");
  EXPECT_EQ(list.pages, 2);
  EXPECT_EQ(list.main_url, "https://a.example/");
}

}  // namespace
}  // namespace trawl
