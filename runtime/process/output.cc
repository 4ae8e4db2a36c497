#include "runtime/process/output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <streambuf>
#include <string_view>
#include <vector>

#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr size_t kBufferBytes = 64 << 10;

Status ClosedError() { return StatusOfKind(StatusKind::kOutputClosed, "standard output was closed by its reader"); }

}  // namespace

class OutputStream::Buffer : public std::streambuf {
 public:
  explicit Buffer(int fd) : fd_(fd), bytes_(kBufferBytes) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

  int sync() override {
    const std::string_view pending(pbase(), static_cast<size_t>(pptr() - pbase()));
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return WriteAll(pending) ? 0 : -1;
  }

 private:
  bool WriteAll(std::string_view bytes) {
    while (!bytes.empty() && error_ == 0) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written >= 0) {
        bytes.remove_prefix(static_cast<size_t>(written));
      } else if (errno == EAGAIN) {
        pollfd ready{fd_, POLLOUT, 0};  // whoever shares the descriptor made it non-blocking
        ::poll(&ready, 1, -1);
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    return error_ == 0;
  }

  const int fd_;
  std::vector<char> bytes_;
  int error_ = 0;
};

OutputStream::OutputStream(int fd) : std::ostream(nullptr), buffer_(std::make_unique<Buffer>(fd)) {
  rdbuf(buffer_.get());
}

OutputStream::~OutputStream() { flush(); }

Status OutputStream::Finish() {
  flush();
  if (buffer_->error() == 0) return Status::OK();
  if (buffer_->error() == EPIPE) return ClosedError();
  return Status::IOError("standard output cannot be written: ", std::strerror(buffer_->error()));
}

Status CheckOutput(const std::ostream& out) { return out.good() ? Status::OK() : ClosedError(); }

}  // namespace trawl
