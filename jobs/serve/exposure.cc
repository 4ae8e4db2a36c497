#include "jobs/serve/exposure.h"

#include <charconv>

#include "formats/address/address.h"
#include "formats/text/ascii.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

std::string ListenAddress::HostAndPort(int bound_port) const {
  const bool is_v6 = ip.find(':') != std::string::npos;
  return (is_v6 ? "[" + ip + "]" : ip) + ":" + std::to_string(bound_port);
}

Result<ListenAddress> ParseListenAddress(const std::string& text) {
  const Status fault =
      UsageError("--serve.listen ", text, ": write an IP address and a port, such as 127.0.0.1:8765 or [::1]:8765");
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return fault;
  const std::string host = text.substr(0, colon), number = text.substr(colon + 1);
  int port = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), port);
  const bool is_port = error == std::errc() && end == number.data() + number.size() && port >= 0 && port <= 65535;
  const bool has_brackets = host.starts_with('[');
  const auto ip = IpAddress::Parse(EqualsIgnoringAsciiCase(host, "localhost") ? "127.0.0.1" : host);
  if (!is_port || !ip || ip->is_v6() != has_brackets) return fault;
  return ListenAddress{
      .ip = ip->ToString(), .port = port, .is_loopback = ClassifyAddress(*ip) == AddressClass::kLoopback};
}

Status CheckExposure(const ServeOptions& options, const ListenAddress& address) {
  const bool has_certificate = !options.tls_certificate.empty();
  if (has_certificate != !options.tls_key.empty()) {
    return UsageError("--serve.tls_certificate and --serve.tls_key belong together: give both or none");
  }
  if (options.token_for_reads && options.token_file.empty()) {
    return UsageError("--serve.token_for_reads needs --serve.token_file FILE");
  }
  if (options.behind_proxy && options.token_file.empty()) {
    return UsageError("--serve.behind_proxy lets clients of other machines in: give --serve.token_file FILE as well");
  }
  if (address.is_loopback) return Status::OK();
  if (options.token_file.empty()) {
    return UsageError("other machines can reach ", address.ip,
                      ": give --serve.token_file FILE, so that only those who know the token come in; or listen on "
                      "127.0.0.1");
  }
  if (has_certificate || options.behind_proxy) return Status::OK();
  return UsageError("other machines can reach ", address.ip,
                    ", and on the way the token could be read: give --serve.tls_certificate FILE and --serve.tls_key "
                    "FILE, or --serve.behind_proxy where a proxy does TLS; or listen on 127.0.0.1");
}

bool ReadsNeedToken(const ServeOptions& options, const ListenAddress& address) {
  return !address.is_loopback || options.behind_proxy || options.token_for_reads;
}

}  // namespace trawl
