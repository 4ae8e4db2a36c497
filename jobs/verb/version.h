// The version that --version prints and every plan and report carries.
#pragma once

namespace trawl {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace trawl
