#include "formats/http/head.h"

#include <charconv>

#include "formats/http/header_list.h"

namespace trawl {

namespace {

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Field names are compared without case (RFC 9110 5.1). `name` is in lower case.
bool IsNamed(std::string_view text, std::string_view name) {
  if (text.size() != name.size()) return false;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    if (c != name[i]) return false;
  }
  return true;
}

int StatusOf(std::string_view line) {
  size_t at = line.find_first_of(" \t");
  if (at == std::string_view::npos) return 0;
  at = line.find_first_not_of(" \t", at);
  if (at == std::string_view::npos) return 0;
  int status = 0;
  const std::string_view digits = line.substr(at, 3);
  std::from_chars(digits.data(), digits.data() + digits.size(), status);
  return status < 0 ? 0 : status;
}

}  // namespace

HttpHeadReader::Step HttpHeadReader::Take(std::string_view line) {
  bytes_ += static_cast<int64_t>(line.size());
  const std::string_view text = Trim(line);
  if (in_answer_ && !text.empty()) ++fields_;
  if (bytes_ > limits_.max_bytes || fields_ > limits_.max_fields) return Step::kTooLarge;
  if (ended_) return Step::kMore;
  if (!in_answer_) {
    // Empty lines before a status line are ignored (RFC 9112 2.2).
    if (!text.empty()) BeginAnswer(line);
    return Step::kMore;
  }
  raw_ += line;
  if (text.empty()) return EndSection();
  TakeField(line);
  return Step::kMore;
}

std::string HttpHeadReader::Excess() const {
  if (fields_ > limits_.max_fields) return "more than " + std::to_string(limits_.max_fields) + " header fields";
  return "more than " + std::to_string(limits_.max_bytes) + " bytes of headers";
}

void HttpHeadReader::BeginAnswer(std::string_view line) {
  raw_ = line;
  status_ = StatusOf(Trim(line));
  in_answer_ = true;
  content_type_.clear();
  content_encoding_.clear();
  transfer_codings_.clear();
  location_.clear();
  lengths_.clear();
  length_count_ = 0;
  content_length_ = -1;
  has_transfer_coding_ = false;
  last_field_ = Field::kNone;
}

void HttpHeadReader::TakeField(std::string_view line) {
  if (line.front() == ' ' || line.front() == '\t') return Keep(last_field_, Trim(line), true);
  static constexpr struct {
    std::string_view name;
    Field field;
  } kFields[] = {{"content-type", Field::kContentType},
                 {"content-encoding", Field::kContentEncoding},
                 {"content-length", Field::kContentLength},
                 {"location", Field::kLocation},
                 {"transfer-encoding", Field::kTransferEncoding}};
  last_field_ = Field::kNone;
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon);
  for (const auto& known : kFields) {
    if (!IsNamed(name, known.name)) continue;
    last_field_ = known.field;
    Keep(known.field, Trim(line.substr(colon + 1)), false);
  }
}

// A line that continues the field before it counts as a space and its text (RFC 9112 5.2).
void HttpHeadReader::Keep(Field field, std::string_view value, bool continues) {
  switch (field) {
    case Field::kNone:
      return;
    case Field::kContentType:
      if (!continues) content_type_.clear();
      if (continues) content_type_ += ' ';
      content_type_ += value;
      return;
    case Field::kContentEncoding:
      if (!content_encoding_.empty()) content_encoding_ += continues ? " " : ", ";
      content_encoding_ += value;
      return;
    case Field::kContentLength:
      if (length_count_ > 0) lengths_ += continues ? ' ' : ',';
      ++length_count_;
      lengths_ += value;
      return;
    case Field::kLocation:
      if (!continues && !location_.empty()) return;
      location_ += value;
      return;
    case Field::kTransferEncoding:
      has_transfer_coding_ = true;
      for (const std::string_view coding : SplitAtCommas(value)) {
        if (IsNamed(coding, "chunked") || IsNamed(coding, "identity")) continue;
        transfer_codings_ += (transfer_codings_.empty() ? "" : ", ") + std::string(coding);
      }
      return;
  }
}

HttpHeadReader::Step HttpHeadReader::EndSection() {
  in_answer_ = false;
  if (status_ >= 100 && status_ < 200 && status_ != 101) return Step::kInterimEnd;
  ended_ = true;
  in_answer_ = true;  // trailers are fields
  return SettleLength() ? Step::kEnd : Step::kConflict;
}

// Fetch, "extract a length": all values of the list must be the same text; a text that is not a number is ignored.
bool HttpHeadReader::SettleLength() {
  if (length_count_ == 0) return true;
  std::string_view rest = lengths_;
  const std::string_view first = Trim(rest.substr(0, rest.find(',')));
  while (rest.find(',') != std::string_view::npos) {
    rest.remove_prefix(rest.find(',') + 1);
    if (Trim(rest.substr(0, rest.find(','))) != first) return has_transfer_coding_;
  }
  if (first.empty() || first.find_first_not_of("0123456789") != std::string_view::npos) return true;
  int64_t length = 0;
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), length);
  if (error == std::errc() && end == first.data() + first.size()) content_length_ = length;
  return true;
}

}  // namespace trawl
