// The store on S3 and what speaks its language, through Arrow's S3 filesystem; creates are conditional PUTs of our own
// (runtime/backends/s3_request.h).
//
// An unfinished file is an upload that nobody sees; those of killed processes stay until the bucket's rule for
// incomplete uploads removes them, which every bucket should have. Requests are few and large. Any thread.
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"
#include "runtime/store/store.h"

namespace trawl {

// `root` is s3://bucket/path?region=…, for a server of one's own with &endpoint_override=host:port&scheme=http.
// Credentials come as AWS' own tools find them: AWS_ACCESS_KEY_ID and its kin, a profile, the machine's or container's
// role; never in `root`. Invalid where there are none. Asks the server nothing but, on AWS without `region`, the
// bucket's.
arrow::Result<std::unique_ptr<Store>> OpenS3Store(const std::string& root);

// See ShutDownStores.
void ShutDownS3();

}  // namespace trawl
