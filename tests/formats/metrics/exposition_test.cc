// The text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats) and OpenMetrics 1.0, by example.
#include "formats/metrics/exposition.h"

#include <gtest/gtest.h>

#include <limits>

namespace trawl {
namespace {

std::vector<MetricFamily> Examples() {
  MetricFamily pages = {"trawl_fetch_pages_total", MetricType::kCounter, "Pages that were stored", {}, {}};
  pages.Add(12, {{"crawl", "shop"}});
  MetricFamily in_time = {"trawl_refresh_in_time_ratio", MetricType::kGauge, "Share in time", {}, {}};
  in_time.Add(0.953125);
  MetricFamily times = {"trawl_fetch_response_seconds", MetricType::kHistogram, "Time of an answer", {}, {}};
  AddHistogram({{0.05, 2.5}, {3, 4, 1}, 9.25}, {{"crawl", "shop"}}, &times);
  MetricFamily nothing = {"trawl_urls_due", MetricType::kGauge, "Nobody knows", {}, {}};
  return {pages, in_time, times, nothing};
}

TEST(Exposition, WritesTheTextFormat) {
  EXPECT_EQ(MetricsText(Examples(), MetricsFormat::kText),
            "# HELP trawl_fetch_pages_total Pages that were stored\n"
            "# TYPE trawl_fetch_pages_total counter\n"
            "trawl_fetch_pages_total{crawl=\"shop\"} 12\n"
            "# HELP trawl_refresh_in_time_ratio Share in time\n"
            "# TYPE trawl_refresh_in_time_ratio gauge\n"
            "trawl_refresh_in_time_ratio 0.953125\n"
            "# HELP trawl_fetch_response_seconds Time of an answer\n"
            "# TYPE trawl_fetch_response_seconds histogram\n"
            "trawl_fetch_response_seconds_bucket{crawl=\"shop\",le=\"0.05\"} 3\n"
            "trawl_fetch_response_seconds_bucket{crawl=\"shop\",le=\"2.5\"} 7\n"
            "trawl_fetch_response_seconds_bucket{crawl=\"shop\",le=\"+Inf\"} 8\n"
            "trawl_fetch_response_seconds_sum{crawl=\"shop\"} 9.25\n"
            "trawl_fetch_response_seconds_count{crawl=\"shop\"} 8\n");
}

// "Counter: … The MetricFamily name … MUST NOT have the suffix _total; its samples have it", and the text ends with "# EOF".
TEST(Exposition, WritesOpenMetrics) {
  auto families = Examples();
  families.resize(2);
  families[0].samples[0].at_ms = 1'772'366'400'250;
  families[0].created_ms = 1'772'366'400'000;
  EXPECT_EQ(MetricsText(families, MetricsFormat::kOpenMetrics),
            "# HELP trawl_fetch_pages Pages that were stored\n"
            "# TYPE trawl_fetch_pages counter\n"
            "trawl_fetch_pages_total{crawl=\"shop\"} 12 1772366400.250\n"
            "trawl_fetch_pages_created{crawl=\"shop\"} 1772366400.000\n"
            "# HELP trawl_refresh_in_time_ratio Share in time\n"
            "# TYPE trawl_refresh_in_time_ratio gauge\n"
            "trawl_refresh_in_time_ratio 0.953125\n"
            "# EOF\n");
}

TEST(Exposition, TimesAreMillisecondsInTheTextFormat) {
  auto families = Examples();
  families.resize(1);
  families[0].samples[0].at_ms = 1'772'366'400'250;
  EXPECT_NE(MetricsText(families, MetricsFormat::kText).find("} 12 1772366400250\n"), std::string::npos);
}

// "label_value can be any sequence of UTF-8 characters, but the backslash, double-quote, and line feed characters have to be
// escaped"; in a help only backslash and line feed.
TEST(Exposition, EscapesWhatANameOrAHelpMayHold) {
  MetricFamily gauge = {"g", MetricType::kGauge, "a \"b\"\\\nc", {}, {}};
  gauge.Add(1, {{"crawl", "x\"y\\z\nw"}, {"no name", "1"}, {"9", "1"}, {"bytes", std::string("\xff") + '\0' + "\r"}});
  EXPECT_EQ(MetricsText({gauge}, MetricsFormat::kText),
            "# HELP g a \"b\"\\\\\\nc\n"
            "# TYPE g gauge\n"
            "g{crawl=\"x\\\"y\\\\z\\nw\",bytes=\"\xef\xbf\xbd  \"} 1\n");
  EXPECT_NE(MetricsText({gauge}, MetricsFormat::kOpenMetrics).find("# HELP g a \\\"b\\\"\\\\\\nc\n"),
            std::string::npos);
}

TEST(Exposition, NumbersReadBackAsTheyWere) {
  MetricFamily gauge = {"g", MetricType::kGauge, "", {}, {}};
  for (const double value : {0.1, 1e300, 9'007'199'254'740'991.0, -3.0, std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    gauge.Add(value);
  }
  EXPECT_EQ(MetricsText({gauge}, MetricsFormat::kText),
            "# HELP g \n# TYPE g gauge\ng 0.1\ng 1e+300\ng 9007199254740991\ng -3\ng +Inf\ng -Inf\ng NaN\n");
}

TEST(Exposition, ANameThatNoMetricMayHaveIsLeftOut) {
  for (const char* name : {"", "9g", "g h", "g{", "g\n"}) {
    MetricFamily gauge = {name, MetricType::kGauge, "", {}, {}};
    gauge.Add(1);
    EXPECT_EQ(MetricsText({gauge}, MetricsFormat::kText), "") << name;
  }
}

TEST(Exposition, TheClientChoosesTheFormat) {
  const std::pair<const char*, MetricsFormat> cases[] = {
      {"", MetricsFormat::kText},
      {"*/*", MetricsFormat::kText},
      {"text/plain", MetricsFormat::kText},
      // As Prometheus 2.42 asks.
      {"application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
       "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
       MetricsFormat::kOpenMetrics},
      {"text/plain;q=0.9, Application/OpenMetrics-Text; q=0.5", MetricsFormat::kText},
      {"application/openmetrics-text;q=0", MetricsFormat::kText},
  };
  for (const auto& [accept, format] : cases) EXPECT_EQ(FormatAskedFor(accept), format) << accept;
  EXPECT_STREQ(ContentTypeOf(MetricsFormat::kText), "text/plain; version=0.0.4; charset=utf-8");
}

}  // namespace
}  // namespace trawl
