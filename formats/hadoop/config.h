// Hadoop's configuration: reads the text of its *-site.xml files and finds the settings that Trawl needs.
//
// Later files override earlier ones, except where an earlier one says that its value is final; a value without text
// counts as missing. Both as in Hadoop. "${other.name}" in a value stands for another setting; variables of Java and of
// the environment stay as they are. Pure; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/status.h"

namespace trawl {

class HadoopConfig {
 public:
  struct Value {
    std::string text;  // as it is written, with its blanks and references
    std::string source;
    bool is_final = false;
  };

  // Adds the settings of a file: <configuration><property><name>…</name><value>…</value></property>… `source` is its name.
  arrow::Status Add(std::string_view xml, const std::string& source = "");
  // Sets one value, as -D of Hadoop's commands does: also where a file says that its own is final.
  void Set(const std::string& name, const std::string& text, const std::string& source);

  // The value with its references replaced, without blanks at its ends; `otherwise` where no file sets it.
  std::string Get(const std::string& name, const std::string& otherwise = "") const;
  // The same with its blanks, where they mean something.
  std::string GetWhole(const std::string& name, const std::string& otherwise = "") const;
  bool Has(const std::string& name) const { return values_.contains(name); }
  const std::map<std::string, Value>& values() const { return values_; }
  // Whether a file asks for another file's content (XInclude), which is not read.
  bool has_includes() const { return has_includes_; }

  // The addresses of the ResourceManagers, "http://host:port"; with high availability, one after the other.
  std::vector<std::string> ResourceManagers() const;
  // The addresses of the NameNodes' web services, "http://host:port"; empty where that is no nameservice of several.
  std::vector<std::string> NameNodes(const std::string& nameservice) const;
  // The address of MapReduce's history server.
  std::string HistoryServer() const;

 private:
  std::string Expanded(const std::string& value, int* references_left) const;
  std::string ResourceManager(const std::string& suffix) const;

  std::map<std::string, Value> values_;
  bool has_includes_ = false;
};

}  // namespace trawl
