// Hands an order of a request to the writer thread and turns its outcome into an answer, for endpoints that write.
#pragma once

#include "arrow/result.h"
#include "jobs/api/endpoint.h"
#include "jobs/writes/order.h"

namespace trawl {

// The writer thread's answer: 200 with the outcome's values, or 202 with the order's id where it has not ended within the time
// that a client waits, or where the request prefers that. A failure is a problem.
arrow::Result<ApiAnswer> CarryOut(ApiCall& call, Order order);

// The schema of an answer of 202.
Json AcceptedSchema();

}  // namespace trawl
