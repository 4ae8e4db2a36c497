// A door of jobs/policy: how pages with the same content are told apart, and what becomes of them. Any thread.
#pragma once

#include <cstdint>

#include "runtime/options/options.h"

namespace trawl {

// What becomes of a page whose text is nearly that of another.
enum class NearPolicy : int8_t {
  kMark = 0,       // its row names the other page; it stays fetched
  kDuplicate = 1,  // its state is duplicate, as if it were the same
  kNone = 2,       // texts are not compared
};

// What is stored once.
enum class StoreOnce : int8_t {
  kBody = 0,     // bodies that are equal byte for byte
  kContent = 1,  // bodies of pages whose cleaned content is equal, too
};

struct SettleOptions {
  bool enabled = true;
  NearPolicy near_policy = NearPolicy::kMark;
  int32_t distance = 3;
  int32_t tokens = 20;
  bool second_look = true;
  StoreOnce store = StoreOnce::kBody;
};
const OptionGroup<SettleOptions>& SettleOptionGroup();

}  // namespace trawl
