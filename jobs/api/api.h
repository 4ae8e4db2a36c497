// The door of jobs/api: the HTTP API over numbered snapshots. Requests in, answers out; no sockets.
//
// Start at endpoint.h: the table of endpoints. Every error is problem+json (RFC 9457). Any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/api/endpoint.h"
#include "jobs/views/views.h"
#include "runtime/process/stop.h"

namespace trawl {

struct ServerRequest;
struct ServerAnswer;

class Api {
 public:
  static arrow::Result<std::unique_ptr<Api>> Make(ApiSurroundings surroundings);
  ~Api();

  // Whether the path (without a query) is one of its own, whatever the method.
  bool Has(std::string_view path) const;

  // REQUIRES: the server has checked that the sender may do it.
  ServerAnswer Answer(const ServerRequest& request, const StopToken& stop);

  // For pages: the JSON that GET answers to this target, "/api/v1/domains?top=slowest". A failure carries its HTTP status and
  // its problem (jobs/views/failure.h).
  arrow::Result<Json> Get(const std::string& target, const StopToken& stop);

  // The document of /openapi.json.
  Json OpenApi() const;
  const std::vector<Endpoint>& endpoints() const;
  Views& views();
  // What runs now, for all that the server tells of it.
  LiveReader& live();
  // The template of the endpoint that answers this path and method, for metrics: "/api/v1/pages/{id}"; empty where none does.
  std::string RouteOf(std::string_view method, std::string_view path) const;

 private:
  explicit Api(ApiSurroundings surroundings);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trawl
