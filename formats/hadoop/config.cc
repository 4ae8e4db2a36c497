#include "formats/hadoop/config.h"

#include "formats/text/ascii.h"
#include "formats/xml/stream.h"

namespace trawl {

using arrow::Status;

namespace {

// Hadoop itself follows 20 references; this ends settings that refer to themselves.
constexpr int kMaxReferences = 20;
constexpr size_t kMaxValueBytes = 64 << 10;

constexpr std::string_view kBlanks = " \t\r\n";

struct Property {
  std::string name, value, is_final;
};

class PropertyHandler : public XmlHandler {
 public:
  std::vector<Property> properties;
  bool has_includes = false;

  void OnStart(std::string_view name, const XmlAttributes& attributes) override {
    elements_.emplace_back(name);
    if (name == "include" || name.ends_with(":include")) has_includes = true;
    if (name != "property") return;
    property_ = {std::string(attributes.Value("name")), std::string(attributes.Value("value")),
                 std::string(attributes.Value("final"))};
  }
  void OnEnd() override {
    if (elements_.back() == "property" && !TrimBytes(property_.name, kBlanks).empty() && !property_.value.empty()) {
      properties.push_back(property_);
    }
    elements_.pop_back();
  }
  void OnText(std::string_view text) override {
    if (elements_.empty()) return;
    std::string* const target = Target(elements_.back());
    if (target != nullptr && target->size() + text.size() <= kMaxValueBytes) target->append(text);
  }
  void OnSkippedEntity() override {}

 private:
  std::string* Target(const std::string& element) {
    if (element == "name") return &property_.name;
    if (element == "value") return &property_.value;
    return element == "final" ? &property_.is_final : nullptr;
  }

  std::vector<std::string> elements_;
  Property property_;
};

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view item = TrimBytes(text.substr(0, comma), " ");
    if (!item.empty()) items.emplace_back(item);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return items;
}

// Turns an address that a daemon listens on into one that a client on its machine can connect to.
std::string Reachable(const std::string& address) {
  constexpr std::string_view kAny = "0.0.0.0:";
  return address.starts_with(kAny) ? "localhost:" + address.substr(kAny.size()) : address;
}

}  // namespace

Status HadoopConfig::Add(std::string_view xml, const std::string& source) {
  PropertyHandler handler;
  XmlStream stream(&handler, "");
  ARROW_RETURN_NOT_OK(stream.Feed(xml));
  ARROW_RETURN_NOT_OK(stream.Finish());
  has_includes_ = has_includes_ || handler.has_includes;
  for (Property& property : handler.properties) {
    Value& value = values_[std::string(TrimBytes(property.name, kBlanks))];
    if (value.is_final) continue;
    value = {std::move(property.value), source, TrimBytes(property.is_final, kBlanks) == "true"};
  }
  return Status::OK();
}

void HadoopConfig::Set(const std::string& name, const std::string& text, const std::string& source) {
  Value& value = values_[name];
  value = {text, source, value.is_final};
}

std::string HadoopConfig::Get(const std::string& name, const std::string& otherwise) const {
  return Has(name) ? std::string(TrimBytes(GetWhole(name), kBlanks)) : otherwise;
}

std::string HadoopConfig::GetWhole(const std::string& name, const std::string& otherwise) const {
  const auto found = values_.find(name);
  int references_left = kMaxReferences;
  return found == values_.end() ? otherwise : Expanded(found->second.text, &references_left);
}

std::string HadoopConfig::Expanded(const std::string& value, int* references_left) const {
  std::string out;
  size_t at = 0;
  while (--*references_left >= 0) {
    const size_t begin = value.find("${", at);
    const size_t end = begin == std::string::npos ? begin : value.find('}', begin);
    if (end == std::string::npos) break;
    const auto found = values_.find(value.substr(begin + 2, end - begin - 2));
    out += value.substr(at, begin - at);
    out +=
        found == values_.end() ? value.substr(begin, end + 1 - begin) : Expanded(found->second.text, references_left);
    at = end + 1;
  }
  return out + value.substr(at);
}

std::string HadoopConfig::ResourceManager(const std::string& suffix) const {
  const bool secure = Get("yarn.http.policy") == "HTTPS_ONLY";
  const std::string host =
      Get("yarn.resourcemanager.hostname" + suffix, Get("yarn.resourcemanager.hostname", "0.0.0.0"));
  const std::string address = secure ? Get("yarn.resourcemanager.webapp.https.address" + suffix, host + ":8090")
                                     : Get("yarn.resourcemanager.webapp.address" + suffix, host + ":8088");
  return (secure ? "https://" : "http://") + Reachable(address);
}

std::vector<std::string> HadoopConfig::ResourceManagers() const {
  if (Get("yarn.resourcemanager.ha.enabled") != "true") return {ResourceManager("")};
  std::vector<std::string> managers;
  for (const std::string& id : SplitAtCommas(Get("yarn.resourcemanager.ha.rm-ids"))) {
    managers.push_back(ResourceManager("." + id));
  }
  return managers;
}

std::vector<std::string> HadoopConfig::NameNodes(const std::string& nameservice) const {
  const bool secure = Get("dfs.http.policy") == "HTTPS_ONLY";
  const std::string name = secure ? "dfs.namenode.https-address." : "dfs.namenode.http-address.";
  std::vector<std::string> nodes;
  for (const std::string& id : SplitAtCommas(Get("dfs.ha.namenodes." + nameservice))) {
    nodes.push_back((secure ? "https://" : "http://") + Reachable(Get(name + nameservice + "." + id)));
  }
  return nodes;
}

std::string HadoopConfig::HistoryServer() const {
  if (Get("mapreduce.jobhistory.http.policy") == "HTTPS_ONLY") {
    return "https://" + Reachable(Get("mapreduce.jobhistory.webapp.https.address", "0.0.0.0:19890"));
  }
  return "http://" + Reachable(Get("mapreduce.jobhistory.webapp.address", "0.0.0.0:19888"));
}

}  // namespace trawl
