#include "tests/support/values/encode.h"

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

namespace trawl {

namespace {

std::string Deflate(std::string_view bytes, int window_bits) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string Gzip(std::string_view bytes) { return Deflate(bytes, 15 + 16); }
std::string Zlib(std::string_view bytes) { return Deflate(bytes, 15); }
std::string RawDeflate(std::string_view bytes) { return Deflate(bytes, -15); }

std::string Brotli(std::string_view bytes) {
  size_t size = BrotliEncoderMaxCompressedSize(bytes.size()) + 64;
  std::string out(size, '\0');
  BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, bytes.size(),
                        reinterpret_cast<const uint8_t*>(bytes.data()), &size, reinterpret_cast<uint8_t*>(out.data()));
  out.resize(size);
  return out;
}

std::string Zstd(std::string_view bytes, int window_log) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 3);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  // A frame states its window only where the content's size is missing from its header.
  if (window_log > 0) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  }
  std::string out(ZSTD_compressBound(bytes.size()) + 64, '\0');
  ZSTD_inBuffer input = {bytes.data(), bytes.size(), 0};
  ZSTD_outBuffer output = {out.data(), out.size(), 0};
  while (ZSTD_compressStream2(context, &output, &input, ZSTD_e_continue) != 0 && input.pos < input.size) {
  }
  while (ZSTD_compressStream2(context, &output, &input, ZSTD_e_end) != 0) {
  }
  ZSTD_freeCCtx(context);
  out.resize(output.pos);
  return out;
}

std::string EncodeContent(std::string_view coding, std::string_view bytes) {
  if (coding == "gzip" || coding == "x-gzip") return Gzip(bytes);
  if (coding == "deflate") return Zlib(bytes);
  if (coding == "raw-deflate") return RawDeflate(bytes);
  if (coding == "br") return Brotli(bytes);
  if (coding == "zstd") return Zstd(bytes);
  return std::string(bytes);
}

}  // namespace trawl
