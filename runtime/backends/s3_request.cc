#include "runtime/backends/s3_request.h"

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "formats/digests/digest.h"

namespace trawl {

namespace {

constexpr long kConnectTimeoutMs = 10'000;
constexpr long kTimeoutMs = 60'000;
constexpr size_t kMaxAnswerBytes = 64 << 10;
constexpr int kMaxTries = 6;
constexpr std::chrono::milliseconds kFirstPause{100};

struct CloseHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct CloseShare {
  void operator()(CURLSH* share) const { curl_share_cleanup(share); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Headers = std::unique_ptr<curl_slist, FreeList>;

void Add(Headers* headers, const std::string& line) {
  headers->reset(curl_slist_append(headers->release(), line.c_str()));
}

// S3's signature wants everything escaped but letters, digits, "-_.~" and '/'.
std::string EscapeKey(std::string_view key) {
  std::string escaped;
  for (const char c : key) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          (c != '\0' && std::strchr("-_.~/", c) != nullptr);
    if (is_plain) {
      escaped += c;
      continue;
    }
    static constexpr char kDigits[] = "0123456789ABCDEF";
    escaped += {'%', kDigits[static_cast<uint8_t>(c) >> 4], kDigits[static_cast<uint8_t>(c) & 15]};
  }
  return escaped;
}

struct Upload {
  std::string_view left;
};

size_t GiveBody(char* to, size_t size, size_t count, void* upload) {
  std::string_view& left = static_cast<Upload*>(upload)->left;
  const size_t given = left.copy(to, size * count);
  left.remove_prefix(given);
  return given;
}

size_t TakeBody(char* from, size_t size, size_t count, void* body) {
  std::string& text = *static_cast<std::string*>(body);
  text.append(from, std::min(size * count, kMaxAnswerBytes - text.size()));
  return size * count;
}

// Returns the text of an element of S3's error documents, which have no attributes and no element within another of the
// same name.
std::string Element(std::string_view body, const std::string& name) {
  const size_t begin = body.find("<" + name + ">");
  if (begin == std::string_view::npos) return "";
  const std::string_view text = body.substr(begin + name.size() + 2);
  return std::string(text.substr(0, text.find('<')));
}

constexpr long kNotConnected = 0;

// The server says that it was not done, or no server was reached; trying again may help.
bool MayBeTriedAgain(long code) { return code == 409 || code == 503 || code == kNotConnected; }

}  // namespace

struct S3Requests::Answer {
  long code = 0;
  std::string body;

