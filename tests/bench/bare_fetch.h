// A web of equal pages in a process of its own, and the bare libcurl loop that fetching is compared with: the same
// requests with the same options; the bodies are hashed (SHA-256), compressed (zstd 1) and dropped.
#pragma once

#include <curl/curl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "formats/address/hosts_file.h"
#include "formats/digests/digest.h"
#include "formats/documents/json.h"
#include "tests/support/web/test_web.h"

namespace trawl {

inline constexpr size_t kPageBytes = 16 << 10;
inline constexpr int kVariants = 64;

struct BenchPlan {
  int hosts = 200;
  int pages_a_host = 100;
  int under_way = 200;
  bool https = false;

  int pages() const { return hosts * pages_a_host; }
};

struct BenchPlace {
  FixedHosts hosts;
  std::string hosts_text;  // the same as in a hosts file
  std::string ca_file;
};

struct Cost {
  double cpu_s = 1e9;
  double wall_s = 1e9;
  int failed = 0;
};

[[noreturn]] inline void Die(const std::string& what) {
  std::fprintf(stderr, "bench: %s\n", what.c_str());
  std::exit(1);
}

// -- the server, a process of its own ---------------------------------------------------------------------------------

inline std::string PageText(int variant) {
  std::string text = "<!doctype html><title>page</title>";
  unsigned state = static_cast<unsigned>(variant) * 2654435761u + 1;
  while (text.size() < kPageBytes) {
    state = state * 1664525u + 1013904223u;
    text += ((state >> 27) == 0 ? "\n<p class=x>" : " ") + std::string("word") + std::to_string((state >> 12) % 3000);
  }
  text.resize(kPageBytes);
  return text;
}

inline std::string HostName(int host) { return "h" + std::to_string(host) + ".test"; }

class ServerProcess {
 public:
  ServerProcess(int hosts, bool https) {
    int up[2], down[2];
    if (pipe(up) != 0 || pipe(down) != 0) Die("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      close(up[0]);
      close(down[1]);
      Serve(hosts, https, up[1], down[0]);
    }
    close(up[1]);
    close(down[0]);
    stop_fd_ = down[1];
    std::string text;
    char piece[4096];
    for (ssize_t size; (size = read(up[0], piece, sizeof piece)) > 0;) text.append(piece, static_cast<size_t>(size));
    close(up[0]);
    const auto where = ParseJson(text);
    if (!where.ok()) Die("the server did not start");
    place.hosts_text = (*where)["hosts"].get<std::string>();
    AddHostsFile(place.hosts_text, &place.hosts);
    place.ca_file = (*where)["ca_file"].get<std::string>();
  }
  ~ServerProcess() {
    close(stop_fd_);
    waitpid(pid_, nullptr, 0);
  }

  BenchPlace place;

 private:
  [[noreturn]] static void Serve(int hosts, bool https, int out, int in) {
    {
      std::vector<std::shared_ptr<const std::string>> answers;
      for (int i = 0; i < kVariants; ++i) {
        answers.push_back(std::make_shared<const std::string>(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: \"abc\"\r\n"
            "Last-Modified: Wed, 01 Jan 2025 00:00:00 GMT\r\nContent-Length: " +
            std::to_string(kPageBytes) + "\r\n\r\n" + PageText(i)));
      }
      TestWeb web({.https = https, .hosts_per_address = hosts > 1000 ? 20 : 1, .log = false});
      for (int i = 0; i < hosts; ++i) {
        web.AddHost(HostName(i), [&answers](const TestRequest& request) {
          const size_t variant =
              static_cast<size_t>(request.path.size() + static_cast<unsigned char>(request.path.back()));
          return TestAnswer{{SendShared(answers[variant % kVariants])}, request.Header("connection") != "close"};
        });
      }
      const arrow::Status started = web.Start();
      if (!started.ok()) Die(started.ToString());
      // After the system's own certificates, as many as a real crawler has.
      std::ifstream system("/etc/ssl/certs/ca-certificates.crt");
      if (system) std::ofstream(web.ca_file(), std::ios::app) << system.rdbuf();
      const std::string where = DumpJson({{"hosts", web.HostsFileText()}, {"ca_file", web.ca_file()}});
      for (size_t at = 0; at < where.size();) {
        const ssize_t size = write(out, where.data() + at, where.size() - at);
        if (size <= 0) Die("write");
        at += static_cast<size_t>(size);
      }
      close(out);
      char byte;
      while (read(in, &byte, 1) > 0) {
      }
    }
    std::_Exit(0);
  }

  pid_t pid_;
  int stop_fd_;
};

// -- what both sides do -----------------------------------------------------------------------------------------------

// Hosts begin in order, as many at once as are allowed; a host's pages follow each other.
class Work {
 public:
  explicit Work(const BenchPlan& plan) : plan_(plan), next_page_(static_cast<size_t>(plan.hosts), 0) {}

  // Returns the host that begins next; -1: no host is left.
  int NextHost() { return next_host_ < plan_.hosts ? next_host_++ : -1; }
  // Returns the host's next page; -1: it is done.
  int NextPage(int host) {
    int& page = next_page_[static_cast<size_t>(host)];
    return page < plan_.pages_a_host ? page++ : -1;
  }
  bool IsLast(int page) const { return page + 1 == plan_.pages_a_host; }
  std::string Url(int host, int page) const {
    return (plan_.https ? "https://" : "http://") + HostName(host) + "/p/" + std::to_string(page) + ".html";
  }

