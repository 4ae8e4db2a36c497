#include "jobs/program/rooted_stream.h"

#include <streambuf>
#include <string_view>
#include <utility>

#include "jobs/policy/advice.h"

namespace trawl {

class RootedStream::Buffer : public std::streambuf {
 public:
  Buffer(std::ostream& to, std::string root) : to_(to), root_(std::move(root)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() override { HandOn(line_.size()); }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char byte = traits_type::to_char_type(c);
    return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    line_.append(text, static_cast<size_t>(size));
    if (const size_t end = line_.rfind('\n'); end != std::string::npos) HandOn(end + 1);
    return size;
  }
  int sync() override {
    HandOn(line_.size());
    to_.flush();
    return 0;
  }

 private:
  void HandOn(size_t size) {
    to_ << WithRoot(std::string_view(line_).substr(0, size), root_);
    line_.erase(0, size);
  }

  std::ostream& to_;
  const std::string root_;
  std::string line_;
};

RootedStream::RootedStream(std::ostream& to, std::string root)
    : std::ostream(nullptr), buffer_(std::make_unique<Buffer>(to, std::move(root))) {
  rdbuf(buffer_.get());
}

RootedStream::~RootedStream() = default;

}  // namespace trawl
