// The one file beside the doors of the libraries that includes their headers: each is asked for its version alone.
#include "jobs/program/libraries.h"

#include <ares.h>
#include <brotli/decode.h>
#include <cld2/public/compact_lang_det.h>
#include <curl/curl.h>
#include <expat.h>
#include <libdeflate.h>
#include <libpsl.h>
#include <openssl/crypto.h>
#include <unicode/uversion.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include <boost/version.hpp>

#include "arrow/config.h"
#include "formats/documents/json.h"

namespace trawl {

namespace {

std::string Dotted(unsigned major, unsigned minor, unsigned patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

// 1.0.9 is 0x1000009.
std::string BrotliVersion() {
  const uint32_t version = BrotliDecoderVersion();
  return Dotted(version >> 24, (version >> 12) & 0xFFF, version & 0xFFF);
}

// 1.74.0 is 107400, and 0.8.1 of xxHash 801.
std::string BoostVersion() { return Dotted(BOOST_VERSION / 100'000, BOOST_VERSION / 100 % 1'000, BOOST_VERSION % 100); }
std::string XxhashVersion() {
  const unsigned version = XXH_versionNumber();
  return Dotted(version / 10'000, version / 100 % 100, version % 100);
}

// "expat_2.5.0"
std::string ExpatVersion() {
  const std::string version = XML_ExpatVersion();
  return version.substr(version.find('_') + 1);
}

std::string IcuVersion() {
  UVersionInfo version;
  u_getVersion(version);
  char text[U_MAX_VERSION_STRING_LENGTH];
  u_versionToString(version, text);
  return text;
}

// "7.88.1, with OpenSSL/3.0.17 and nghttp2 1.52.0"
std::string CurlVersion() {
  const curl_version_info_data* const info = curl_version_info(CURLVERSION_NOW);
  std::string version = info->version;
  if (info->ssl_version != nullptr) version += std::string(", with ") + info->ssl_version;
  if (info->nghttp2_version != nullptr) version += std::string(" and nghttp2 ") + info->nghttp2_version;
  return version;
}

}  // namespace

std::vector<Library> Libraries() {
  return {
      {"ada", TRAWL_ADA_VERSION},
      {"Arrow", arrow::GetBuildInfo().version_string},
      {"Boost", BoostVersion()},
      {"brotli", BrotliVersion()},
      {"c-ares", ares_version(nullptr)},
      {"CLD2", CLD2::DetectLanguageVersion()},
      {"expat", ExpatVersion()},
      {"gumbo", TRAWL_GUMBO_VERSION},
      {"ICU", IcuVersion()},
      {"libcurl", CurlVersion()},
      {"libdeflate", LIBDEFLATE_VERSION_STRING},
      {"libpsl", psl_get_version()},
      {"nlohmann-json", Dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
      {"RE2", TRAWL_RE2_VERSION},
      {"uchardet", TRAWL_UCHARDET_VERSION},
      {"xxHash", XxhashVersion()},
      {"zlib", zlibVersion()},
      {"zstd", ZSTD_versionString()},
  };
}

}  // namespace trawl
