// Hadoop's settings as its own client has them on this machine. Any thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/hadoop/config.h"

namespace trawl {

// The folder of *-site.xml: HADOOP_CONF_DIR, or $HADOOP_HOME/etc/hadoop; empty where neither is set.
std::string HadoopConfigFolder();

// Returns the name by which Hadoop knows who runs this process.
std::string HadoopUser();

// Returns the settings that each job of this machine starts from: *-default.xml of Hadoop's jars, then the *-site.xml of the
// folder. The source of a value is the name of its file. NotImplemented, with the reason, where a part is not found.
arrow::Result<HadoopConfig> ReadClientSettings(const std::string& folder);

}  // namespace trawl
