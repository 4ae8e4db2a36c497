#include "jobs/inject/seed_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"
#include "formats/cdx/cdxj.h"
#include "formats/documents/receipt.h"
#include "formats/text/gzip.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kReadBytes = 1 << 20;
constexpr size_t kFrontBytes = 4096;  // tell what a file is
constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr char kCommandLine[] = "command line";
// The plan's fact: the seals of the files that are inputs of its job.
constexpr char kSealsFact[] = "seeds";
// The number of the first of them; plans of older versions lack it.
constexpr char kFirstFact[] = "first_seeds";

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

Json PartOf(const SeedFile& file, SeedsFrom from, int64_t begin, int64_t end, int64_t first_line) {
  Json part = {{"name", file.name}, {"path", file.path}, {"begin", begin}, {"end", end}, {"first_line", first_line}};
  if (from != SeedsFrom::kList) part["from"] = TextOf(from);
  return part;
}

// Up to 4 KiB of text from the front of a file, out of its gzip where it is that.
Result<std::string> TextAtFront(std::string_view front) {
  std::string text;
  if (!front.starts_with(kGzipMagic)) return std::string(front);
  ARROW_ASSIGN_OR_RAISE(const auto gunzip, GunzipMembers::Make());
  gunzip->Read(&front, &text);
  return text;
}

// A UsageError where the file of an archive is of another kind than `from` says.
Status CheckKind(const std::string& name, SeedsFrom from, std::string_view front) {
  if (from == SeedsFrom::kList || front.empty()) return Status::OK();
  if (front.starts_with("PK\x03\x04")) {
    return UsageError(name, ": is a ZIP file, as WACZ files are; unpack it, and name the files of its archive/");
  }
  ARROW_ASSIGN_OR_RAISE(const std::string text, TextAtFront(front));
  const bool is_warc = text.starts_with("WARC/");
  if (from == SeedsFrom::kCdxj && is_warc) return UsageError(name, ": is a WARC file; write --from warc");
  CdxLine line;
  const size_t line_end = text.find('\n');
  const bool is_index = line_end != std::string::npos && ReadCdxLine(text.substr(0, line_end), &line).ok();
  if (from == SeedsFrom::kWarc && is_index) return UsageError(name, ": is an index; write --from cdxj");
  return Status::OK();
}

// A part for a whole file of a store.
Status TakeStored(const SeedFile& file, SeedsFrom from, SeedParts* out) {
  ARROW_ASSIGN_OR_RAISE(const auto store, OpenStore(file.store));
  ARROW_ASSIGN_OR_RAISE(const auto opened, store->OpenUnverified(file.path));
  ARROW_ASSIGN_OR_RAISE(const int64_t size, opened->GetSize());
  ARROW_ASSIGN_OR_RAISE(const auto front, opened->ReadAt(0, kFrontBytes));
  ARROW_RETURN_NOT_OK(CheckKind(file.name, from, std::string_view(*front)));
  Json part = PartOf(file, from, 0, size, 1);
  part.erase("path");
  part["store"] = file.store;
  part["file"] = file.path;
  out->parts.push_back(std::move(part));
  out->bytes += size;
  return Status::OK();
}

Status CutFile(const SeedFile& file, SeedsFrom from, int64_t part_bytes, SeedParts* out) {
  if (!file.store.empty()) return TakeStored(file, from, out);
  ARROW_ASSIGN_OR_RAISE(const ReadableFile input, ReadableFile::Open(file));
  ARROW_ASSIGN_OR_RAISE(const int64_t size, input.Size());
  std::vector<char> buffer(kReadBytes);
  ARROW_ASSIGN_OR_RAISE(const size_t read, input.ReadAt(0, kFrontBytes, buffer.data()));
  const std::string_view front(buffer.data(), read);
  ARROW_RETURN_NOT_OK(CheckKind(file.name, from, front));
  const bool has_lines = from != SeedsFrom::kWarc && !front.starts_with(kGzipMagic);
  if (!has_lines) {
    out->parts.push_back(PartOf(file, from, 0, size, 1));
    out->bytes += size;
    return Status::OK();
  }
  int64_t begin = 0;
  int64_t first_line = 1;
  int64_t line = 1;
  for (int64_t at = 0; at < size;) {
    ARROW_ASSIGN_OR_RAISE(const size_t got, input.ReadAt(at, buffer.size(), buffer.data()));
    if (got == 0) break;
    const char* const data = buffer.data();
    // Count the lines; where the part is large enough, cut after the next line feed.
    for (const char* line_at = data; line_at < data + got;) {
      const char* feed =
          static_cast<const char*>(std::memchr(line_at, '\n', static_cast<size_t>(data + got - line_at)));
      if (feed == nullptr) break;
      ++line;
      line_at = feed + 1;
      const int64_t after = at + (line_at - data);
      if (after - begin >= part_bytes && after < size) {
        out->parts.push_back(PartOf(file, from, begin, after, first_line));
        begin = after;
        first_line = line;
      }
    }
    at += static_cast<int64_t>(got);
  }
  if (begin < size) out->parts.push_back(PartOf(file, from, begin, size, first_line));
  out->bytes += size;
  return Status::OK();
}

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

