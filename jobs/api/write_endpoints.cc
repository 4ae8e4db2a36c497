#include "jobs/api/write_endpoints.h"

namespace trawl {

std::vector<Endpoint> WriteEndpoints() { return {}; }

}  // namespace trawl
