// Finds the endpoint of a request, and reads and checks what it was sent. Pure; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/answers/target.h"
#include "jobs/api/endpoint.h"

namespace trawl {

struct RouteMatch {
  const Endpoint* endpoint = nullptr;              // null where no endpoint has this path and method
  std::map<std::string, std::string> path_values;  // by the name of the parameter
  std::vector<std::string> methods;                // of the endpoints with this path; empty: there are none
};

// `method` may be empty, to ask for the path alone. HEAD is answered as GET.
RouteMatch FindRoute(const std::vector<Endpoint>& table, std::string_view method,
                     const std::vector<std::string>& segments);

// All parameters of the endpoint, also those that its freshness adds.
std::vector<Parameter> ParametersOf(const Endpoint& endpoint);

// The values by name, each of the type of its schema; a default where nothing was sent. A failure is a problem with every
// fault: a name that is not known or was sent twice, a value that does not fit.
arrow::Result<std::map<std::string, Json>> ReadParameters(const Endpoint& endpoint,
                                                          const std::map<std::string, std::string>& path_values,
                                                          const NamedValues& query);

// The JSON object of the body. A failure is a problem: no JSON (also by its media type), or not what the schema says.
arrow::Result<Json> ReadBody(const Endpoint& endpoint, std::string_view content_type, std::string_view body);

}  // namespace trawl
