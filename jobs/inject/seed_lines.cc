#include "jobs/inject/seed_lines.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "jobs/inject/seed_files.h"

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

}  // namespace

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
  ARROW_ASSIGN_OR_RAISE(int64_t at, GetInt(part, "begin"));
  ARROW_ASSIGN_OR_RAISE(const int64_t end, GetInt(part, "end"));
  ARROW_ASSIGN_OR_RAISE(const int64_t first_line, GetInt(part, "first_line"));
  ARROW_ASSIGN_OR_RAISE(const SeedReadAt read_at, OpenSeedPart(store, plan, part));
  LineSplitter splitter(name, first_line, visit);
  std::vector<char> buffer(kReadBytes);
  bool first = at == 0;
  while (at < end) {
    const size_t wanted = static_cast<size_t>(std::min<int64_t>(static_cast<int64_t>(buffer.size()), end - at));
    ARROW_ASSIGN_OR_RAISE(const size_t got, read_at(at, wanted, buffer.data()));
    if (got == 0) return Status::IOError(name, ": the file became shorter while it was read; run the command again");
    std::string_view bytes(buffer.data(), got);
    if (first && bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    first = false;
    ARROW_RETURN_NOT_OK(splitter.Feed(bytes));
    at += static_cast<int64_t>(got);
  }
  return splitter.Finish();
}

}  // namespace trawl
