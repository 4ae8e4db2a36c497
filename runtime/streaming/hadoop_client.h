// Hadoop's own client: where it is installed, and a submission through it.
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

// UsageError, in words, where one is not there.
arrow::Result<HadoopClient> FindHadoop(const StreamingOptions& options);

// The id of the application that `hadoop jar` submitted. Its exit code tells no causes; on failure the message has the
// line that does.
arrow::Result<std::string> SubmitStreaming(const HadoopClient& client, const std::vector<std::string>& arguments,
                                           const StopToken& stop);

// The application id in what a submission printed; empty where there is none.
std::string ApplicationIn(const std::string& printed);
// Of what a failed submission printed, the line that says why.
std::string ReasonIn(const std::string& printed);

}  // namespace trawl
