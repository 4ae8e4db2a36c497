// Hadoop's own client: finds where it is installed, and submits through it.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "runtime/process/stop.h"
#include "runtime/streaming/options.h"

namespace trawl {

struct HadoopClient {
  std::string command;
  std::string streaming_jar;
};

// UsageError, which says what is missing, where a part of it cannot be found.
arrow::Result<HadoopClient> FindHadoop(const StreamingOptions& options);

// Returns the id of the application that `hadoop jar` submitted. The command's exit code tells no causes; on failure
// the message has the line that does.
arrow::Result<std::string> SubmitStreaming(const HadoopClient& client, const std::vector<std::string>& arguments,
                                           const StopToken& stop);

// Returns the application id from a submission's output; empty where the output has no id.
std::string ApplicationIn(const std::string& printed);
// Returns the line that gives the reason from a failed submission's output.
std::string ReasonIn(const std::string& printed);

}  // namespace trawl
