// Hadoop's configuration: reads the text of its *-site.xml files and finds the settings that Trawl needs.
//
// Later files override earlier ones, as in Hadoop. "${other.name}" in a value stands for another setting; variables of
// Java and of the environment stay as they are. Pure; any thread.
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

  // The value with its references replaced; `otherwise` where no file sets it.
  std::string Get(const std::string& name, const std::string& otherwise = "") const;

  // The addresses of the ResourceManagers, "http://host:port"; with high availability, one after the other.
  std::vector<std::string> ResourceManagers() const;
  // The address of MapReduce's history server.
  std::string HistoryServer() const;

 private:
  std::string Expanded(const std::string& value, int* references_left) const;
  std::string ResourceManager(const std::string& suffix) const;

  std::map<std::string, std::string> values_;
};

}  // namespace trawl
