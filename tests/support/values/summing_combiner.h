// A combiner for tests: adds up the values that are numbers of eight bytes, and gives all others back.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/shuffle/combiner.h"
#include "runtime/shuffle/record_stream.h"

namespace trawl {

inline std::string NumberValue(uint64_t number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }

inline uint64_t NumberOf(std::string_view value) {
  uint64_t number = 0;
  std::memcpy(&number, value.data(), sizeof number);
  return number;
}

class SummingCombiner : public Combiner {
 public:
  void Begin(std::string_view) override { has_sum_ = false; }
  arrow::Status Add(std::string_view value, CombinedValues& back) override {
    if (value.size() != sizeof(uint64_t)) return back.Give(value);
    sum_ = NumberOf(value) + (has_sum_ ? sum_ : 0);
    has_sum_ = true;
    return arrow::Status::OK();
  }
  arrow::Status Finish(CombinedValues& back) override {
    return has_sum_ ? back.Give(NumberValue(sum_)) : arrow::Status::OK();
  }

 private:
  uint64_t sum_ = 0;
  bool has_sum_ = false;
};

// What a reducer makes of a key's values: the sum of the numbers, and the others, each as often as it came.
struct Summed {
  uint64_t sum = 0;
  std::map<std::string, int> others;

  void Add(std::string_view value) {
    if (value.size() == sizeof(uint64_t)) {
      sum += NumberOf(value);
    } else {
      ++others[std::string(value)];
    }
  }
  bool operator==(const Summed&) const = default;
};
using SummedGroups = std::map<std::string, Summed>;

// Reads all groups.
inline SummedGroups SummedBy(GroupStream* groups) {
  SummedGroups summed;
  while (groups->NextGroup().ValueOrDie()) {
    Summed& sum = summed[std::string(groups->key())];
    for (std::string_view value; groups->NextValue(&value).ValueOrDie();) sum.Add(value);
  }
  return summed;
}

}  // namespace trawl
