// Measures how fast an archive's records are made and compressed, by CPU, against libdeflate alone over the same texts, and how
// fast they are read back.
//
//   archive_bench [FOLDER]   FOLDER: real pages (*.html); default ../shared/pages beside the checkout. Without them words are
//                            drawn by Zipf's law
#include <libdeflate.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/text/deflate.h"
#include "formats/warc/http_head.h"
#include "formats/warc/reader.h"
#include "formats/warc/record.h"
#include "runtime/decode/payload_decoder.h"
#include "tests/bench/bench_main.h"
#include "tests/bench/likeness_pages.h"

namespace trawl {
namespace {

constexpr int kRounds = 5;
constexpr int kLevel = GzipMembers::kUsualLevel;
constexpr char kRequest[] =
    "GET /page HTTP/1.1\r\nHost: www.example.com\r\nUser-Agent: trawl/0.2.0 (+https://you.example/)\r\n"
    "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\nAccept-Encoding: gzip, br, zstd\r\n\r\n";
constexpr char kHead[] =
    "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 12:00:00 GMT\r\nServer: nginx\r\nContent-Type: text/html; "
    "charset=utf-8\r\n"
    "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\nCache-Control: max-age=300\r\nETag: \"68c-5f\"\r\n"
    "Vary: Accept-Encoding\r\n\r\n";

std::vector<std::string> Pages(const std::filesystem::path& folder) {
  std::vector<std::string> pages;
  if (std::filesystem::is_directory(folder)) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".html") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& path : files) {
      std::ifstream file(path, std::ios::binary);
      pages.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  if (!pages.empty()) return pages;
  for (const Corpus& corpus : Corpora(MadeMaterial(Random(5)))) {
    for (const Page& page : corpus.pages) {
      std::string& html = pages.emplace_back("<!doctype html><html><body>");
      for (const std::string& line : page.lines) html += "<p class=\"text\">" + line + "</p>\n";
    }
  }
  return pages;
}

double SecondsOf(std::clock_t ticks) { return static_cast<double>(ticks) / CLOCKS_PER_SEC; }

// The records of a capture, in turn.
template <typename Take>
void MakeRecords(const WarcRecords& records, const std::string& place, const std::string& page,
                 const std::string& page_sha1, std::string* record, Take&& take) {
  const WarcCapture capture = {.place = place,
                               .url = "https://www.example.com/page?id=" + place,
                               .began_ms = 1'767'268'800'250,
                               .address = "93.184.216.34",
                               .http_version = "1.1",
                               .tls_version = "TLSv1.3",
                               .warcinfo_id = "<urn:uuid:7bad876c-f3e5-514d-bf42-e7d581d98bec>"};
  records.Request(capture, kRequest, record);
  take(*record);
  const WarcHttpHead head = WarcHttpHeadOf({.raw = kHead, .payload_bytes = static_cast<int64_t>(page.size())});
  records.Response(capture, head.text, {.bytes = page, .digest = WarcDigestText(WarcDigest::kSha1, page_sha1)}, record);
  take(*record);
  records.Metadata(capture, {{"fetchTimeMs", "31"}, {"via", "https://www.example.com/"}, {"languages", "eng"}}, record);
  take(*record);
}

void Measure(const char* name, const std::vector<std::string>& pages) {
  std::vector<std::string> sha1s, texts;
  const WarcRecords records(WarcDigest::kSha1);
  int64_t page_bytes = 0, text_bytes = 0;
  std::string record;
  for (const std::string& page : pages) {
    page_bytes += static_cast<int64_t>(page.size());
    sha1s.push_back(Sha1Of(page));
    MakeRecords(records, "S/f.orc#" + std::to_string(sha1s.size()), page, sha1s.back(), &record,
                [&texts](const std::string& text) { texts.push_back(text); });
  }
  size_t longest = 0;
  for (const std::string& text : texts) {
    text_bytes += static_cast<int64_t>(text.size());
    longest = std::max(longest, text.size());
  }
  std::printf("%s: %zu pages, %.1f KB each\n", name, pages.size(),
              static_cast<double>(page_bytes) / 1e3 / static_cast<double>(pages.size()));

  std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> bare(
      libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor);
  const size_t bound = libdeflate_gzip_compress_bound(bare.get(), longest);
  const auto memory = std::make_unique<char[]>(bound);
  GzipMembers members = Check(GzipMembers::Make(kLevel));
  // Enough pages for a second or so; the rounds of both alternate, since a machine is not equally fast all the time.
  const int repeats = std::max(1, static_cast<int>(100e6 / static_cast<double>(text_bytes)));
  double bare_seconds = 1e9, own_seconds = 1e9;
  int64_t bare_bytes = 0, own_bytes = 0;
  std::string file;
  for (int round = 0; round < kRounds; ++round) {
    bare_bytes = own_bytes = 0;
    std::clock_t begin = std::clock();
    for (int i = 0; i < repeats; ++i) {
      for (const std::string& text : texts) {
        bare_bytes +=
            static_cast<int64_t>(libdeflate_gzip_compress(bare.get(), text.data(), text.size(), memory.get(), bound));
      }
    }
    bare_seconds = std::min(bare_seconds, SecondsOf(std::clock() - begin));
    begin = std::clock();
    for (int i = 0; i < repeats; ++i) {
      file.clear();
      for (size_t page = 0; page < pages.size(); ++page) {
        MakeRecords(records, "S/f.orc#" + std::to_string(page + 1), pages[page], sha1s[page], &record,
                    [&](const std::string& text) { file += Check(members.MemberOf(text)); });
      }
      own_bytes += static_cast<int64_t>(file.size());
    }
    own_seconds = std::min(own_seconds, SecondsOf(std::clock() - begin));
  }
  if (bare_bytes != own_bytes) Check(arrow::Status::Invalid("the two wrote different bytes"));
  const double written = static_cast<double>(text_bytes) * repeats;
  const double captures = static_cast<double>(pages.size()) * repeats;
  std::printf("libdeflate %d alone: %.0f MB/s, %.0f captures/s\n", kLevel, written / bare_seconds / 1e6,
              captures / bare_seconds);
  std::printf("records made and compressed: %.0f MB/s, %.0f captures/s, to %.3f of their size\n",
              written / own_seconds / 1e6, captures / own_seconds, static_cast<double>(own_bytes) / written);
  std::printf("ratio %s, records to libdeflate alone, by CPU: %.2f (target >= 0.75)\n", name,
              bare_seconds / own_seconds);

  const std::clock_t begin = std::clock();
  int64_t read = 0;
  for (int i = 0; i < repeats; ++i) {
    WarcReader reader(SourceOf(file), StrictWarcReading());
    WarcRecord one;
    while (Check(reader.Next(&one))) {
      if (!one.fault.empty()) Check(arrow::Status::Invalid(one.fault));
      ++read;
    }
  }
  const double read_seconds = SecondsOf(std::clock() - begin);
  std::printf("records read and checked: %.0f MB/s, %.0f records/s\n", written / read_seconds / 1e6,
              static_cast<double>(read) / read_seconds);
}

int Run(const std::filesystem::path& folder) {
  std::vector<std::string> pages = Pages(folder);
  Measure("whole pages", pages);
  for (std::string& page : pages) page.resize(std::min(page.size(), size_t{16} << 10));
  Measure("their first 16 KiB", pages);
  return 0;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) { return trawl::Run(argc > 1 ? argv[1] : "../shared/pages"); }
