// The root that the reader of a message has to type again. Any thread.
#pragma once

#include <string>

#include "runtime/options/resolve.h"

namespace trawl {

// The crawl's root where the command line or its config file names it; empty where the same shell finds it by itself.
// For WithRoot (jobs/policy/advice.h).
inline std::string TypedRoot(const EffectiveOptions& options) {
  const OptionSource source = options.SourceOf("root");
  const bool is_typed = source == OptionSource::kCommandLine || source == OptionSource::kConfigFile;
  return is_typed ? options.texts().at("root") : "";
}

}  // namespace trawl