  arrow::Status ToStatus(const char* doing, const std::string& url) const {
    if (code == kNotConnected) return arrow::Status::IOError(doing, " ", url, ": ", body);
    const std::string error = Element(body, "Code");
    return arrow::Status::IOError(doing, " ", url, ": S3 answered ", code, " ", error, " ", Element(body, "Message"));
  }
};

S3Requests::S3Requests(S3Endpoint endpoint, std::function<arrow::Result<S3Credentials>()> credentials)
    : endpoint_(std::move(endpoint)), credentials_(std::move(credentials)) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
}

// Requests over one connection. Each has a handle of its own: libcurl 7.88 keeps a pointer to the last header line of a
// handle's request before, and would write an answer whose first line is folded through it, into memory that is freed.
struct S3Requests::Connection {
  // With `once`, a request that may have arrived is never sent a second time. libcurl sends again when a kept
  // connection breaks, and a create that was sent twice would report that it lost.
  explicit Connection(bool once) : is_once(once), kept(once ? nullptr : curl_share_init()) {
    if (kept != nullptr) curl_share_setopt(kept.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
  }
  const bool is_once;
  // Keeps the connection from one handle to the next. Without memory for it, each request connects anew.
  const std::unique_ptr<CURLSH, CloseShare> kept;
};

arrow::Result<CreateOutcome> S3Requests::Create(const std::string& key, const std::string& content) const {
  Connection connection(/*once=*/true);
  ARROW_ASSIGN_OR_RAISE(const Answer answer, Send(connection, "PUT", key, content));
  if (answer.code == 200) return CreateOutcome::kCreated;
  if (answer.code == 412) return CreateOutcome::kExists;
  return answer.ToStatus("creating", endpoint_.url + "/" + key);
}

arrow::Status S3Requests::Remove(const std::vector<std::string>& keys) const {
  Connection connection(/*once=*/false);
  for (const std::string& key : keys) {
    ARROW_ASSIGN_OR_RAISE(const Answer answer, Send(connection, "DELETE", key, ""));
    const bool is_missing = answer.code == 404 && Element(answer.body, "Code") != "NoSuchBucket";
    const bool is_gone = answer.code == 200 || answer.code == 204 || is_missing;
    if (!is_gone) return answer.ToStatus("removing", endpoint_.url + "/" + key);
  }
  return arrow::Status::OK();
}

arrow::Result<S3Requests::Answer> S3Requests::Send(Connection& connection, const char* method, const std::string& key,
                                                   const std::string& content) const {
  for (int tries = 1;; ++tries) {
    arrow::Result<Answer> answer = SendOnce(connection, method, key, content);
    const bool was_lost = answer.status().IsIOError() && !connection.is_once;
    const bool may_be_tried_again = was_lost || (answer.ok() && MayBeTriedAgain(answer->code));
    if (!may_be_tried_again || tries == kMaxTries) return answer;
    std::this_thread::sleep_for(kFirstPause * (1 << (tries - 1)));
  }
}

arrow::Result<S3Requests::Answer> S3Requests::SendOnce(Connection& connection, const char* method,
                                                       const std::string& key, const std::string& content) const {
  ARROW_ASSIGN_OR_RAISE(const S3Credentials credentials, credentials_());
  const std::unique_ptr<CURL, CloseHandle> handle(curl_easy_init());
  CURL* const curl = handle.get();
  if (curl == nullptr) return arrow::Status::OutOfMemory("libcurl");
  const bool is_put = std::string_view(method) == "PUT";

  Headers headers;
  // libcurl signs the headers that it is given; 7.88 does not add this one itself, and S3 refuses requests without it.
  Add(&headers, "x-amz-content-sha256: " + ToHex(Sha256Of(content)));
  if (!credentials.session_token.empty()) Add(&headers, "x-amz-security-token: " + credentials.session_token);
  if (is_put) Add(&headers, "If-None-Match: *");
  Add(&headers, "Content-Type: application/octet-stream");
  Add(&headers, "Expect:");

  const std::string url = endpoint_.url + "/" + EscapeKey(key);
  const std::string provider = "aws:amz:" + endpoint_.region + ":s3";
  curl_easy_setopt(curl, CURLOPT_SHARE, connection.kept.get());
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, provider.c_str());
  curl_easy_setopt(curl, CURLOPT_USERNAME, credentials.access_key.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, credentials.secret_key.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, connection.is_once ? 1L : 0L);
  curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, connection.is_once ? 1L : 0L);
  curl_easy_setopt(curl, CURLOPT_PROXY, "");  // like Arrow's requests, which go to the same server
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, kConnectTimeoutMs);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, kTimeoutMs);
  Upload upload{content};
  if (is_put) {
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(content.size()));
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, GiveBody);
    curl_easy_setopt(curl, CURLOPT_READDATA, &upload);
  }
  Answer answer;
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, TakeBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer.body);

  const CURLcode code = curl_easy_perform(curl);
  if (code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST) {
    return Answer{kNotConnected, endpoint_.url + " cannot be reached, " + curl_easy_strerror(code)};
  }
  if (code != CURLE_OK) {
    return arrow::Status::IOError(method, " ", url, ": ", curl_easy_strerror(code), "; it may have been done");
  }
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.code);
  return answer;
}

}  // namespace trawl
