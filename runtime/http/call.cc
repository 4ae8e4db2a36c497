#include "runtime/http/call.h"

#include <curl/curl.h>

#include <memory>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr long kConnectTimeoutMs = 5'000;
constexpr long kMaxRedirects = 5;
// Enough for the tasks of a large job, each with its status.
constexpr size_t kMaxBodyBytes = 64 << 20;

struct CloseHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

size_t TakeBody(char* from, size_t size, size_t count, void* body) {
  std::string& text = *static_cast<std::string*>(body);
  if (text.size() + size * count > kMaxBodyBytes) return 0;
  text.append(from, size * count);
  return size * count;
}

}  // namespace

Result<HttpReply> CallHttp(const HttpCall& call) {
  const std::unique_ptr<CURL, CloseHandle> handle(curl_easy_init());
  CURL* const curl = handle.get();
  if (curl == nullptr) return Status::OutOfMemory("libcurl");
  std::unique_ptr<curl_slist, FreeList> headers(curl_slist_append(nullptr, "Accept: application/json"));
  headers.reset(curl_slist_append(headers.release(), "Expect:"));
  if (!call.body.empty()) headers.reset(curl_slist_append(headers.release(), "Content-Type: application/json"));
  curl_easy_setopt(curl, CURLOPT_URL, call.url.c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, call.method.c_str());
  if (!call.body.empty()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(call.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, call.body.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_NEGOTIATE));
  curl_easy_setopt(curl, CURLOPT_USERPWD, ":");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, kMaxRedirects);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_PROXY, "");  // an environment's proxy is for requests to outside
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, kConnectTimeoutMs);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(call.timeout_ms));
  HttpReply reply;
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, TakeBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply.body);
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) return Status::IOError(call.url, ": ", curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  reply.status = static_cast<int>(status);
  return reply;
}

}  // namespace trawl
