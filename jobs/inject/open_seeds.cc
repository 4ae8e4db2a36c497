#include "jobs/inject/open_seeds.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <istream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/process/file_descriptor.h"
#include "runtime/process/input.h"
#include "runtime/process/status_detail.h"
#include "runtime/store/status.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

class SpooledInput {
 public:
  // Adds to `*bytes` as it reads. `name` is for messages.
  static Result<std::unique_ptr<SpooledInput>> Make(std::istream& in, const std::string& name,
                                                    const std::string& temp_folder, std::atomic<int64_t>* bytes);
  ~SpooledInput() { close(fd_); }
  // A path that opens the copy in this process.
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  explicit SpooledInput(int fd) : fd_(fd) {}
  const int fd_;
};

namespace {

constexpr size_t kReadBytes = 1 << 20;
constexpr char kWhatToName[] =
    "name a URL (https://www.example.com/), a file with one URL per line, or - for standard input";
constexpr int64_t kPartBytes = int64_t{16} << 20;

// Whether the file is a pipe or a device: it ends, but has no size.
bool IsReadOnce(const SeedFile& file) {
  struct stat about;
  return stat(file.path.c_str(), &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

// Whether the argument begins as no host does.
bool IsWrittenAsPath(const std::string& argument) {
  return argument.empty() || argument[0] == '/' || argument[0] == '.' || argument[0] == '~';
}

// Whether the argument ends as files of lines are named, and as no host does.
bool IsNamedAsFile(std::string_view argument) {
  constexpr std::string_view kEndings[] = {".txt", ".tsv", ".csv", ".tab", ".lst", ".list", ".seeds", ".urls"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [argument](std::string_view ending) { return argument.ends_with(ending); });
}

// A file of a store: "s3://bucket/folder/file?endpoint_override=…" is "folder/file" … below "s3://bucket".
Result<SeedFile> StoredFile(const std::string& uri) {
  const size_t query = std::min(uri.find('?'), uri.size());
  const size_t slash = uri.rfind('/', query);
  const std::string file = uri.substr(slash + 1, query - slash - 1);
  if (uri.starts_with("http://") || uri.starts_with("https://")) {
    return UsageError("'", uri, "' is not read over HTTP; fetch the file first, and name it here");
  }
  if (slash < uri.find("://") + 3 || file.empty()) {
    return UsageError("'", uri, "' names no file; write it like s3://bucket/folder/cdx-00000.gz");
  }
  return SeedFile{.name = uri, .path = file, .store = uri.substr(0, slash) + uri.substr(query)};
}

// Files of an archive.
Result<SeedSources> SortArchiveArguments(const std::vector<std::string>& arguments, SeedsFrom from) {
  SeedSources sources;
  sources.from = from;
  if (arguments.empty()) return UsageError("there is no file; name files of the archive, or - for standard input");
  for (const std::string& argument : arguments) {
    if (argument == "-") {
      if (sources.standard_input) return UsageError("'-' (standard input) is given twice; give it once");
      sources.standard_input = true;
    } else if (argument.find("://") != std::string::npos) {
      ARROW_ASSIGN_OR_RAISE(SeedFile file, StoredFile(argument));
      sources.files.push_back(std::move(file));
    } else if (access(argument.c_str(), F_OK) == 0) {
      sources.files.push_back({argument, argument});
    } else {
      return UsageError("there is no file '", argument, "'");
    }
  }
  return sources;
}

// Tells URLs (they have a scheme) and files apart.
Result<SeedSources> SortSeedArguments(const std::vector<std::string>& arguments) {
  SeedSources sources;
  if (arguments.empty()) return UsageError("there is no seed; ", kWhatToName);
  for (const std::string& argument : arguments) {
    if (argument == "-") {
      if (sources.standard_input) return UsageError("'-' (standard input) is given twice; give it once");
      sources.standard_input = true;
    } else if (argument.find("://") != std::string::npos) {
      sources.urls.push_back(argument);
    } else if (access(argument.c_str(), F_OK) == 0) {
      sources.files.push_back({argument, argument});
    } else if (argument.starts_with('-')) {
      return UsageError("'", argument, "' is neither a file nor a URL; an option begins with two dashes");
    } else if (IsWrittenAsPath(argument) || IsNamedAsFile(argument)) {
      return UsageError("there is no file '", argument, "'; ", kWhatToName);
    } else {
      return UsageError("'", argument, "' is neither a file nor a URL; did you mean https://", argument, "?");
    }
  }
  return sources;
}

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

OpenSeeds::OpenSeeds() = default;
OpenSeeds::OpenSeeds(OpenSeeds&&) noexcept = default;
OpenSeeds::~OpenSeeds() = default;

// Replaces the inputs that can be read only once by copies.
Status OpenSeeds::Spool(VerbContext& context, SeedSources* sources) {
  std::atomic<int64_t> bytes = 0;
  const auto shown = context.ShowProgress([&bytes] { return "reading seeds, " + ReadableSize(bytes); });
  const auto spool = [&](std::istream& in, const std::string& name) -> Result<std::string> {
    ARROW_ASSIGN_OR_RAISE(auto spooled, SpooledInput::Make(in, name, context.global.temp_dir, &bytes));
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    spooled_.push_back(std::move(spooled));
    return spooled_.back()->path();
  };
  for (SeedFile& file : sources->files) {
    if (!file.store.empty() || !IsReadOnce(file)) continue;
    // For a pipe that nobody writes to yet, poll waits, which a signal ends, and not open.
    const FileDescriptor opened(open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!opened.is_open()) return ErrnoStatus(errno, "opening", file.name);
    InputStream in(opened.get(), context.process.stop, nullptr);
    ARROW_ASSIGN_OR_RAISE(file.path, spool(in, file.name));
  }
  if (!sources->standard_input) return Status::OK();
  constexpr char kName[] = "standard input";
  ARROW_ASSIGN_OR_RAISE(std::string path, spool(context.process.in, kName));
  sources->files.push_back({kName, std::move(path)});
  return Status::OK();
}

Result<OpenSeeds> OpenSeeds::Open(VerbContext& context, SeedsFrom from) {
  OpenSeeds seeds;
  ARROW_ASSIGN_OR_RAISE(SeedSources sources, from == SeedsFrom::kList ? SortSeedArguments(context.arguments)
                                                                      : SortArchiveArguments(context.arguments, from));
  ARROW_RETURN_NOT_OK(seeds.Spool(context, &sources));
  ARROW_ASSIGN_OR_RAISE(seeds.parts_, CutSeeds(sources, kPartBytes));
  return seeds;
}

}  // namespace trawl