SeedReadAt ReadAtOf(std::shared_ptr<arrow::io::RandomAccessFile> file) {
  return [file = std::move(file)](int64_t offset, size_t size, char* out) -> Result<size_t> {
    ARROW_ASSIGN_OR_RAISE(const int64_t got, file->ReadAt(offset, static_cast<int64_t>(size), out));
    return static_cast<size_t>(got);
  };
}

Result<SeedReadAt> OpenStored(const Json& part) {
  ARROW_ASSIGN_OR_RAISE(const std::string root, GetString(part, "store"));
  ARROW_ASSIGN_OR_RAISE(const std::string path, GetString(part, "file"));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<Store> store, OpenStore(root));
  ARROW_ASSIGN_OR_RAISE(auto file, store->OpenUnverified(path));
  return SeedReadAt([store = std::move(store), read_at = ReadAtOf(std::move(file))](
                        int64_t offset, size_t size, char* out) { return read_at(offset, size, out); });
}

Result<SeedReadAt> OpenInput(Store* store, const Plan& plan, const Json& part) {
  ARROW_ASSIGN_OR_RAISE(const int64_t number, GetInt(part, "input"));
  ARROW_ASSIGN_OR_RAISE(const Json* seals, GetArray(plan.facts, kSealsFact));
  int64_t first = 0;
  if (HasMember(plan.facts, kFirstFact)) {
    ARROW_ASSIGN_OR_RAISE(first, GetInt(plan.facts, kFirstFact));
  }
  if (number < first || static_cast<size_t>(number - first) >= seals->size())
    return Status::Invalid("input ", number, " has no seal");
  ARROW_ASSIGN_OR_RAISE(const FileSeal seal, FileSealFromJson((*seals)[static_cast<size_t>(number - first)]));
  const std::string path = JobInputPath(plan.job, static_cast<int>(number));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::io::RandomAccessFile> file, store->OpenVerified(path, seal));
  return ReadAtOf(std::move(file));
}

}  // namespace

const char* TextOf(SeedsFrom from) {
  switch (from) {
    case SeedsFrom::kList:
      return "list";
    case SeedsFrom::kCdxj:
      return "cdxj";
    case SeedsFrom::kWarc:
      return "warc";
  }
  return "";
}

Result<SeedParts> CutSeeds(const SeedSources& sources, int64_t part_bytes) {
  SeedParts out;
  if (!sources.urls.empty()) {
    out.parts.push_back({{"name", kCommandLine}, {"lines", sources.urls}});
    for (const std::string& url : sources.urls) out.bytes += static_cast<int64_t>(url.size());
  }
  for (const SeedFile& file : sources.files) ARROW_RETURN_NOT_OK(CutFile(file, sources.from, part_bytes, &out));
  return out;
}

Status StoreSeeds(Store* store, Plan* plan, int first_input) {
  std::map<std::string, int> inputs;  // by path
  Json seals = Json::array();
  for (Json& part : plan->parts) {
    if (!HasMember(part, "path")) continue;
    ARROW_ASSIGN_OR_RAISE(const std::string name, GetString(part, "name"));
    ARROW_ASSIGN_OR_RAISE(const std::string path, GetString(part, "path"));
    const auto [input, is_new] = inputs.try_emplace(path, first_input + static_cast<int>(inputs.size()));
    if (is_new) {
      ARROW_ASSIGN_OR_RAISE(const FileSeal seal, StoreFile({name, path}, plan->job, input->second, store));
      seals.push_back(ToJson(seal));
    }
    part.erase("path");
    part["input"] = input->second;
  }
  plan->facts[kSealsFact] = std::move(seals);
  plan->facts[kFirstFact] = first_input;
  return Status::OK();
}

Result<SeedReadAt> OpenSeedPart(Store* store, const Plan& plan, const Json& part) {
  if (HasMember(part, "input")) return OpenInput(store, plan, part);
  if (HasMember(part, "store")) return OpenStored(part);
  ARROW_ASSIGN_OR_RAISE(const std::string name, GetString(part, "name"));
  ARROW_ASSIGN_OR_RAISE(const std::string path, GetString(part, "path"));
  ARROW_ASSIGN_OR_RAISE(ReadableFile opened, ReadableFile::Open({name, path}));
  const auto file = std::make_shared<const ReadableFile>(std::move(opened));
  return SeedReadAt([file](int64_t offset, size_t size, char* out) { return file->ReadAt(offset, size, out); });
}

}  // namespace trawl
