#include "runtime/decode/decode.h"

#include <algorithm>
#include <utility>

#include "runtime/decode/layer.h"

namespace trawl {

namespace {

constexpr size_t kMaxLayers = 3;
// Coded bytes may exceed the decoded limit by this much: headers, stored blocks, trailing bytes.
constexpr int64_t kWireSlackBytes = 1 << 20;

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool FindCoding(const std::string& name, ContentCodings::Coding* coding) {
  using Coding = ContentCodings::Coding;
  static constexpr std::pair<const char*, Coding> kCodings[] = {{"gzip", Coding::kGzip},
                                                                {"x-gzip", Coding::kGzip},
                                                                {"deflate", Coding::kDeflate},
                                                                {"br", Coding::kBrotli},
                                                                {"zstd", Coding::kZstd}};
  for (const auto& [known, value] : kCodings) {
    if (name == known) {
      *coding = value;
      return true;
    }
  }
  return false;
}

std::unique_ptr<DecodeLayer> MakeLayer(ContentCodings::Coding coding) {
  switch (coding) {
    case ContentCodings::Coding::kGzip:
      return MakeGzipLayer();
    case ContentCodings::Coding::kDeflate:
      return MakeDeflateLayer();
    case ContentCodings::Coding::kBrotli:
      return MakeBrotliLayer();
    case ContentCodings::Coding::kZstd:
      return MakeZstdLayer();
  }
  return nullptr;
}

}  // namespace

std::string_view BodyEndName(BodyEnd end) {
  static constexpr std::string_view kNames[] = {"complete",          "size",        "ratio", "time", "incomplete",
                                                "coding_incomplete", "decode_error"};
  return kNames[static_cast<size_t>(end)];
}

ContentCodings ParseContentEncoding(std::string_view value) {
  ContentCodings codings;
  while (!value.empty()) {
    const size_t comma = value.rfind(',');
    const size_t start = comma == std::string_view::npos ? 0 : comma + 1;
    const std::string name = Lower(Trim(value.substr(start)));
    value = value.substr(0, comma == std::string_view::npos ? 0 : comma);
    if (name.empty() || name == "identity") continue;
    ContentCodings::Coding coding;
    if (!FindCoding(name, &coding)) {
      const std::string before = Lower(Trim(value));
      codings.kept = before.empty() ? name : before + ", " + name;
      break;
    }
    if (codings.undone.size() == kMaxLayers) {
      codings.too_many = true;
      codings.undone.clear();
      break;
    }
    codings.undone.push_back(coding);
  }
  return codings;
}

BodyDecoder::BodyDecoder(std::string_view content_encoding, const DecodeLimits& limits) : limits_(limits) {
  if (content_encoding.empty()) return;
  ContentCodings codings = ParseContentEncoding(content_encoding);
  if (codings.too_many) Cut(BodyEnd::kDecodeError, "more than 3 content codings");
  for (const ContentCodings::Coding coding : codings.undone) stages_.push_back({MakeLayer(coding)});
  kept_codings_ = std::move(codings.kept);
}

BodyDecoder::~BodyDecoder() = default;
BodyDecoder::BodyDecoder(BodyDecoder&&) noexcept = default;
BodyDecoder& BodyDecoder::operator=(BodyDecoder&&) noexcept = default;

bool BodyDecoder::Write(std::string_view wire, const Sink& sink) {
  if (ended_) return false;
  wire_bytes_ += static_cast<int64_t>(wire.size());
  if (!Feed(0, wire, sink)) return false;
  // Coded bytes that decode to nothing still cost time: empty members, empty blocks, garbage after the end.
  if (wire_bytes_ > limits_.max_decoded_bytes + kWireSlackBytes) Cut(BodyEnd::kSize, "received bytes over the limit");
  return !ended_;
}

bool BodyDecoder::Feed(size_t stage, std::string_view bytes, const Sink& sink) {
  if (stage == stages_.size()) return Deliver(bytes, sink);
  DecodeLayer& layer = *stages_[stage].layer;
  if (layer.Write(bytes, [&](std::string_view decoded) { return Count(stage, decoded, sink); })) return true;
  if (!ended_) Cut(BodyEnd::kDecodeError, layer.error());
  return false;
}

// Bounds each layer's output, even where the layers above make nothing of it.
bool BodyDecoder::Count(size_t stage, std::string_view bytes, const Sink& sink) {
  int64_t& bytes_out = stages_[stage].bytes_out;
  bytes_out += static_cast<int64_t>(bytes.size());
  const bool last = stage + 1 == stages_.size();
  if (!Feed(stage + 1, bytes, sink)) return false;
  if (bytes_out > limits_.ratio_free_bytes && bytes_out / limits_.max_ratio >= wire_bytes_) {
    Cut(BodyEnd::kRatio, "over " + std::to_string(limits_.max_ratio) + " times what was received");
  } else if (!last && bytes_out > limits_.max_decoded_bytes + kWireSlackBytes) {
    Cut(BodyEnd::kSize, "an inner content coding over the limit");
  }
  return !ended_;
}

bool BodyDecoder::Deliver(std::string_view bytes, const Sink& sink) {
  const int64_t room = limits_.max_decoded_bytes - decoded_bytes_;
  const bool fits = static_cast<int64_t>(bytes.size()) <= room;
  if (!fits) bytes = bytes.substr(0, static_cast<size_t>(std::max<int64_t>(room, 0)));
  decoded_bytes_ += static_cast<int64_t>(bytes.size());
  if (!bytes.empty()) sink(bytes);
  if (!fits) Cut(BodyEnd::kSize, "over " + std::to_string(limits_.max_decoded_bytes) + " bytes");
  return fits;
}

BodyEnd BodyDecoder::Finish(bool whole) {
  if (ended_) return end_;
  if (!whole) {
    Cut(BodyEnd::kIncomplete, "the connection ended within the body");
  } else if (wire_bytes_ > 0) {
    // An empty body under any coding is whole: answers without content often carry the header.
    for (const Stage& stage : stages_) {
      if (!ended_ && !stage.layer->AtEnd()) Cut(BodyEnd::kCodingIncomplete, "the coded content is cut off");
    }
  }
  ended_ = true;
  return end_;
}

void BodyDecoder::Cut(BodyEnd end, std::string detail) {
  if (ended_) return;
  ended_ = true;
  end_ = end;
  detail_ = std::move(detail);
}

}  // namespace trawl
