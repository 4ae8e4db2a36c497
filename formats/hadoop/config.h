// Hadoop's configuration: the text of its *-site.xml files, and what Trawl wants to know from them.
//
// Later files win over earlier ones, as with Hadoop. "${other.name}" in a value stands for another setting; variables
// of Java and of the environment stay as they are. Pure; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/status.h"

namespace trawl {

class HadoopConfig {
 public:
  // Adds the settings of a file: <configuration><property><name>…</name><value>…</value></property>…
  arrow::Status Add(std::string_view xml);

  // The value with what it refers to put in; `otherwise` where nothing sets it.
  std::string Get(const std::string& name, const std::string& otherwise = "") const;

  // Where the ResourceManagers answer, "http://host:port", the one of high availability after the other.
  std::vector<std::string> ResourceManagers() const;
  // Where the history server of MapReduce answers.
  std::string HistoryServer() const;

 private:
  std::string Expanded(const std::string& value, int* references_left) const;
  std::string ResourceManager(const std::string& suffix) const;

  std::map<std::string, std::string> values_;
};

}  // namespace trawl
