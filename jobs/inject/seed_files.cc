#include "jobs/inject/seed_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>

#include "arrow/io/interfaces.h"
#include "formats/documents/receipt.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kReadBytes = 1 << 20;
constexpr size_t kMaxLineBytes = 1 << 20;
constexpr char kCommandLine[] = "command line";
// The plan's fact: the seals of the files that are inputs of its job.
constexpr char kSealsFact[] = "seeds";

class ReadableFile {
 public:
  static Result<ReadableFile> Open(const SeedFile& file) {
    const int fd = open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return ErrnoStatus(errno, "opening", file.name);
    return ReadableFile(fd, file.name);
  }
  ReadableFile(ReadableFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)), name_(std::move(other.name_)) {}
  ReadableFile(const ReadableFile&) = delete;
  ~ReadableFile() {
    if (fd_ >= 0) close(fd_);
  }

  // Up to `size` bytes from `offset` on; 0 at the end.
  Result<size_t> ReadAt(int64_t offset, size_t size, char* out) const {
    const ssize_t got = pread(fd_, out, size, offset);
    if (got < 0) return ErrnoStatus(errno, "reading", name_);
    return static_cast<size_t>(got);
  }
  Result<int64_t> Size() const {
    struct stat about;
    if (fstat(fd_, &about) != 0) return ErrnoStatus(errno, "reading", name_);
    if (!S_ISREG(about.st_mode)) return UsageError(name_, ": is a folder; name the files in it instead");
    return static_cast<int64_t>(about.st_size);
  }

 private:
  ReadableFile(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  int fd_;
  std::string name_;
};

Json PartOf(const SeedFile& file, int64_t begin, int64_t end, int64_t first_line) {
  return {{"name", file.name}, {"path", file.path}, {"begin", begin}, {"end", end}, {"first_line", first_line}};
}

Status CutFile(const SeedFile& file, int64_t part_bytes, SeedParts* out) {
  ARROW_ASSIGN_OR_RAISE(const ReadableFile input, ReadableFile::Open(file));
  ARROW_ASSIGN_OR_RAISE(const int64_t size, input.Size());
  std::vector<char> buffer(kReadBytes);
  int64_t begin = 0;
  int64_t first_line = 1;
  int64_t line = 1;
  for (int64_t at = 0; at < size;) {
    ARROW_ASSIGN_OR_RAISE(const size_t got, input.ReadAt(at, buffer.size(), buffer.data()));
    if (got == 0) break;
    const char* const data = buffer.data();
    // Count the lines; where the part is large enough, cut behind the next line feed.
    for (const char* from = data; from < data + got;) {
      const char* feed = static_cast<const char*>(std::memchr(from, '\n', static_cast<size_t>(data + got - from)));
      if (feed == nullptr) break;
      ++line;
      from = feed + 1;
      const int64_t behind = at + (from - data);
      if (behind - begin >= part_bytes && behind < size) {
        out->parts.push_back(PartOf(file, begin, behind, first_line));
        begin = behind;
        first_line = line;
      }
    }
    at += static_cast<int64_t>(got);
  }
  if (begin < size) out->parts.push_back(PartOf(file, begin, size, first_line));
  out->bytes += size;
  return Status::OK();
}

using LineVisit = std::function<Status(const std::string& source, int64_t number, std::string_view line)>;

// Splits what is fed into lines; the end of the last one is the end of input.
class LineSplitter {
 public:
  LineSplitter(std::string source, int64_t number, const LineVisit& visit)
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
  const LineVisit& visit_;
  std::string rest_;
};

}  // namespace

Result<std::unique_ptr<SpooledInput>> SpooledInput::Make(std::istream& in, const std::string& input_name,
                                                         const std::string& temp_folder, std::atomic<int64_t>* bytes) {
  std::string name = temp_folder + "/trawl-seeds-XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return ErrnoStatus(errno, "making a temporary file in", temp_folder);
  unlink(name.c_str());
  std::unique_ptr<SpooledInput> spooled(new SpooledInput(fd));
  std::vector<char> buffer(kReadBytes);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    size_t left = static_cast<size_t>(in.gcount());
    for (const char* from = buffer.data(); left > 0;) {
      const ssize_t wrote = write(fd, from, left);
      if (wrote < 0) return ErrnoStatus(errno, ("keeping " + input_name + " in").c_str(), temp_folder);
      from += wrote;
      left -= static_cast<size_t>(wrote);
      *bytes += wrote;
    }
  }
  if (in.bad()) return Status::IOError(input_name, " cannot be read");
  return spooled;
}

SpooledInput::~SpooledInput() { close(fd_); }

std::string SpooledInput::path() const { return "/proc/self/fd/" + std::to_string(fd_); }

