#include "formats/documents/format_version.h"

#include <gtest/gtest.h>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TEST(FormatVersion, ANewerFormatIsRefusedAndSaysWhatToDo) {
  EXPECT_OK(CheckFormat(1, 1));
  EXPECT_OK(CheckFormat(1, 2));
  EXPECT_EQ(CheckFormat(3, 2).message(),
            "was written by a newer version (format 3, this program knows 2): use a newer trawl");
}

}  // namespace
}  // namespace trawl
