#include "formats/url/pattern.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "formats/url/key.h"

namespace trawl {

namespace {

constexpr size_t kMaxSegments = 12, kMaxSegmentBytes = 48, kMaxPathBytes = 200;
constexpr size_t kMaxNames = 16, kMaxNameBytes = 48, kMaxNamesBytes = 200;
constexpr size_t kNumbersInSuccession = 4, kWordsOfTitle = 3;

enum Class : uint8_t { kOther, kDigit, kSmall, kCapital };

constexpr std::array<Class, 256> kClasses = [] {
  std::array<Class, 256> classes{};
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kSmall;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kCapital;
  return classes;
}();
Class ClassOf(char c) { return kClasses[static_cast<uint8_t>(c)]; }
bool IsHex(char c) { return ClassOf(c) == kDigit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool JoinsNumbers(char c) { return c == '-' || c == '_' || c == '.' || c == ',' || c == ':' || c == '+' || c == '~'; }

// Text that is written on the stack: a pattern is made for each due URL of generate.
class Buffer {
 public:
  // REQUIRES: no more is written than a key holds.
  void push_back(char c) { bytes_[size_++] = c; }
  void append(std::string_view text) {
    std::copy(text.begin(), text.end(), bytes_.data() + size_);
    size_ += text.size();
  }
  void pop_back() { --size_; }
  void resize(size_t size) { size_ = size; }  // never larger
  size_t size() const { return size_; }
  char operator[](size_t i) const { return bytes_[i]; }
  std::string_view Between(size_t from, size_t to) const { return {bytes_.data() + from, to - from}; }

 private:
  // A circle is written a second time.
  std::array<char, 2 * kMaxKeyBytes + 64> bytes_;
  size_t size_ = 0;
};

size_t FindEither(std::string_view text, char a, char b, size_t from) {
  while (from < text.size() && text[from] != a && text[from] != b) ++from;
  return from;
}

void SortFew(std::string_view* begin, std::string_view* end) {
  for (std::string_view* at = begin; at != end; ++at) {
    for (std::string_view* low = at; low != begin && *low < *(low - 1); --low) std::swap(*low, *(low - 1));
  }
}

// 8-4-4-4-12 hexadecimal digits at the beginning.
bool BeginsWithUuid(std::string_view text) {
  constexpr size_t kBytes = 36;
  if (text.size() < kBytes || text[8] != '-') return false;
  if (text.size() > kBytes && ClassOf(text[kBytes]) != kOther) return false;
  for (size_t i = 0; i < kBytes; ++i) {
    const bool is_hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_hyphen ? text[i] != '-' : !IsHex(text[i])) return false;
  }
  return true;
}

// Writes what text between separators becomes, and counts its words.
class TextWriter {
 public:
  explicit TextWriter(Buffer* out) : out_(out), begin_(out->size()) {}

  void Write(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      const Class first = ClassOf(text[at]);
      if (first == kOther) {
        at += WriteOther(text.substr(at));
      } else if (IsHex(text[at]) && BeginsWithUuid(text.substr(at))) {
        Number();
        at += 36;
      } else {
        at += WriteRun(text.substr(at));
      }
    }
  }
  // Numbers and words so far, and of these the words.
  size_t parts() const { return parts_; }
  size_t words() const { return words_; }

 private:
  // A byte that is neither letter nor digit, or a percent-encoded one.
  size_t WriteOther(std::string_view rest) {
    if (rest[0] != '%' || rest.size() < 3 || !IsHex(rest[1]) || !IsHex(rest[2])) {
      out_->push_back(rest[0]);
      in_foreign_word_ = false;
      return 1;
    }
    out_->append(rest.substr(0, 3));
    const bool is_letter = rest[1] >= '8';
    if (is_letter && !in_foreign_word_) {
      ++parts_;
      ++words_;
    }
    in_foreign_word_ = is_letter;
    return 3;
  }

