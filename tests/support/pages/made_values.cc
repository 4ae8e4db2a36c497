#include "tests/support/pages/made_values.h"

#include "runtime/terminal/timestamp.h"

namespace trawl {

const char* const kHostileText =
    "</title><script>alert(1)</script><img src=x onerror=alert(2)> \" onmouseover='alert(3)' \xE2\x80\xAE"
    "gpj.exe &amp; \x01";

std::string LongUrl() {
  return "https://host1.example/" + std::string(1000, 'a') + "/<i>?q=" + std::string(1000, '%') + "&x=\"'";
}

std::string TimeAgo(TimeMs now_ms, int64_t ms) { return FormatTimestamp(now_ms - ms); }

std::string MadeHostName(int i) { return "host" + std::to_string(i) + ".example"; }

std::string MadeSegmentName(int i) {
  return "20261118T0" + std::to_string(100000 + i * 100).substr(1, 5) + "Z-" + std::to_string(10000000 + i);
}

}  // namespace trawl
