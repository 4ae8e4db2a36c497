#include "runtime/process/input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <streambuf>
#include <utility>
#include <vector>

namespace trawl {

namespace {

constexpr size_t kBufferBytes = 64 << 10;

}  // namespace

class InputStream::Buffer : public std::streambuf {
 public:
  Buffer(int fd, StopToken stop, std::ostream* flushed)
      : fd_(fd), stop_(std::move(stop)), flushed_(flushed), bytes_(kBufferBytes) {}

 protected:
  int_type underflow() override {
    if (flushed_ != nullptr) flushed_->flush();
    const ssize_t count = ReadSome();
    // A stream buffer reports a failure by an exception; the stream catches it and sets badbit.
    if (count < 0) throw std::runtime_error("read failed");
    if (count == 0) return traits_type::eof();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
    return traits_type::to_int_type(*gptr());
  }

 private:
  // Returns 0 at the end of input and once stopped, -1 on failure.
  ssize_t ReadSome() {
    while (!stop_.stopped()) {
      pollfd fds[] = {{fd_, POLLIN, 0}, {stop_.wait_fd(), POLLIN, 0}};
      if (::poll(fds, 2, -1) < 0 && errno != EINTR) return -1;
      if (fds[0].revents == 0 || stop_.stopped()) continue;
      const ssize_t count = ::read(fd_, bytes_.data(), bytes_.size());
      if (count >= 0 || (errno != EINTR && errno != EAGAIN)) return count;
    }
    return 0;
  }

  const int fd_;
  const StopToken stop_;
  std::ostream* const flushed_;
  std::vector<char> bytes_;
};

InputStream::InputStream(int fd, StopToken stop, std::ostream* flushed)
    : std::istream(nullptr), buffer_(std::make_unique<Buffer>(fd, std::move(stop), flushed)) {
  rdbuf(buffer_.get());
}

InputStream::~InputStream() = default;

}  // namespace trawl