  size_t WriteRun(std::string_view rest) {
    in_foreign_word_ = false;
    size_t end = 0, digits = 0, changes = 0, hex = 0;
    for (Class before = ClassOf(rest[0]); end < rest.size(); ++end) {
      const Class now = ClassOf(rest[end]);
      if (now == kOther) break;
      digits += now == kDigit ? 1 : 0;
      hex += IsHex(rest[end]) ? 1 : 0;
      changes += now != before && !(before == kCapital && now == kSmall) ? 1 : 0;  // "Word" has no change
      before = now;
    }
    const bool is_hex = hex == end && end >= 8 && digits > 0;
    const bool is_id = is_hex || (changes >= 3 && changes * 4 >= end) || (end >= 16 && digits >= 4) || end >= 32;
    if (digits == end || is_id) {
      Number();
      return end;
    }
    ++parts_;
    ++words_;
    if (digits == 0) {
      out_->append(rest.substr(0, end));
      return end;
    }
    for (size_t i = 0; i < end; ++i) {
      if (ClassOf(rest[i]) != kDigit) {
        out_->push_back(rest[i]);
      } else if (i == 0 || ClassOf(rest[i - 1]) != kDigit) {
        out_->push_back('#');
      }
    }
    return end;
  }

  void Number() {
    in_foreign_word_ = false;
    ++parts_;
    const size_t size = out_->size();
    if (size >= begin_ + 2 && JoinsNumbers((*out_)[size - 1]) && (*out_)[size - 2] == '#') {
      out_->pop_back();
    } else if (size == begin_ || (*out_)[size - 1] != '#') {
      out_->push_back('#');
    }
  }

  Buffer* const out_;
  const size_t begin_;
  size_t parts_ = 0, words_ = 0;
  bool in_foreign_word_ = false;
};

// Where the extension begins, with its dot: up to five letters and digits, not digits alone.
size_t ExtensionAt(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || name.size() - dot < 2 || name.size() - dot > 6) return name.size();
  bool has_letter = false;
  for (const char c : name.substr(dot + 1)) {
    if (ClassOf(c) == kOther) return name.size();
    has_letter = has_letter || ClassOf(c) != kDigit;
  }
  return has_letter ? dot : name.size();
}

// Text in which a value after `=` is left out.
void WriteNamed(std::string_view text, TextWriter* writer) {
  while (!text.empty()) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) return writer->Write(text);
    writer->Write(text.substr(0, equals + 1));
    text.remove_prefix(FindEither(text, ';', '&', equals));
  }
}

void WriteSegment(std::string_view segment, bool is_last, Buffer* out) {
  const size_t begin = out->size();
  const size_t parameters_at = std::min(segment.find(';'), segment.size());
  const std::string_view name = segment.substr(0, parameters_at);
  const size_t extension_at = ExtensionAt(name);
  TextWriter writer(out);
  WriteNamed(name.substr(0, extension_at), &writer);
  const bool is_title =
      is_last && writer.parts() >= kWordsOfTitle && writer.words() > 0 && name.find('=') == std::string_view::npos;
  if (is_title || out->size() - begin > kMaxSegmentBytes) {
    out->resize(begin);
    out->push_back('#');
  }
  if (extension_at < name.size()) TextWriter(out).Write(name.substr(extension_at));
  if (parameters_at == segment.size()) return;
  TextWriter parameters(out);
  WriteNamed(segment.substr(parameters_at), &parameters);
  if (out->size() - begin > 2 * kMaxSegmentBytes) {
    out->resize(begin);
    out->push_back('#');
  }
}

// The segments of a path as they are written, and whether they come again.
class PathWriter {
 public:
  explicit PathWriter(Buffer* out) : out_(out), begin_(out->size()) {}

  // `path` begins with '/'.
  void Write(std::string_view path) {
    for (size_t at = 1; at <= path.size();) {
      const size_t end = std::min(path.find('/', at), path.size());
      const bool is_last = end == path.size() || end + 1 == path.size();
      if (count_ == kMaxSegments || out_->size() - begin_ > kMaxPathBytes) {
        has_rest_ = true;
        break;
      }
      WriteNext(path.substr(at, end - at), is_last, end == path.size());
      at = end + 1;
    }
    if (is_circle_) WriteCircle();
    if (has_rest_ || is_circle_) out_->push_back('*');
  }

 private:
  std::string_view Segment(size_t i) const {
    const size_t end = i + 1 < count_ ? starts_[i + 1] - 1 : out_->size();
    return out_->Between(starts_[i], end);
  }

