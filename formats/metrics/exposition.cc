#include "formats/metrics/exposition.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

#include "formats/text/utf8.h"

namespace trawl {

namespace {

constexpr std::string_view kTotal = "_total";

bool IsNameByte(char byte, bool may_have_colon) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_' ||
         (may_have_colon && byte == ':');
}

bool IsName(std::string_view name, bool may_have_colon) {
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [=](char byte) { return IsNameByte(byte, may_have_colon); });
}

// The text of a label or of a help: both formats take any UTF-8 and escape backslashes and line feeds, and quotes where
// the text stands in quotes. OpenMetrics escapes quotes of a help, too. A NUL would end the text for some readers.
std::string Escaped(std::string_view text, bool escapes_quotes) {
  std::string repaired, escaped;
  AppendRepairedUtf8(text, &repaired);
  for (const char byte : repaired) {
    if (byte == '\\') {
      escaped += "\\\\";
    } else if (byte == '\n') {
      escaped += "\\n";
    } else if (byte == '"' && escapes_quotes) {
      escaped += "\\\"";
    } else {
      escaped += byte == '\0' || byte == '\r' ? ' ' : byte;
    }
  }
  return escaped;
}

// The shortest text that reads back as the same number.
std::string NumberText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  constexpr double kExact = 9'007'199'254'740'992;  // 2^53
  if (value == std::trunc(value) && std::fabs(value) < kExact) return std::to_string(static_cast<int64_t>(value));
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end);
}

const char* TypeText(MetricType type) {
  switch (type) {
    case MetricType::kCounter:
      return "counter";
    case MetricType::kGauge:
      return "gauge";
    case MetricType::kHistogram:
      return "histogram";
  }
  return "untyped";
}

std::string LabelsText(const MetricLabels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!IsName(name, /*may_have_colon=*/false)) continue;
    text += (text.empty() ? "" : ",") + name + "=\"" + Escaped(value, /*escapes_quotes=*/true) + "\"";
  }
  return text.empty() ? "" : "{" + text + "}";
}

// Milliseconds in the text format, seconds in OpenMetrics.
std::string TimeText(TimeMs at_ms, MetricsFormat format) {
  if (format == MetricsFormat::kText) return std::to_string(at_ms);
  char text[40];
  std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(at_ms / 1000),
                static_cast<long long>(at_ms % 1000));
  return text;
}

void AppendCreated(const std::string& base, const MetricFamily& family, std::string* text) {
  std::string last;
  for (const MetricSample& sample : family.samples) {
    MetricLabels labels = sample.labels;
    std::erase_if(labels, [](const auto& label) { return label.first == "le"; });
    const std::string of = LabelsText(labels);
    if (of == last && !last.empty()) continue;  // the buckets of one histogram
    if (family.type == MetricType::kHistogram && sample.suffix != "_count") continue;
    *text += base + "_created" + of + " " + TimeText(*family.created_ms, MetricsFormat::kOpenMetrics) + "\n";
    last = of;
  }
}

void AppendFamily(const MetricFamily& family, MetricsFormat format, std::string* text) {
  const bool is_open = format == MetricsFormat::kOpenMetrics;
  const bool is_counter = family.type == MetricType::kCounter;
  std::string base = family.name;
  if (is_counter && base.ends_with(kTotal)) base.resize(base.size() - kTotal.size());
  const std::string& described = is_open ? base : family.name;
  *text += "# HELP " + described + " " + Escaped(family.help, is_open) + "\n";
  *text += "# TYPE " + described + " " + TypeText(family.type) + "\n";
  const std::string sampled = is_open && is_counter ? base + std::string(kTotal) : family.name;
  for (const MetricSample& sample : family.samples) {
    *text += sampled + sample.suffix + LabelsText(sample.labels) + " " + NumberText(sample.value);
    if (sample.at_ms) *text += " " + TimeText(*sample.at_ms, format);
    *text += "\n";
  }
  if (is_open && family.created_ms) AppendCreated(base, family, text);
}

// The quality of a media range: "q=0.5". 1 where it does not say one.
double QualityOf(std::string_view range) {
  const size_t at = range.find(";q=");
  if (at == std::string_view::npos) return 1;
  double quality = 0;
  const char* const end = range.data() + range.size();
  std::from_chars(range.data() + at + 3, end, quality);
  return quality;
}

}  // namespace

void AddHistogram(const MetricHistogram& histogram, const MetricLabels& labels, MetricFamily* family) {
  double count = 0;
  for (size_t i = 0; i < histogram.counts.size(); ++i) {
    count += static_cast<double>(histogram.counts[i]);
    MetricLabels with_bound = labels;
    const bool is_last = i >= histogram.bounds.size();
    with_bound.emplace_back("le", is_last ? "+Inf" : NumberText(histogram.bounds[i]));
    family->samples.push_back({std::move(with_bound), count, "_bucket", std::nullopt});
  }
  family->samples.push_back({labels, histogram.sum, "_sum", std::nullopt});
  family->samples.push_back({labels, count, "_count", std::nullopt});
}

const char* ContentTypeOf(MetricsFormat format) {
  return format == MetricsFormat::kText ? "text/plain; version=0.0.4; charset=utf-8"
                                        : "application/openmetrics-text; version=1.0.0; charset=utf-8";
}

MetricsFormat FormatAskedFor(std::string_view accept) {
  constexpr size_t kMostRanges = 32;
  double open = 0, text = 0;
  for (size_t i = 0; i < kMostRanges && !accept.empty(); ++i) {
    const size_t comma = accept.find(',');
    std::string range;
    for (const char byte : accept.substr(0, comma)) {
      if (byte != ' ' && byte != '\t') range += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
    }
    const double quality = QualityOf(range);
    if (range.starts_with("application/openmetrics-text")) open = std::max(open, quality);
    if (range.starts_with("text/plain")) text = std::max(text, quality);
    if (comma == std::string_view::npos) break;
    accept.remove_prefix(comma + 1);
  }
  return open > 0 && open >= text ? MetricsFormat::kOpenMetrics : MetricsFormat::kText;
}

std::string MetricsText(const std::vector<MetricFamily>& families, MetricsFormat format) {
  std::string text;
  for (const MetricFamily& family : families) {
    if (!family.samples.empty() && IsName(family.name, /*may_have_colon=*/true)) AppendFamily(family, format, &text);
  }
  if (format == MetricsFormat::kOpenMetrics) text += "# EOF\n";
  return text;
}

}  // namespace trawl
