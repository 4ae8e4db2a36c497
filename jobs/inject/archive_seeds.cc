#include "jobs/inject/archive_seeds.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/cdx/cdxj.h"
#include "formats/http/date.h"
#include "formats/text/ascii.h"
#include "formats/warc/reader.h"
#include "jobs/inject/seed_files.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Longer than any hash in any spelling.
constexpr size_t kMaxDigestBytes = 160;
constexpr int64_t kSecond = 1000;

bool IsDigestText(std::string_view text) {
  return !text.empty() && text.size() <= kMaxDigestBytes && std::all_of(text.begin(), text.end(), [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || std::string_view(":+/=_-").find(c) != std::string_view::npos;
  });
}

// An index has a SHA-1 (32 letters and digits of Base32) without the name that the record has in front of it.
bool IsBareSha1(std::string_view text) {
  constexpr size_t kSize = 32;
  return text.size() == kSize &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7'); });
}

bool IsRobotsTxt(std::string_view url) {
  const size_t path = url.find('/', std::min(url.find("://") + 3, url.size()));
  return path != std::string_view::npos && url.substr(path) == "/robots.txt";
}

Result<std::string> SeedLineOf(std::string_view url, int64_t seen_ms, std::string_view digest) {
  if (std::any_of(url.begin(), url.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
    return Status::Invalid("its URL has a control character");
  }
  const std::string scheme = AsciiLower(url.substr(0, std::min(url.find(':'), url.size())));
  if ((scheme != "http" && scheme != "https") || IsRobotsTxt(url)) return std::string();
  std::string line(url);
  line.append("\t").append(kArchiveSeen).append("=").append(FormatTimestamp(seen_ms / kSecond * kSecond));
  if (IsDigestText(digest)) {
    line.append("\t").append(kArchiveDigest).append(IsBareSha1(digest) ? "=sha1:" : "=").append(digest);
  }
  return line;
}

Result<std::string> SeedOfCdxLine(std::string_view text, CdxLine* cdx) {
  ARROW_ASSIGN_OR_RAISE(const bool is_capture, ReadCdxLine(text, cdx));
  return is_capture ? SeedLineOf(cdx->url, cdx->time_ms, cdx->digest) : std::string();
}

Result<std::string> SeedOfRecord(const WarcRecord& record) {
  if (!record.fault.empty()) return Status::Invalid("record at ", record.offset, ": ", record.fault);
  constexpr std::string_view kCaptures[] = {"response", "revisit", "resource", "conversion"};
  if (std::find(std::begin(kCaptures), std::end(kCaptures), record.type()) == std::end(kCaptures)) return std::string();
  const std::optional<int64_t> seen_ms = ParseW3cDateMs(record.Get("WARC-Date"));
  if (!seen_ms) return Status::Invalid("record at ", record.offset, ": its WARC-Date is no time");
  return SeedLineOf(record.target_uri(), *seen_ms, record.Get("WARC-Payload-Digest"));
}

Status ForEachRecord(Store* store, const Plan& plan, const Json& part, const ArchiveSeedVisit& visit) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, GetString(part, "name"));
  ARROW_ASSIGN_OR_RAISE(SeedPieces pieces, PiecesOfSeedPart(store, plan, part));
  WarcReader reader(std::move(pieces), {.strict = false});
  WarcRecord record;
  for (int64_t number = 1;; ++number) {
    ARROW_ASSIGN_OR_RAISE(const bool more, reader.Next(&record));
    if (!more) return Status::OK();
    ARROW_RETURN_NOT_OK(visit(name, number, SeedOfRecord(record), record.target_uri()));
    if (record.is_last) return Status::OK();
  }
}

}  // namespace

Status ForEachArchiveSeed(Store* store, const Plan& plan, const Json& part, const ArchiveSeedVisit& visit) {
  ARROW_ASSIGN_OR_RAISE(const std::string from, GetString(part, "from"));
  if (from == TextOf(SeedsFrom::kWarc)) return ForEachRecord(store, plan, part, visit);
  CdxLine cdx;
  return ForEachSeedLine(store, plan, part, [&](const std::string& source, int64_t number, std::string_view line) {
    return visit(source, number, SeedOfCdxLine(line, &cdx), line);
  });
}

}  // namespace trawl
