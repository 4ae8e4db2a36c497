#include "jobs/inject/seed_lines.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "jobs/inject/seed_files.h"
#include "runtime/decode/decode.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kReadBytes = 1 << 20;
constexpr size_t kMaxLineBytes = 1 << 20;

// Splits bytes into lines as they come. Finish ends the last line.
class LineSplitter {
 public:
  LineSplitter(std::string source, int64_t number, const SeedLineVisit& visit)
      : source_(std::move(source)), number_(number), visit_(visit) {}

  Status Feed(std::string_view bytes) {
    while (!bytes.empty()) {
      const size_t feed = bytes.find('\n');
      const std::string_view piece = bytes.substr(0, feed);
      if (feed == std::string_view::npos) {
        Keep(piece);
        return Status::OK();
      }
      bytes.remove_prefix(feed + 1);
      if (rest_.empty()) {
        ARROW_RETURN_NOT_OK(visit_(source_, number_++, piece));
      } else {
        Keep(piece);
        ARROW_RETURN_NOT_OK(Finish());
      }
    }
    return Status::OK();
  }
  Status Finish() {
    if (rest_.empty()) return Status::OK();
    const Status status = visit_(source_, number_++, rest_);
    rest_.clear();
    return status;
  }

 private:
  void Keep(std::string_view piece) {
    rest_.append(piece.substr(0, kMaxLineBytes - std::min(rest_.size(), kMaxLineBytes)));
  }

  const std::string source_;
  int64_t number_;
  const SeedLineVisit& visit_;
  std::string rest_;
};

// A file that is gzip, of one or many members, however long.
class Gunzip {
 public:
  Status Feed(std::string_view bytes, LineSplitter* lines) {
    Status status;
    decoder_.Write(bytes, [&status, lines](std::string_view piece) {
      if (status.ok()) status = lines->Feed(piece);
    });
    return status;
  }
  Status Finish(const std::string& name) {
    if (decoder_.Finish(/*whole=*/true) == BodyEnd::kComplete) return Status::OK();
    return Status::IOError(name, ": the file is cut off or damaged: ", decoder_.detail());
  }

 private:
  // Other people's limits are for what servers send; this file was chosen.
  static constexpr int64_t kNoLimit = int64_t{1} << 60;
  BodyDecoder decoder_{"gzip", {.max_decoded_bytes = kNoLimit, .max_ratio = kNoLimit, .ratio_free_bytes = kNoLimit}};
};

}  // namespace

Result<SeedPieces> PiecesOfSeedPart(Store* store, const Plan& plan, const Json& part) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, GetString(part, "name"));
  ARROW_ASSIGN_OR_RAISE(const int64_t begin, GetInt(part, "begin"));
  ARROW_ASSIGN_OR_RAISE(const int64_t end, GetInt(part, "end"));
  ARROW_ASSIGN_OR_RAISE(SeedReadAt read_at, OpenSeedPart(store, plan, part));
  return SeedPieces([name, end, at = begin, read_at = std::move(read_at),
                     buffer = std::vector<char>(kReadBytes)]() mutable -> Result<std::string_view> {
    const int64_t wanted = std::min<int64_t>(static_cast<int64_t>(buffer.size()), end - at);
    if (wanted == 0) return std::string_view();
    ARROW_ASSIGN_OR_RAISE(const size_t got, read_at(at, static_cast<size_t>(wanted), buffer.data()));
    if (got == 0) return Status::IOError(name, ": the file became shorter while it was read; run the command again");
    at += static_cast<int64_t>(got);
    return std::string_view(buffer.data(), got);
  });
}

std::string_view UrlOfSeedLine(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  line = line.substr(0, line.find('\t'));
  line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
  return line.starts_with('#') ? std::string_view() : line;
}

Status ForEachSeedLine(Store* store, const Plan& plan, const Json& part, const SeedLineVisit& visit) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, GetString(part, "name"));
  if (HasMember(part, "lines")) {
    ARROW_ASSIGN_OR_RAISE(const auto lines, GetStrings(part, "lines"));
    for (size_t i = 0; i < lines.size(); ++i) ARROW_RETURN_NOT_OK(visit(name, static_cast<int64_t>(i) + 1, lines[i]));
    return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t begin, GetInt(part, "begin"));
  ARROW_ASSIGN_OR_RAISE(const int64_t first_line, GetInt(part, "first_line"));
  ARROW_ASSIGN_OR_RAISE(const SeedPieces next_piece, PiecesOfSeedPart(store, plan, part));
  LineSplitter splitter(name, first_line, visit);
  std::unique_ptr<Gunzip> gunzip;
  for (bool is_first = begin == 0;; is_first = false) {
    ARROW_ASSIGN_OR_RAISE(std::string_view bytes, next_piece());
    if (bytes.empty()) break;
    if (is_first && bytes.starts_with("\x1f\x8b")) gunzip = std::make_unique<Gunzip>();
    if (is_first && bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    ARROW_RETURN_NOT_OK(gunzip == nullptr ? splitter.Feed(bytes) : gunzip->Feed(bytes, &splitter));
  }
  ARROW_RETURN_NOT_OK(splitter.Finish());
  return gunzip == nullptr ? Status::OK() : gunzip->Finish(name);
}

}  // namespace trawl
