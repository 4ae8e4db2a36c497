#include "jobs/fetch/identity.h"

#include <algorithm>

#include "jobs/verb/version.h"
#include "runtime/process/read_file.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Memory for bodies in flight, over all tasks, beside those that wait for the disk. Each task has room for some pages.
constexpr int64_t kBufferedBytes = int64_t{64} << 20;
constexpr int64_t kLeastBufferedBytes = int64_t{4} << 20;
// A line for each of a million hosts.
constexpr int64_t kMaxHostsFileBytes = int64_t{64} << 20;

std::string_view WithoutMailto(std::string_view contact) {
  constexpr std::string_view kMailto = "mailto:";
  return contact.starts_with(kMailto) ? contact.substr(kMailto.size()) : contact;
}

bool IsMail(std::string_view contact) {
  return contact.find('@') != std::string_view::npos && contact.find("://") == std::string_view::npos;
}

}  // namespace

std::string UserAgentOf(const FetchOptions& options) {
  std::string text = options.agent + "/" + kVersion;
  if (!options.contact.empty()) text += " (+" + options.contact + ")";
  return text;
}

Status CheckContact(const FetchOptions& options) {
  if (!options.contact.empty() || options.allow_private) return Status::OK();
  return UsageError(
      "webmasters must be able to reach you: add your web or mail address, such as --contact https://you.example/ "
      "(trawl config set fetch.contact=https://you.example/ keeps it; to fetch from private addresses only, write "
      "--fetch.allow_private instead)");
}

Result<HttpClientOptions> ClientOptionsOf(const FetchOptions& options, int tasks) {
  HttpClientOptions client;
  client.allow_private = options.allow_private;
  client.allow_public = !options.contact.empty();
  client.ca_file = options.ca_file;
  client.max_buffered_bytes = std::max(kBufferedBytes / std::max(tasks, 1), kLeastBufferedBytes);
  for (const std::string& server : options.dns_servers) {
    client.dns.servers += (client.dns.servers.empty() ? "" : ",") + server;
  }
  if (!options.hosts_file.empty()) {
    const Result<std::string> hosts = ReadLocalFile(options.hosts_file, kMaxHostsFileBytes);
    if (!hosts.ok()) return UsageError("--fetch.hosts_file ", hosts.status().message());
    AddHostsFile(*hosts, &client.dns.fixed);
  }
  client.headers.insert(client.headers.begin(), {"User-Agent", UserAgentOf(options)});
  if (IsMail(options.contact)) client.headers.push_back({"From", std::string(WithoutMailto(options.contact))});
  return client;
}

HttpLimits LimitsOf(const FetchOptions& options, bool is_sitemap) {
  HttpLimits limits;
  limits.max_body_bytes = is_sitemap ? options.max_sitemap_bytes : options.max_body_bytes;
  limits.max_ratio = options.max_ratio;
  limits.max_header_bytes = options.max_header_bytes;
  limits.max_header_fields = options.max_header_fields;
  limits.total_ms = options.timeout_ms;
  limits.connect_ms = options.connect_timeout_ms;
  limits.connect_address_ms = options.address_timeout_ms;
  limits.first_byte_ms = options.first_byte_timeout_ms;
  limits.min_bytes_per_second = options.min_bytes_per_second;
  limits.speed_window_ms = options.speed_window_ms;
  return limits;
}

}  // namespace trawl
