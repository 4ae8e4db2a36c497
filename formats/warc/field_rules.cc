#include "formats/warc/field_rules.h"

#include <algorithm>

#include "formats/address/address.h"
#include "formats/text/ascii.h"
#include "formats/warc/names.h"

namespace trawl {

namespace {

// A field of ISO 28500 section 5, and the types that it may stand on and must stand on. Types that the standard does not
// know may have any.
struct FieldRule {
  std::string_view name;
  std::string_view allowed;   // types between blanks; empty: all
  std::string_view required;  // the same; empty: none
  bool repeats = false;
};

constexpr std::string_view kEvery = " warcinfo response resource request metadata revisit conversion continuation ";
constexpr std::string_view kOfCapture = " response resource request metadata revisit ";
constexpr std::string_view kNeedsUri = " response resource request revisit conversion continuation ";

constexpr FieldRule kRules[] = {
    {"WARC-Type", {}, kEvery},
    {"WARC-Record-ID", {}, kEvery},
    {"WARC-Date", {}, kEvery},
    {"Content-Length", {}, kEvery},
    {"Content-Type", " warcinfo response resource request metadata revisit conversion "},
    {"WARC-Concurrent-To", kOfCapture, {}, true},
    {"WARC-Block-Digest", {}},
    {"WARC-Payload-Digest", " response resource request revisit conversion continuation "},
    {"WARC-IP-Address", kOfCapture},
    {"WARC-Refers-To", " metadata revisit conversion "},
    {"WARC-Refers-To-Target-URI", " revisit "},
    {"WARC-Refers-To-Date", " revisit "},
    {"WARC-Target-URI", " response resource request metadata revisit conversion continuation ", kNeedsUri},
    {"WARC-Truncated", {}},
    {"WARC-Warcinfo-ID", " response resource request metadata revisit conversion continuation "},
    {"WARC-Filename", " warcinfo "},
    {"WARC-Profile", {}, " revisit "},
    {"WARC-Identified-Payload-Type", " response resource request revisit conversion continuation "},
    {"WARC-Segment-Number", {}, " continuation "},
    {"WARC-Segment-Origin-ID", " continuation ", " continuation "},
    {"WARC-Segment-Total-Length", " continuation "},
};

bool HasType(std::string_view types, std::string_view type) {
  return types.find(" " + std::string(type) + " ") != std::string_view::npos;
}

std::string FaultOfPresence(const WarcRecord& record) {
  const std::string type(record.type());
  const bool is_known = HasType(kEvery, type);
  for (const FieldRule& rule : kRules) {
    const auto count = std::count_if(record.fields.begin(), record.fields.end(), [&rule](const auto& field) {
      return EqualsIgnoringAsciiCase(field.first, rule.name);
    });
    const std::string name(rule.name);
    if (count > 1 && !rule.repeats) return name + " stands there " + std::to_string(count) + " times";
    if (count > 0 && record.Get(rule.name).empty()) return name + " is empty";
    if (count == 0 && (is_known ? HasType(rule.required, type) : rule.required == kEvery)) {
      return "it has no " + name;
    }
    if (count > 0 && is_known && !rule.allowed.empty() && !HasType(rule.allowed, type)) {
      return name + " does not belong to a record of type " + type;
    }
  }
  return {};
}

bool IsId(std::string_view text) {
  if (!text.starts_with('<') || !text.ends_with('>')) return false;
  return IsUri(text.substr(1, text.size() - 2));
}

bool IsDateOf(const std::string& version, std::string_view text) {
  // WARC 1.0 section 5.4 knows one form, to the second.
  constexpr size_t kToTheSecond = 20;
  return ParseWarcDate(text).has_value() && (version != "1.0" || text.size() == kToTheSecond);
}

bool IsDigest(std::string_view text) {
  const size_t colon = text.find(':');
  return colon != std::string_view::npos && IsFieldName(text.substr(0, colon)) && colon + 1 < text.size() &&
         text.find_first_of(" \t") == std::string_view::npos;
}

std::string FaultOfValue(const WarcRecord& record, std::string_view name, std::string_view value) {
  const auto is = [name](std::string_view other) { return EqualsIgnoringAsciiCase(name, other); };
  const auto fault = [name, value](const char* what) {
    return std::string(name) + " is " + what + ": " + std::string(value.substr(0, 200));
  };
  if (is("WARC-Record-ID") || is("WARC-Concurrent-To") || is("WARC-Refers-To") || is("WARC-Warcinfo-ID") ||
      is("WARC-Segment-Origin-ID")) {
    return IsId(value) ? std::string() : fault("no URI between < and >");
  }
  if (is("WARC-Target-URI") || is("WARC-Refers-To-Target-URI") || is("WARC-Profile")) {
    // The grammar of 1.0 has < and > around a URI, its examples do not; readers cope with both.
    if (record.version == "1.0" && IsId(value)) return {};
    return IsUri(value) ? std::string() : fault("no URI of RFC 3986");
  }
  if (is("WARC-Date") || is("WARC-Refers-To-Date")) {
    return IsDateOf(record.version, value) ? std::string() : fault("no date of this version of WARC");
  }
  if (is("WARC-Block-Digest") || is("WARC-Payload-Digest")) {
    return IsDigest(value) ? std::string() : fault("no digest of the form ALGORITHM:VALUE");
  }
  if (is("WARC-IP-Address")) return IpAddress::Parse(value) ? std::string() : fault("no IP address");
  if (is("WARC-Truncated") || is("WARC-Type")) return IsFieldName(value) ? std::string() : fault("not one word");
  return {};
}

std::string FaultOfRevisit(const WarcRecord& record) {
  const std::string_view profile = record.Get("WARC-Profile");
  if (profile.ends_with("/revisit/identical-payload-digest") && record.Get("WARC-Payload-Digest").empty()) {
    return "a revisit with an identical payload has no WARC-Payload-Digest";
  }
  return {};
}

}  // namespace

std::string FaultOfFields(const WarcRecord& record) {
  if (record.version != "1.0" && record.version != "1.1") return "WARC/" + record.version + " is no version of WARC";
  std::string fault = FaultOfPresence(record);
  for (auto field = record.fields.begin(); fault.empty() && field != record.fields.end(); ++field) {
    fault = FaultOfValue(record, field->first, field->second);
  }
  if (fault.empty() && record.type() == "revisit") fault = FaultOfRevisit(record);
  return fault;
}

}  // namespace trawl