bool IsReadOnce(const SeedFile& file) {
  struct stat about;
  return stat(file.path.c_str(), &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

namespace {

// No host begins so.
bool IsWrittenAsPath(const std::string& argument) {
  return argument.empty() || argument[0] == '/' || argument[0] == '.' || argument[0] == '~';
}

}  // namespace

Result<SeedSources> SortSeedArguments(const std::vector<std::string>& arguments) {
  SeedSources sources;
  for (const std::string& argument : arguments) {
    if (argument == "-") {
      if (sources.standard_input) return UsageError("'-' (standard input) is given twice; give it once");
      sources.standard_input = true;
    } else if (argument.find("://") != std::string::npos) {
      sources.urls.push_back(argument);
    } else if (access(argument.c_str(), F_OK) == 0) {
      sources.files.push_back({argument, argument});
    } else if (argument.starts_with('-')) {
      return UsageError("seed '", argument, "' is neither a file nor a URL; an option begins with two dashes");
    } else if (IsWrittenAsPath(argument)) {
      return UsageError("there is no seed file '", argument, "'; name a file, a URL, or - for standard input");
    } else {
      return UsageError("seed '", argument, "' is neither a file nor a URL; did you mean https://", argument, "?");
    }
  }
  return sources;
}

Result<SeedParts> CutSeeds(const SeedSources& sources, int64_t part_bytes) {
  SeedParts out;
  if (!sources.urls.empty()) {
    out.parts.push_back({{"name", kCommandLine}, {"lines", sources.urls}});
    for (const std::string& url : sources.urls) out.bytes += static_cast<int64_t>(url.size());
  }
  for (const SeedFile& file : sources.files) ARROW_RETURN_NOT_OK(CutFile(file, part_bytes, &out));
  return out;
}

namespace {

// Copies a file into the store, as input `number` of a job.
Result<FileSeal> StoreFile(const SeedFile& file, const std::string& job, int number, Store* store) {
  ARROW_ASSIGN_OR_RAISE(const ReadableFile input, ReadableFile::Open(file));
  ARROW_ASSIGN_OR_RAISE(const auto writer, store->OpenWriter(JobInputPath(job, number)));
  std::vector<char> buffer(kReadBytes);
  for (int64_t at = 0;;) {
    ARROW_ASSIGN_OR_RAISE(const size_t got, input.ReadAt(at, buffer.size(), buffer.data()));
    if (got == 0) return writer->Commit();
    ARROW_RETURN_NOT_OK(writer->stream()->Write(buffer.data(), static_cast<int64_t>(got)));
    at += static_cast<int64_t>(got);
  }
}

// Reads up to `size` bytes from `offset` on.
using PartReader = std::function<Result<size_t>(int64_t offset, size_t size, char* out)>;

Result<PartReader> OpenInput(Store* store, const Plan& plan, const Json& part) {
  ARROW_ASSIGN_OR_RAISE(const int64_t number, GetInt(part, "input"));
  ARROW_ASSIGN_OR_RAISE(const Json* seals, GetArray(plan.facts, kSealsFact));
  if (number < 0 || static_cast<size_t>(number) >= seals->size())
    return Status::Invalid("input ", number, " has no seal");
  ARROW_ASSIGN_OR_RAISE(const FileSeal seal, FileSealFromJson((*seals)[static_cast<size_t>(number)]));
  const std::string path = JobInputPath(plan.job, static_cast<int>(number));
  ARROW_ASSIGN_OR_RAISE(const std::shared_ptr<arrow::io::RandomAccessFile> file, store->OpenVerified(path, seal));
  return PartReader([file](int64_t offset, size_t size, char* out) -> Result<size_t> {
    ARROW_ASSIGN_OR_RAISE(const int64_t got, file->ReadAt(offset, static_cast<int64_t>(size), out));
    return static_cast<size_t>(got);
  });
}

Result<PartReader> OpenSeedPart(Store* store, const Plan& plan, const Json& part, const std::string& name) {
  if (HasMember(part, "input")) return OpenInput(store, plan, part);
  ARROW_ASSIGN_OR_RAISE(const std::string path, GetString(part, "path"));
  ARROW_ASSIGN_OR_RAISE(ReadableFile opened, ReadableFile::Open({name, path}));
  const auto file = std::make_shared<const ReadableFile>(std::move(opened));
  return PartReader([file](int64_t offset, size_t size, char* out) { return file->ReadAt(offset, size, out); });
}

}  // namespace

Status StoreSeeds(Store* store, Plan* plan) {
  std::map<std::string, int> inputs;  // by path
  Json seals = Json::array();
  for (Json& part : plan->parts) {
    if (!HasMember(part, "path")) continue;
    ARROW_ASSIGN_OR_RAISE(const std::string name, GetString(part, "name"));
    ARROW_ASSIGN_OR_RAISE(const std::string path, GetString(part, "path"));
    const auto [input, is_new] = inputs.try_emplace(path, static_cast<int>(inputs.size()));
    if (is_new) {
      ARROW_ASSIGN_OR_RAISE(const FileSeal seal, StoreFile({name, path}, plan->job, input->second, store));
      seals.push_back(ToJson(seal));
    }
    part.erase("path");
    part["input"] = input->second;
  }
  plan->facts[kSealsFact] = std::move(seals);
  return Status::OK();
}

Status ForEachSeedLine(Store* store, const Plan& plan, const Json& part, const LineVisit& visit) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, GetString(part, "name"));
  if (HasMember(part, "lines")) {
    ARROW_ASSIGN_OR_RAISE(const auto lines, GetStrings(part, "lines"));
    for (size_t i = 0; i < lines.size(); ++i) ARROW_RETURN_NOT_OK(visit(name, static_cast<int64_t>(i) + 1, lines[i]));
    return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(int64_t at, GetInt(part, "begin"));
  ARROW_ASSIGN_OR_RAISE(const int64_t end, GetInt(part, "end"));
  ARROW_ASSIGN_OR_RAISE(const int64_t first_line, GetInt(part, "first_line"));
  ARROW_ASSIGN_OR_RAISE(const PartReader read_at, OpenSeedPart(store, plan, part, name));
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
