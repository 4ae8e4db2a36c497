// A task's counts, and examples of the bad records it met. Each object belongs to one thread; the runner merges them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "arrow/result.h"
#include "formats/documents/json.h"

namespace trawl {

// Named counts. Names are nouns of the job's own ("new", "known", "bad"); a count that was never touched is absent.
class Counters {
 public:
  // Returns the count of that name, to be raised; valid as long as the object. Look it up once, not once per record.
  int64_t& operator[](const std::string& name) { return counts_[name]; }
  int64_t Get(const std::string& name) const;
  void Merge(const Counters& other);
  const std::map<std::string, int64_t>& counts() const { return counts_; }
  bool operator==(const Counters&) const = default;

 private:
  std::map<std::string, int64_t> counts_;
};

// A bad record: its place, what was wrong, and its beginning.
struct Sample {
  std::string source;  // a file, a host
  int64_t number = 0;  // number of the line or row; 0: no number
  std::string reason;
  std::string text;
  // "seeds.txt:17: no host (http://)".
  std::string Readable() const;
  auto operator<=>(const Sample&) const = default;
};

// The first few by source and number, in whatever order they came, so that they do not depend on how work was divided.
class Samples {
 public:
  static constexpr size_t kMost = 20;
  // Cuts `text` to fit on a line.
  void Add(Sample sample);
  void Merge(const Samples& other);
  const std::set<Sample>& samples() const { return samples_; }
  bool operator==(const Samples&) const = default;

 private:
  std::set<Sample> samples_;
};

Json ToJson(const Counters& counters);
Json ToJson(const Samples& samples);
arrow::Result<Counters> CountersFromJson(const Json& json);
arrow::Result<Samples> SamplesFromJson(const Json& json);

}  // namespace trawl
