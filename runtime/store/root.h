// Which kind of store a root names. Pure; any thread.
#pragma once

#include <string_view>

namespace trawl {

// Whether Hadoop's own client reads this root: hdfs://, viewfs:// and other schemes, but not s3://, file:// and http://.
bool IsHadoopRoot(std::string_view root);

}  // namespace trawl
