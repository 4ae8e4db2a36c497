#include "runtime/terminal/printable_stream.h"

#include <algorithm>
#include <streambuf>
#include <string>
#include <string_view>

#include "runtime/terminal/text.h"

namespace trawl {

namespace {

// Where the text ends with the beginning of a character, or with half of a line end: the place where that begins.
size_t WholeBytes(std::string_view text) {
  if (text.ends_with('\r')) return text.size() - 1;
  constexpr size_t kMostBytes = 4;
  for (size_t back = 1; back <= std::min(kMostBytes, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80) continue;
    const size_t wanted = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return back < wanted ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace

class PrintableStream::Buffer : public std::streambuf {
 public:
  explicit Buffer(std::ostream& to) : out_(to) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() override { Write(pending_); }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char byte = traits_type::to_char_type(c);
    return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    pending_.append(bytes, static_cast<size_t>(size));
    const size_t whole = WholeBytes(pending_);
    Write(pending_.substr(0, whole));
    pending_.erase(0, whole);
    return out_.good() ? size : 0;
  }
  int sync() override {
    out_.flush();
    return out_.good() ? 0 : -1;
  }

 private:
  void Write(std::string text) {
    for (size_t at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at)) text.erase(at, 1);
    out_ << Printable(text);
  }

  std::ostream& out_;
  std::string pending_;
};

PrintableStream::PrintableStream(std::ostream& to) : std::ostream(nullptr), buffer_(std::make_unique<Buffer>(to)) {
  rdbuf(buffer_.get());
}

PrintableStream::~PrintableStream() = default;

}  // namespace trawl
