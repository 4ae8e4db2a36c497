// Defines MakeGzipLayer and MakeDeflateLayer of layer.h.
#include <zlib.h>

#include "runtime/decode/layer.h"

namespace trawl {

namespace {

constexpr int kGzipWindowBits = 15 + 16;
constexpr int kZlibWindowBits = 15;
constexpr int kRawWindowBits = -15;

// One zlib stream: a gzip member, or the whole of a deflate coding.
class Inflater {
 public:
  enum class Result { kMore, kStreamEnd, kStopped, kBad };

  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  bool Start(int window_bits) {
    if (ready_) return inflateReset2(&stream_, window_bits) == Z_OK;
    ready_ = inflateInit2(&stream_, window_bits) == Z_OK;
    return ready_;
  }
  // Takes bytes off the front of `in` until the stream ends or all bytes are used.
  Result Run(std::string_view& in, const DecodeLayer::Out& out) {
    unsigned char buffer[kDecodeBufferBytes];
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    for (;;) {
      stream_.next_out = buffer;
      stream_.avail_out = sizeof buffer;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      const size_t made = sizeof buffer - stream_.avail_out;
      in = in.substr(in.size() - stream_.avail_in);
      if (made > 0 && !out({reinterpret_cast<char*>(buffer), made})) return Result::kStopped;
      if (code == Z_STREAM_END) return Result::kStreamEnd;
      if (code != Z_OK && code != Z_BUF_ERROR) return Result::kBad;
      if (stream_.avail_out > 0) return Result::kMore;
    }
  }
  bool made_nothing() const { return stream_.total_out == 0; }
  const char* message() const { return stream_.msg != nullptr ? stream_.msg : "malformed"; }

 private:
  z_stream stream_ = {};
  bool ready_ = false;
};

class GzipLayer : public DecodeLayer {
 public:
  bool Write(std::string_view in, const Out& out) override {
    while (!in.empty()) {
      if (state_ == State::kGarbage) return true;
      if (state_ != State::kMember) {
        if (!LookForMember(in)) return Fail("gzip: out of memory");
        continue;
      }
      switch (inflater_.Run(in, out)) {
        case Inflater::Result::kMore:
          return true;
        case Inflater::Result::kStopped:
          return false;
        case Inflater::Result::kStreamEnd:
          whole_members_ = true;
          state_ = State::kBetween;
          break;
        case Inflater::Result::kBad:
          if (!whole_members_ || !inflater_.made_nothing()) return Fail(std::string("gzip: ") + inflater_.message());
          state_ = State::kGarbage;  // the bytes after a whole member only looked like another member
      }
    }
    return true;
  }
  bool AtEnd() const override { return whole_members_ && state_ != State::kMember; }

 private:
  enum class State { kStart, kBetween, kHalfMagic, kMember, kGarbage };

  // Takes the bytes that decide whether a member begins. zlib judges the first member; a further one needs its magic
  // number.
  bool LookForMember(std::string_view& in) {
    if (state_ == State::kStart) {
      state_ = State::kMember;
      return inflater_.Start(kGzipWindowBits);
    }
    const char byte = in.front();
    in.remove_prefix(1);
    if (state_ == State::kBetween) {
      state_ = byte == '\x1f' ? State::kHalfMagic : State::kGarbage;
      return true;
    }
    state_ = byte == '\x8b' ? State::kMember : State::kGarbage;
    if (state_ == State::kGarbage) return true;
    if (!inflater_.Start(kGzipWindowBits)) return false;
    std::string_view magic = "\x1f\x8b";
    return inflater_.Run(magic, [](std::string_view) { return true; }) == Inflater::Result::kMore;
  }

  Inflater inflater_;
  State state_ = State::kStart;
  bool whole_members_ = false;
};

// RFC 9110 8.4.1.2: "deflate" is the zlib format, "some non-conformant implementations send … without the zlib
// wrapper".
class DeflateLayer : public DecodeLayer {
 public:
  bool Write(std::string_view in, const Out& out) override {
    if (ended_) return true;
    if (!started_) {
      const std::string_view taken = in.substr(0, 2 - head_.size());
      head_.append(taken);
      in.remove_prefix(taken.size());
      if (head_.size() < 2) return true;
      if (!inflater_.Start(LooksLikeZlib() ? kZlibWindowBits : kRawWindowBits)) return Fail("deflate: out of memory");
      started_ = true;
      if (!Run(head_, out)) return false;
    }
    return ended_ || Run(in, out);
  }
  bool AtEnd() const override { return ended_; }

 private:
  // RFC 1950 2.2: the method is 8 and the first two bytes, as a number, are a multiple of 31.
  bool LooksLikeZlib() const {
    const unsigned first = static_cast<unsigned char>(head_[0]), second = static_cast<unsigned char>(head_[1]);
    return (first & 0x0f) == 8 && (first >> 4) <= 7 && (first * 256 + second) % 31 == 0;
  }
  bool Run(std::string_view in, const Out& out) {
    switch (inflater_.Run(in, out)) {
      case Inflater::Result::kMore:
        return true;
      case Inflater::Result::kStreamEnd:
        ended_ = true;
        return true;
      case Inflater::Result::kStopped:
        return false;
      case Inflater::Result::kBad:
        break;
    }
    return Fail(std::string("deflate: ") + inflater_.message());
  }

  Inflater inflater_;
  std::string head_;
  bool started_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<DecodeLayer> MakeGzipLayer() { return std::make_unique<GzipLayer>(); }
std::unique_ptr<DecodeLayer> MakeDeflateLayer() { return std::make_unique<DeflateLayer>(); }

}  // namespace trawl
