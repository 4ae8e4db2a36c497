// The store on S3 and on servers that speak its protocol, through Arrow's S3 filesystem; creates are conditional PUTs
// of our own (runtime/backends/s3_request.h).
//
// An unfinished file is an upload that nobody sees. Uploads of killed processes stay until the bucket's rule for
// incomplete uploads removes them; every bucket should have that rule. Requests are few and large. Any thread.
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"
#include "runtime/store/store.h"

namespace trawl {

// `root` is s3://bucket/path?region=…, for a server of one's own with &endpoint_override=host:port&scheme=http.
// Credentials are found as AWS' own tools find them: AWS_ACCESS_KEY_ID and its kin, a profile, the machine's or
// container's role; never in `root`. Invalid where no credentials are found. Asks the server nothing, except AWS for
// the bucket's region where `root` does not name it.
arrow::Result<std::unique_ptr<Store>> OpenS3Store(const std::string& root);

// See ShutDownStores.
void ShutDownS3();

}  // namespace trawl
