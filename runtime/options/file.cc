#include "runtime/options/file.h"

#include <map>

#include "runtime/process/read_file.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxFileBytes = 1 << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view WithoutComment(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    const bool starts = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
    if (starts && (line[i] == '#' || (line[i] == ';' && i == 0))) return line.substr(0, i);
  }
  return line;
}

class Reader {
 public:
  Reader(const std::string& file, const OptionGroups& known) : file_(file), known_(known) {}

  Status Take(std::string_view line) {
    ++line_number_;
    line = Trim(WithoutComment(line));
    if (line.empty()) return Status::OK();
    if (line.front() == '[') return TakeGroup(line);
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      return UsageError(Where(), ": '", line.substr(0, 80), "' is neither [group] nor name = value");
    }
    return TakeValue(std::string(Trim(line.substr(0, equals))), std::string(Trim(line.substr(equals + 1))));
  }

  std::vector<OptionAssignment>& assignments() { return assignments_; }

 private:
  std::string Where() const { return file_ + ":" + std::to_string(line_number_); }

  Status TakeGroup(std::string_view line) {
    if (line.back() != ']') return UsageError(Where(), ": the line must end with ], such as [fetch]");
    group_ = std::string(Trim(line.substr(1, line.size() - 2)));
    return Status::OK();
  }

  Status TakeValue(const std::string& noun, std::string text) {
    const std::string name = group_.empty() ? noun : group_ + "." + noun;
    const OptionSpec* spec = FindOption(known_, name);
    if (spec == nullptr) return UnknownOption(Where(), name, known_);
    const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    if (is_quoted) return UsageError(Where(), ": ", name, ": write the value without quotes");
    const auto [first, is_new] = first_line_.emplace(name, line_number_);
    if (!is_new && spec->type.kind != OptionKind::kList) {
      return UsageError(Where(), ": ", name, " is already in line ", first->second, "; remove one of them");
    }
    assignments_.push_back({name, std::move(text), Where() + ": " + name});
    return Status::OK();
  }

  const std::string& file_;
  const OptionGroups& known_;
  int line_number_ = 0;
  std::string group_;
  std::map<std::string, int> first_line_;
  std::vector<OptionAssignment> assignments_;
};

}  // namespace

Result<std::vector<OptionAssignment>> ParseOptionFile(std::string_view text, const std::string& file,
                                                      const OptionGroups& known) {
  Reader reader(file, known);
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const size_t end = text.find('\n');
    ARROW_RETURN_NOT_OK(reader.Take(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return std::move(reader.assignments());
}

Result<std::vector<OptionAssignment>> LoadOptionFile(const std::string& path, const OptionGroups& known) {
  const Result<std::string> text = ReadLocalFile(path, kMaxFileBytes);
  if (!text.ok()) return UsageError("--config ", text.status().message(), "; name an INI file");
  return ParseOptionFile(*text, path, known);
}

}  // namespace trawl
