// What the page and the sheet of a host say of its pauses.
#include "jobs/web/host_values.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

HostRequest Request(int64_t gap_ms, int64_t delay_ms) {
  HostRequest request;
  request.gap_ms = gap_ms;
  request.delay_ms = delay_ms;
  return request;
}

TEST(PauseText, TellsTheSmallestPauseAndItsDelay) {
  EXPECT_EQ(PauseText({}), "");
  EXPECT_EQ(PauseText({Request(-1, 300)}), "");
  EXPECT_EQ(
      PauseText({Request(310, 300), Request(305, 300), Request(-1, -1)}),
      "The smallest pause between two of the last 3 requests was 305 ms; the delay in force was 300 ms. None came "
      "too early.");
  EXPECT_EQ(PauseText({Request(310, 300), Request(290, 300)}),
            "The smallest pause between two of the last 2 requests was 290 ms; the delay in force was 300 ms. 1 came "
            "earlier than the delay.");
}

TEST(PauseText, AccusesNobodyWhereTheDelayIsNotKnown) {
  EXPECT_EQ(PauseText({Request(310, 300), Request(103, -1)}),
            "The smallest pause between two of the last 2 requests was 103 ms; the delay in force then is not known. "
            "None of the 1 whose delay is known came too early.");
  EXPECT_EQ(PauseText({Request(103, -1), Request(104, -1)}),
            "The smallest pause between two of the last 2 requests was 103 ms; the delay in force then is not known.");
}

}  // namespace
}  // namespace trawl
