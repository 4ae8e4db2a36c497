// The version that --version prints and every plan and report carries, and the commit that the program was made of.
#pragma once

#include <string_view>

namespace trawl {

inline constexpr char kVersion[] = "0.1.0";
// The day of this version, as man pages show it.
inline constexpr char kVersionDate[] = "2026-11-20";

// Both stand in a file that the build writes (cmake/Commit.cmake). The commit is empty where the sources were no
// checkout, and nobody said which commit they are.
extern const std::string_view kCommit;
// Whether files of the checkout differed from the commit.
extern const bool kIsCommitChanged;

}  // namespace trawl