 private:
  const BenchPlan plan_;
  std::vector<int> next_page_;
  int next_host_ = 0;
};

class Compressor {
 public:
  Compressor() : context_(ZSTD_createCCtx()), out_(ZSTD_compressBound(kPageBytes), '\0') {}
  ~Compressor() { ZSTD_freeCCtx(context_); }
  void Compress(const std::string& body) {
    if (ZSTD_isError(ZSTD_compressCCtx(context_, out_.data(), out_.size(), body.data(), body.size(), 1))) Die("zstd");
  }

 private:
  ZSTD_CCtx* context_;
  std::string out_;
};

inline Cost Measure(const std::function<int()>& run) {
  rusage before, after;
  const auto wall = std::chrono::steady_clock::now();
  getrusage(RUSAGE_SELF, &before);
  Cost cost;
  cost.failed = run();
  getrusage(RUSAGE_SELF, &after);
  cost.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) * 1e-6; };
  cost.cpu_s = seconds(after.ru_utime) - seconds(before.ru_utime) + seconds(after.ru_stime) - seconds(before.ru_stime);
  return cost;
}

// -- the bare loop ----------------------------------------------------------------------------------------------------

struct BareTransfer {
  CURL* easy = curl_easy_init();
  std::string body, connect_to_text;
  curl_slist connect_to = {};
  int host = 0;
  ~BareTransfer() { curl_easy_cleanup(easy); }
};

inline void SetBareOptions(BareTransfer& transfer, const BenchPlace& place, curl_slist* headers) {
  CURL* easy = transfer.easy;
  curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, 0L);
  curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 32L << 10);
  curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
  curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  curl_easy_setopt(easy, CURLOPT_CAINFO, place.ca_file.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_2TLS});
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 30'000L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, 10'000L);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(
      easy, CURLOPT_WRITEFUNCTION, +[](char* bytes, size_t, size_t size, void* self) {
        static_cast<BareTransfer*>(self)->body.append(bytes, size);
        return size;
      });
}

class BareLoop {
 public:
  BareLoop(const BenchPlan& plan, const BenchPlace& place)
      : plan_(plan), place_(place), work_(plan), multi_(curl_multi_init()) {
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, 2L * std::max(plan.under_way, plan.hosts));
    for (const char* line :
         {"User-Agent: bench/1 (+https://bench.test/)", "Accept: */*", "Accept-Encoding: gzip, br, zstd, deflate"}) {
      headers_ = curl_slist_append(headers_, line);
    }
  }
  ~BareLoop() {
    transfers_.clear();
    curl_multi_cleanup(multi_);
    curl_slist_free_all(headers_);
  }

  int Run() {
    for (int i = 0; i < plan_.under_way; ++i) {
      const int host = work_.NextHost();
      if (host < 0) break;
      transfers_.push_back(std::make_unique<BareTransfer>());
      SetBareOptions(*transfers_.back(), place_, headers_);
      Submit(*transfers_.back(), host);
    }
    while (under_way_ > 0) {
      int running = 0;
      curl_multi_perform(multi_, &running);
      Collect();
      if (under_way_ > 0) curl_multi_poll(multi_, nullptr, 0, 1'000, nullptr);
    }
    return failed_;
  }

 private:
  void Submit(BareTransfer& transfer, int host) {
    int page = work_.NextPage(host);
    if (page < 0) {
      host = work_.NextHost();
      if (host < 0) return;
      page = work_.NextPage(host);
    }
    const FixedHost& where = place_.hosts.at(HostName(host));
    transfer.host = host;
    transfer.body.clear();
    transfer.connect_to_text =
        "::" + where.addresses[0].ToString() + ':' + std::to_string(plan_.https ? where.https_port : where.http_port);
    transfer.connect_to.data = transfer.connect_to_text.data();
    curl_easy_setopt(transfer.easy, CURLOPT_URL, work_.Url(host, page).c_str());
    curl_easy_setopt(transfer.easy, CURLOPT_CONNECT_TO, &transfer.connect_to);
    curl_easy_setopt(transfer.easy, CURLOPT_FORBID_REUSE, work_.IsLast(page) ? 1L : 0L);
    curl_multi_add_handle(multi_, transfer.easy);
    ++under_way_;
  }

  void Collect() {
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL* easy = message->easy_handle;
      BareTransfer* transfer = nullptr;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result != CURLE_OK || status != 200 || transfer->body.size() != kPageBytes) ++failed_;
      curl_multi_remove_handle(multi_, easy);
      --under_way_;
      digest_.Update(transfer->body);
      digest_.Finish();
      compressor_.Compress(transfer->body);
      Submit(*transfer, transfer->host);
    }
  }

  const BenchPlan plan_;
  const BenchPlace& place_;
  Work work_;
  CURLM* multi_;
  curl_slist* headers_ = nullptr;
  std::vector<std::unique_ptr<BareTransfer>> transfers_;
  Sha256 digest_;
  Compressor compressor_;
  int under_way_ = 0;
  int failed_ = 0;
};

}  // namespace trawl
