// What HttpClient costs over a bare libcurl loop that makes the same requests with the same options, and hashes
// (SHA-256) and compresses (zstd 1) the same bodies. Both sides run in turns in this process; the server is another
// process, so that only a client's CPU is counted.
//
//   fetch_bench [--pages N] [--hosts N] [--rounds N] [--under_way N] [--only http|https|many]
#include <curl/curl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "formats/digest.h"
#include "formats/hosts_file.h"
#include "formats/json.h"
#include "runtime/http.h"
#include "tests/support/test_web.h"

namespace trawl {
namespace {

constexpr size_t kPageBytes = 16 << 10;
constexpr int kVariants = 64;

struct Plan {
  int hosts = 200;
  int pages_a_host = 100;
  int under_way = 200;
  bool https = false;

  int pages() const { return hosts * pages_a_host; }
};

struct Place {
  FixedHosts hosts;
  std::string ca_file;
};

struct Cost {
  double cpu_s = 1e9;
  double wall_s = 1e9;
  int failed = 0;
};

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "fetch_bench: %s\n", what.c_str());
  std::exit(1);
}

// -- the server, a process of its own
// ---------------------------------------------------------------------------------------

std::string PageText(int variant) {
  std::string text = "<!doctype html><title>page</title>";
  unsigned state = static_cast<unsigned>(variant) * 2654435761u + 1;
  while (text.size() < kPageBytes) {
    state = state * 1664525u + 1013904223u;
    text += ((state >> 27) == 0 ? "\n<p class=x>" : " ") + std::string("word") + std::to_string((state >> 12) % 3000);
  }
  text.resize(kPageBytes);
  return text;
}

std::string HostName(int host) { return "h" + std::to_string(host) + ".test"; }

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
    AddHostsFile((*where)["hosts"].get<std::string>(), &place.hosts);
    place.ca_file = (*where)["ca_file"].get<std::string>();
  }
  ~ServerProcess() {
    close(stop_fd_);
    waitpid(pid_, nullptr, 0);
  }

  Place place;

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
      // Behind the system's own certificates, as many as a crawler really has.
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

// -- what both sides do
// -------------------------------------------------------------------------------------------------------

// Hosts begin in order, as many at once as are allowed; a host's pages follow each other.
class Work {
 public:
  explicit Work(const Plan& plan) : plan_(plan), next_page_(static_cast<size_t>(plan.hosts), 0) {}

  // The host that begins next; -1: none is left.
  int NextHost() { return next_host_ < plan_.hosts ? next_host_++ : -1; }
  // The page of that host that comes next; -1: it is done.
  int NextPage(int host) {
    int& page = next_page_[static_cast<size_t>(host)];
    return page < plan_.pages_a_host ? page++ : -1;
  }
  bool IsLast(int page) const { return page + 1 == plan_.pages_a_host; }
  std::string Url(int host, int page) const {
    return (plan_.https ? "https://" : "http://") + HostName(host) + "/p/" + std::to_string(page) + ".html";
  }

