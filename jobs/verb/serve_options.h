// Options of trawl serve, also for the rooms that answer its requests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/options/options.h"

namespace trawl {

struct ServeOptions {
  std::string listen = "127.0.0.1:8765";
  std::string token_file;
  bool token_for_reads = false;
  std::string tls_certificate;
  std::string tls_key;
  bool behind_proxy = false;
  std::vector<std::string> names;
  std::string name;
  int64_t refresh_ms = 2'000;
  int64_t wait_ms = 10'000;
  int64_t store_wait_ms = 5'000;
  int32_t threads = 4;
};

inline const OptionGroup<ServeOptions>& ServeOptionGroup() {
  static const auto group =
      OptionGroup<ServeOptions>("serve", "The server of pages, API and metrics")
          .String("listen", &ServeOptions::listen,
                  "the IP address and port to listen on; port 0 lets the system choose. Another address than loopback "
                  "needs --serve.token_file, and TLS or --serve.behind_proxy",
                  "HOST:PORT")
          .Main()
          .String("token_file", &ServeOptions::token_file,
                  "a file that only you can read (mode 0600), whose first line is the token for writes", "FILE")
          .Main()
          .Bool("token_for_reads", &ServeOptions::token_for_reads,
                "reads need the token, too. Without this they do so only where clients of other machines come in")
          .String("tls_certificate", &ServeOptions::tls_certificate,
                  "serve HTTPS with this certificate: a PEM file with its chain", "FILE")
          .Main()
          .String("tls_key", &ServeOptions::tls_key, "the private key of the certificate: a PEM file", "FILE")
          .Main()
          .Bool("behind_proxy", &ServeOptions::behind_proxy,
                "a proxy stands in front of the server and does TLS; its X-Forwarded-For and X-Forwarded-Proto are "
                "believed")
          .Main()
          .List("names", &ServeOptions::names,
                "host names under which clients reach the server; requests for other names are refused", "NAME")
          .Main()
          .String("name", &ServeOptions::name,
                  "the name of the crawl on pages and in metrics; by default the last part of --root", "NAME")
          .Main()
          .Duration("refresh", &ServeOptions::refresh_ms, "look for a newer snapshot so often", Between(100, 3'600'000))
          .Duration("wait", &ServeOptions::wait_ms,
                    "a write that takes longer is answered with 202 and goes on as a job", Between(0, 25'000))
          .Duration("store_wait", &ServeOptions::store_wait_ms,
                    "a store that does not answer for so long counts as away: requests get 503 until it is back",
                    Between(100, 600'000))
          .Int("threads", &ServeOptions::threads, "requests that are worked on at once; 64 more wait", Between(1, 64));
  return group;
}

}  // namespace trawl