  void WriteNext(std::string_view segment, bool is_last, bool is_end) {
    const size_t before = out_->size();
    out_->push_back('/');
    starts_[count_++] = static_cast<uint32_t>(out_->size());
    WriteSegment(segment, is_last, out_);
    const std::string_view written = Segment(count_ - 1);
    if (written == "#") {
      if (++numbers_ <= kNumbersInSuccession) return;
      out_->resize(before);
      --count_;
      has_rest_ = true;
      return;
    }
    numbers_ = 0;
    if (is_end && written.empty()) return;  // the slash at the end
    for (size_t i = 0; i + 1 < count_; ++i) {
      if (Segment(i) != written) continue;
      is_circle_ = true;
      return;
    }
  }

  void WriteCircle() {
    std::array<std::string_view, kMaxSegments> segments;
    size_t count = 0;
    for (size_t i = 0; i < count_; ++i) segments[count++] = Segment(i);
    SortFew(segments.data(), segments.data() + count);
    Buffer circle;
    for (size_t i = 0; i < count; ++i) {
      if (segments[i].empty() || (i > 0 && segments[i] == segments[i - 1])) continue;
      circle.push_back('/');
      circle.append(segments[i]);
    }
    out_->resize(begin_);
    out_->append(circle.Between(0, circle.size()));
  }

  Buffer* const out_;
  const size_t begin_;
  std::array<uint32_t, kMaxSegments> starts_{};
  size_t count_ = 0, numbers_ = 0;
  bool has_rest_ = false, is_circle_ = false;
};

// The name of a parameter, written at the end of `*out`.
void WriteName(std::string_view name, Buffer* out) {
  const size_t begin = out->size();
  TextWriter(out).Write(name);
  if (out->size() - begin <= kMaxNameBytes) return;
  out->resize(begin);
  out->push_back('#');
}

void WriteQuery(std::string_view query, Buffer* out) {
  Buffer written;
  std::array<uint32_t, kMaxNames + 1> starts{};
  size_t count = 0;
  bool has_rest = false;
  for (size_t at = 0; at < query.size();) {
    const size_t end = FindEither(query, '&', ';', at);
    const std::string_view parameter = query.substr(at, end - at);
    at = end + 1;
    const std::string_view name = parameter.substr(0, parameter.find('='));
    if (name.empty()) continue;
    has_rest = count == kMaxNames || written.size() > kMaxNamesBytes;
    if (has_rest) break;
    WriteName(name, &written);
    starts[++count] = static_cast<uint32_t>(written.size());
  }
  std::array<std::string_view, kMaxNames> names;
  for (size_t i = 0; i < count; ++i) names[i] = written.Between(starts[i], starts[i + 1]);
  SortFew(names.data(), names.data() + count);
  out->push_back('?');
  for (size_t i = 0; i < count; ++i) {
    if (i > 0 && names[i] == names[i - 1]) continue;
    if (i > 0) out->push_back('&');
    out->append(names[i]);
  }
  if (has_rest) out->push_back('*');
}

}  // namespace

void WritePatternOfKey(std::string_view key, std::string* pattern) {
  const std::string_view origin = OriginPartOfKey(key);
  const std::string_view rest = key.substr(origin.size()).substr(0, kMaxKeyBytes);
  const size_t query_at = std::min(rest.find('?'), rest.size());
  Buffer out;
  PathWriter(&out).Write(rest.substr(0, query_at));
  if (query_at < rest.size()) WriteQuery(rest.substr(query_at + 1), &out);
  pattern->assign(origin).append(out.Between(0, out.size()));
}

std::string PatternOfKey(std::string_view key) {
  std::string pattern;
  WritePatternOfKey(key, &pattern);
  return pattern;
}

std::string FamilyOfPattern(std::string_view pattern) {
  const size_t query_at = pattern.find('?');
  if (query_at != std::string_view::npos) return std::string(pattern.substr(0, query_at + 1)).append("*");
  const size_t path_at = OriginPartOfKey(pattern).size();
  const size_t folder_end = pattern.find('/', path_at + 1);
  if (folder_end == std::string_view::npos) return {};
  return std::string(pattern.substr(0, folder_end)).append("/**");
}

std::string FamilyOfOrigin(std::string_view pattern) { return std::string(OriginPartOfKey(pattern)).append("/**"); }

std::string ReadablePattern(std::string_view pattern) {
  const std::string_view origin = OriginPartOfKey(pattern);
  std::string url;
  if (!WriteUrlOfKey(std::string(origin) + "/", &url)) return std::string(pattern);
  url.pop_back();
  return url.append(pattern.substr(origin.size()));
}

}  // namespace trawl
