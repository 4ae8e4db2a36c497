#include "formats/hadoop/job_files.h"

#include <algorithm>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kSplitClass[] = "org.apache.hadoop.mapred.FileSplit";

void AppendBigEndian(uint64_t number, int bytes, std::string* out) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) out->push_back(static_cast<char>(number >> shift));
}

// REQUIRES: number >= 0.
void AppendVariable(int64_t number, std::string* out) {
  if (number <= 127) {
    out->push_back(static_cast<char>(number));
    return;
  }
  int bytes = 0;
  for (int64_t rest = number; rest != 0; rest >>= 8) ++bytes;
  out->push_back(static_cast<char>(-112 - bytes));
  AppendBigEndian(static_cast<uint64_t>(number), bytes, out);
}

void AppendText(std::string_view text, std::string* out) {
  AppendVariable(static_cast<int64_t>(text.size()), out);
  out->append(text);
}

// Returns false for a character that XML 1.0 cannot hold.
bool AppendEscaped(std::string_view text, std::string* out) {
  for (const char c : text) {
    if (c == '&') {
      *out += "&amp;";
    } else if (c == '<') {
      *out += "&lt;";
    } else if (c == '>') {
      *out += "&gt;";
    } else if (c == '\r') {
      *out += "&#13;";  // a reader turns a bare one into a line feed
    } else if (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n') {
      return false;
    } else {
      out->push_back(c);
    }
  }
  return true;
}

bool AppendElement(const char* name, std::string_view text, std::string* out) {
  *out += std::string("<") + name + ">";
  const bool fits = AppendEscaped(text, out);
  *out += std::string("</") + name + ">";
  return fits;
}

}  // namespace

std::vector<FileSplit> LineSplits(std::string_view text) {
  std::vector<FileSplit> splits;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const auto at = static_cast<int64_t>(begin), size = static_cast<int64_t>(end - begin);
    splits.push_back(begin == 0 ? FileSplit{0, size - 1} : FileSplit{at - 1, size});
    begin = end;
  }
  std::stable_sort(splits.begin(), splits.end(),
                   [](const FileSplit& a, const FileSplit& b) { return a.size_bytes > b.size_bytes; });
  return splits;
}

SplitFiles SplitFilesOf(const std::string& file, const std::vector<FileSplit>& splits) {
  SplitFiles files = {.splits = "SPL", .meta_info = "META-SPL"};
  AppendBigEndian(/*version*/ 1, 4, &files.splits);
  AppendVariable(/*version*/ 1, &files.meta_info);
  AppendVariable(static_cast<int64_t>(splits.size()), &files.meta_info);
  for (const FileSplit& split : splits) {
    AppendVariable(/*hosts*/ 0, &files.meta_info);
    AppendVariable(static_cast<int64_t>(files.splits.size()), &files.meta_info);
    AppendVariable(split.size_bytes, &files.meta_info);
    AppendText(kSplitClass, &files.splits);
    AppendText(file, &files.splits);
    AppendBigEndian(static_cast<uint64_t>(split.begin), 8, &files.splits);
    AppendBigEndian(static_cast<uint64_t>(split.size_bytes), 8, &files.splits);
  }
  return files;
}

Result<std::string> JobXml(const std::vector<JobSetting>& settings) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?><configuration>\n";
  for (const JobSetting& setting : settings) {
    xml += "<property>";
    const bool fits = AppendElement("name", setting.name, &xml) && AppendElement("value", setting.value, &xml) &&
                      AppendElement("final", setting.is_final ? "true" : "false", &xml) &&
                      AppendElement("source", setting.source, &xml);
    if (!fits) return Status::Invalid("the setting ", setting.name, " has a control character");
    xml += "</property>\n";
  }
  return xml + "</configuration>\n";
}

}  // namespace trawl
