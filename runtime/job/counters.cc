#include "runtime/job/counters.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMaxTextBytes = 200;

// Returns the beginning of `text`, not cut within a UTF-8 character.
std::string Beginning(const std::string& text) {
  if (text.size() <= kMaxTextBytes) return text;
  size_t end = kMaxTextBytes;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

}  // namespace

int64_t Counters::Get(const std::string& name) const {
  const auto found = counts_.find(name);
  return found == counts_.end() ? 0 : found->second;
}

void Counters::Merge(const Counters& other) {
  for (const auto& [name, count] : other.counts_) counts_[name] += count;
}

std::string Sample::Readable() const {
  const std::string place = number > 0 ? source + ":" + std::to_string(number) : source;
  return place + ": " + reason + (text.empty() ? "" : " (" + text + ")");
}

void Samples::Add(Sample sample) {
  sample.text = Beginning(sample.text);
  samples_.insert(std::move(sample));
  if (samples_.size() > kMost) samples_.erase(std::prev(samples_.end()));
}

void Samples::Merge(const Samples& other) {
  for (const Sample& sample : other.samples_) Add(sample);
}

Json ToJson(const Counters& counters) {
  Json json = Json::object();
  for (const auto& [name, count] : counters.counts()) json[name] = count;
  return json;
}

Json ToJson(const Samples& samples) {
  Json json = Json::array();
  for (const Sample& sample : samples.samples()) {
    json.push_back(
        {{"source", sample.source}, {"number", sample.number}, {"reason", sample.reason}, {"text", sample.text}});
  }
  return json;
}

Result<Counters> CountersFromJson(const Json& json) {
  Counters counters;
  if (!json.is_object()) return Status::Invalid("counters are no object");
  for (const auto& [name, count] : json.items()) {
    ARROW_ASSIGN_OR_RAISE(counters[name], GetInt(json, name.c_str()));
  }
  return counters;
}

Result<Samples> SamplesFromJson(const Json& json) {
  Samples samples;
  if (!json.is_array()) return Status::Invalid("samples are no array");
  for (const Json& element : json) {
    Sample sample;
    ARROW_ASSIGN_OR_RAISE(sample.source, GetString(element, "source"));
    ARROW_ASSIGN_OR_RAISE(sample.number, GetInt(element, "number"));
    ARROW_ASSIGN_OR_RAISE(sample.reason, GetString(element, "reason"));
    ARROW_ASSIGN_OR_RAISE(sample.text, GetString(element, "text"));
    samples.Add(std::move(sample));
  }
  return samples;
}

}  // namespace trawl
