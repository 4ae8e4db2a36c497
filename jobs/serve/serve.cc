// trawl serve: the crawl's pages, its API and its metrics over HTTP, until it is asked to stop.
//
//   reads   the tables and documents that a request asks for
//   writes  what clients with the token order, by the verbs' own jobs
#include <cstdlib>
#include <optional>
#include <string>

#include "jobs/serve/exposure.h"
#include "jobs/serve/front.h"
#include "jobs/serve/rooms.h"
#include "jobs/verb/serve_options.h"
#include "jobs/verb/verb.h"
#include "runtime/process/free_memory.h"
#include "runtime/server/server.h"
#include "runtime/server/tls_context.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Whether the file is one of systemd's credentials: their rights are in an ACL, which looks like rights of the group.
bool IsCredential(const std::string& file, const std::vector<std::string>& environment) {
  constexpr std::string_view kName = "CREDENTIALS_DIRECTORY=";
  for (const std::string& line : environment) {
    if (line.starts_with(kName)) return file.starts_with(line.substr(kName.size()) + "/");
  }
  return false;
}

Result<std::optional<Token>> ReadToken(const ServeOptions& options, const VerbContext& context) {
  if (options.token_file.empty()) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(Token token,
                        LoadToken(options.token_file, IsCredential(options.token_file, context.process.environment)));
  return token;
}

GateRules RulesOf(const ServeOptions& options, const ListenAddress& address, int port) {
  const HostRule::Place place = {.ip = address.ip,
                                 .port = port,
                                 .is_tls = !options.tls_certificate.empty(),
                                 .is_behind_proxy = options.behind_proxy,
                                 .names = options.names};
  return {.hosts = HostRule(place),
          .reads_need_token = ReadsNeedToken(options, address),
          .is_behind_proxy = options.behind_proxy,
          .cookie = "trawl_session_" + std::to_string(port)};
}

ServerOptions SocketOptions(const ServeOptions& options, const ListenAddress& address) {
  ServerOptions server = {
      .address = address.ip, .port = address.port, .certificate = options.tls_certificate, .key = options.tls_key};
  server.limits.handlers = options.threads;
  // All clients of a proxy have its address.
  if (options.behind_proxy) server.limits.connections_per_address = server.limits.connections;
  return server;
}

// What is known only once the server has its port; the server calls it from Run on.
struct Desk {
  std::optional<Gate> gate;
  std::optional<Front> front;

  ServerHandlers Handlers() {
    return {.handle = [this](const auto& request, const auto& stop) { return front->Handle(request, stop); },
            .admit = [this](const auto& request) { return front->Admit(request); },
            .overtake = [this](const auto& request) { return front->Overtake(request); },
            .finish = [](const ServerRequest*, ServerAnswer* answer) { AddSafety(answer); }};
  }
};

void LogAnswer(EventLog* log, const ServerRequest& request, int status, int64_t ms) {
  if (log == nullptr) return;
  log->Write(LogLevel::kInfo, "request_answered",
             {{"method", request.method},
              {"path", std::string(PathOf(request))},
              {"status", status},
              {"ms", ms},
              {"address", request.address}});
}

// On SIGHUP. What cannot be read leaves the old one in use.
void Reload(VerbContext& context, const ServeOptions& options, const Status& certificate, Gate* gate) {
  std::ostream& err = context.process.err;
  if (!certificate.ok()) Warn(err, "trawl: the old certificate stays in use: " + certificate.message() + "\n");
  Result<std::optional<Token>> token = ReadToken(options, context);
  if (!token.ok()) {
    Warn(err, "trawl: the old token stays in use: " + token.status().message() + "\n");
  } else if (*token) {
    gate->UseToken(**token);
  }
  if (certificate.ok() && token.ok()) err << "read the token and the certificate again\n" << std::flush;
}

// Ends the process without its destructors: a thread is stuck in a call of the store that nothing can end, and still uses
// what they would destroy.
[[noreturn]] void LeaveBehind(VerbContext& context) {
  context.process.out.flush();
  context.process.err.flush();
  std::_Exit(kExitDone);
}

Result<int> RunServe(VerbContext& context) {
  const ReturnFreeMemory returning;
  ARROW_ASSIGN_OR_RAISE(const ServeOptions options, context.Read(ServeOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const ListenAddress address, ParseListenAddress(options.listen));
  ARROW_RETURN_NOT_OK(CheckExposure(options, address));
  ARROW_ASSIGN_OR_RAISE(const std::optional<Token> token, ReadToken(options, context));
  // The server reads them again; what is wrong with them is said before anybody waits for a slow store.
  if (!options.tls_certificate.empty()) {
    ARROW_RETURN_NOT_OK(LoadTlsContext(options.tls_certificate, options.tls_key).status());
  }
  Desk desk;
  ServerHandlers handlers = desk.Handlers();
  handlers.observe = [&context, &desk](const ServerRequest& request, int status, int64_t ms) {
    desk.front->Observe(request, status, ms);
    LogAnswer(context.process.log, request, status, ms);
  };
  handlers.on_hangup = [&](const Status& certificate) { Reload(context, options, certificate, &*desk.gate); };
  ARROW_ASSIGN_OR_RAISE(const auto rooms, Rooms::Open(context, options, token.has_value()));
  ARROW_ASSIGN_OR_RAISE(const auto server,
                        Server::Make(SocketOptions(options, address), std::move(handlers), context.process.clock));
  desk.gate.emplace(RulesOf(options, address, server->port()), token, context.process.clock);
  desk.front.emplace(&*desk.gate, rooms->ForFront());
  context.process.err << "listening on " << (options.tls_certificate.empty() ? "http://" : "https://")
                      << address.HostAndPort(server->port()) << "\n"
                      << std::flush;
  ARROW_ASSIGN_OR_RAISE(const bool have_handlers_ended, server->Run(context.process.stop));
  if (!rooms->Stop() || !have_handlers_ended) LeaveBehind(context);
  return kExitDone;
}

OptionGroups OtherGroups() {
  OptionGroups groups = ApiOptionGroups();
  for (const AnyOptionGroup* group : WriteOptionGroups()) {
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  return groups;
}

}  // namespace

Verb ServeVerb() {
  return {.name = "serve",
          .summary = "pages, an API and metrics of the crawl over HTTP",
          .purpose = VerbPurpose::kLook,
          .description =
              "Serves the crawl over HTTP until it is stopped: pages for people, an API (/openapi.json lists it) for "
              "programs, "
              "/metrics for Prometheus. It works beside rounds that run elsewhere on the same root. Without a token it "
              "only "
              "reads. SIGHUP makes it read the token and the certificate again; SIGTERM lets running answers end, for "
              "up to "
              "10 s.",
          .examples = {{"Look at the crawl in a browser: http://127.0.0.1:8765", "trawl serve"},
                       {"Allow changes to those who know the token",
                        "(umask 077; openssl rand -hex 32 > token); trawl serve --serve.token_file token"},
                       {"Serve other machines",
                        "trawl serve --serve.listen 0.0.0.0:8765 --serve.names crawl.example --serve.token_file token "
                        "--serve.tls_certificate cert.pem --serve.tls_key key.pem"}},
          .groups = {&ServeOptionGroup()},
          .other_groups = OtherGroups(),
          .run = RunServe};
}

}  // namespace trawl
