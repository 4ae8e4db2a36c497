// A combiner folds records of one key into fewer before they are spilled or sent. A job that has one names it in its
// JobSpec; start here to write one.
//
// It works where records lie sorted anyway: when a sort buffer is spilled, when spills are merged, and when a map task
// of a cluster sends its blocks. So nobody knows what it will see of a key: nothing, some of the values, what it gave
// back before, values of several map tasks together. It must keep one law. Let R(V) be what the reducer makes of the
// values V of a key, and C(V) what the combiner gives back for them. For all values S and T of a key, in any order:
//
//     R(S and T) = R(C(S) and T)          and C(S) has no more values than S
//
// Sums, least and largest values and sets of things keep it. A count of distinct things does not, nor does an average:
// what is combined must still have the things themselves, or what the average is of. A value that the combiner cannot fold
// is given back as it is.
//
// Each object belongs to one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "arrow/status.h"

namespace trawl {

// A value that is given back has at most this size, unless a value of its key had more.
constexpr size_t kMostCombinedBytes = 64 << 10;

// Where a combiner gives values back.
class CombinedValues {
 public:
  virtual ~CombinedValues() = default;
  // Copies the value. CapacityError where it is too large.
  virtual arrow::Status Give(std::string_view value) = 0;
};

class Combiner {
 public:
  virtual ~Combiner() = default;
  // Values of this key follow, two or more. The key begins as the shuffle has it: with the slot of a row's key.
  virtual void Begin(std::string_view key) = 0;
  // Keeps a value, folded with those before, or gives it back. What is kept does not grow with the number of values:
  // before it takes more than kMostCombinedBytes, it is given back, and the rest of the key is folded on its own.
  virtual arrow::Status Add(std::string_view value, CombinedValues& back) = 0;
  // Gives back what was kept.
  virtual arrow::Status Finish(CombinedValues& back) = 0;
};

// Makes the combiner of a thread. Empty: records are not combined.
using MakeCombiner = std::function<std::unique_ptr<Combiner>()>;

}  // namespace trawl
