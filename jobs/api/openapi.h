// The document of the API (OpenAPI 3.1), made from the table of endpoints. Pure; any thread.
#pragma once

#include <vector>

#include "formats/documents/json.h"
#include "jobs/api/endpoint.h"

namespace trawl {

Json OpenApiDocument(const std::vector<Endpoint>& table);

}  // namespace trawl