 private:
  const Plan plan_;
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

Cost Measure(const std::function<int()>& run) {
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

// -- ours
// -----------------------------------------------------------------------------------------------------------------------

int RunOurs(const Plan& plan, const Place& place) {
  HttpClientOptions options;
  options.allow_private = true;
  options.ca_file = place.ca_file;
  options.dns.hosts_file.clear();
  options.dns.fixed = place.hosts;
  options.headers.insert(options.headers.begin(), {"User-Agent", "bench/1 (+https://bench.test/)"});
  auto made = HttpClient::Make(options, SystemClock());
  if (!made.ok()) Die(made.status().ToString());
  HttpClient& client = **made;
  Work work(plan);
  Compressor compressor;
  int failed = 0;
  const auto submit = [&](int host) {
    int page = work.NextPage(host);
    if (page < 0) {
      host = work.NextHost();
      if (host < 0) return;
      page = work.NextPage(host);
    }
    HttpRequest request;
    request.id = static_cast<uint64_t>(host);
    request.url = work.Url(host, page);
    request.reuse_idle_ms = 4'000;
    request.keep_connection = !work.IsLast(page);
    client.Submit(std::move(request));
  };
  for (int i = 0; i < plan.under_way; ++i) {
    const int host = work.NextHost();
    if (host >= 0) submit(host);
  }
  std::vector<HttpAnswer> answers;
  while (client.under_way() > 0) {
    answers.clear();
    client.Poll(1'000, &answers);
    for (const HttpAnswer& answer : answers) {
      if (answer.status != 200 || answer.body.size() != kPageBytes) ++failed;
      compressor.Compress(answer.body);  // hashed it is already
      submit(static_cast<int>(answer.id));
    }
  }
  return failed;
}

// -- the bare loop
// --------------------------------------------------------------------------------------------------------------

struct BareTransfer {
  CURL* easy = curl_easy_init();
  std::string body, connect_to_text;
  curl_slist connect_to = {};
  int host = 0;
  ~BareTransfer() { curl_easy_cleanup(easy); }
};

void SetBareOptions(BareTransfer& transfer, const Place& place, curl_slist* headers) {
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
  BareLoop(const Plan& plan, const Place& place) : plan_(plan), place_(place), work_(plan), multi_(curl_multi_init()) {
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

  const Plan plan_;
  const Place& place_;
  Work work_;
  CURLM* multi_;
  curl_slist* headers_ = nullptr;
  std::vector<std::unique_ptr<BareTransfer>> transfers_;
  Sha256 digest_;
  Compressor compressor_;
  int under_way_ = 0;
  int failed_ = 0;
};

// -- comparing
// ------------------------------------------------------------------------------------------------------------------

void Keep(Cost& best, const Cost& cost) {
  best.cpu_s = std::min(best.cpu_s, cost.cpu_s);
  best.wall_s = std::min(best.wall_s, cost.wall_s);
  best.failed = std::max(best.failed, cost.failed);
}

void Compare(const char* name, const Plan& plan, int rounds) {
  const ServerProcess server(plan.hosts, plan.https);
  Cost ours, bare;
  for (int round = 0; round < rounds; ++round) {
    Keep(ours, Measure([&] { return RunOurs(plan, server.place); }));
    Keep(bare, Measure([&] { return BareLoop(plan, server.place).Run(); }));
  }
  const double ours_rate = plan.pages() / ours.cpu_s, bare_rate = plan.pages() / bare.cpu_s;
  std::printf("%s pages: %d of %d hosts, %d under way\n", name, plan.pages(), plan.hosts, plan.under_way);
  std::printf("%s client: %.0f pages per CPU second, %.0f pages/s, %d failed\n", name, ours_rate,
              plan.pages() / ours.wall_s, ours.failed);
  std::printf("%s bare loop: %.0f pages per CPU second, %.0f pages/s, %d failed\n", name, bare_rate,
              plan.pages() / bare.wall_s, bare.failed);
  std::printf("ratio fetch %s: %.2f (target >= 0.75)\n", name, ours_rate / bare_rate);
  std::fflush(stdout);
}

// The highest amount of memory this process has had.
int64_t PeakMemoryMiB() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::atoll(line.c_str() + 6) / 1024;
  }
  return -1;
}

int NumberOption(int argc, char** argv, const char* name, int otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) return std::atoi(argv[i + 1]);
  }
  return otherwise;
}

std::string TextOption(int argc, char** argv, const char* name) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
  }
  return "";
}

int Main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  curl_global_init(CURL_GLOBAL_ALL);
  const std::string only = TextOption(argc, argv, "--only");
  const int rounds = NumberOption(argc, argv, "--rounds", 3);
  Plan plan;
  plan.hosts = NumberOption(argc, argv, "--hosts", plan.hosts);
  plan.pages_a_host = std::max(NumberOption(argc, argv, "--pages", 20'000) / plan.hosts, 1);
  plan.under_way = NumberOption(argc, argv, "--under_way", plan.under_way);
  if (only.empty() || only == "http") Compare("http", plan, rounds);
  plan.https = true;
  if (only.empty() || only == "https") Compare("https", plan, rounds);
  const Plan many = {.hosts = 10'000, .pages_a_host = 2, .under_way = plan.under_way, .https = false};
  if (only.empty() || only == "many") Compare("http 10,000 hosts", many, 1);
  std::printf("peak memory: %lld MiB\n", static_cast<long long>(PeakMemoryMiB()));
  return 0;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) { return trawl::Main(argc, argv); }
