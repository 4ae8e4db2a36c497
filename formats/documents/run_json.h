// A run as JSON: as manifests name it, and the plans of jobs that read what another job of theirs wrote. Pure; any thread.
#pragma once

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"

namespace trawl {

Json RunToJson(const RunReference& run);
arrow::Result<RunReference> RunFromJson(const Json& json);

}  // namespace trawl
