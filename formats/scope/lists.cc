#include "formats/scope/lists.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "arrow/status.h"
#include "formats/scope/host_text.h"
#include "formats/text/ascii.h"
#include "formats/text/lines.h"
#include "formats/url/url.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Every kind becomes a search for prefixes: an entry covers a URL where EntryText begins QuestionText.

void AppendBackwardsLower(std::string_view text, std::string* out) {
  for (auto c = text.rbegin(); c != text.rend(); ++c) out->push_back(AsciiLower(*c));
}

// The host as URLs have it. An address is read as in a URL, a name by IDNA.
Result<std::string> HostOfEntry(std::string_view entry) {
  if (entry.ends_with('.')) entry.remove_suffix(1);
  Url url;
  if (!url.Parse("https://" + std::string(entry) + "/") || url.path() != "/" || !url.port().empty() ||
      url.href().size() != std::string_view("https:///").size() + url.hostname().size()) {
    return Status::Invalid("is not a host name");
  }
  if (FormOfHost(url.hostname()) == HostForm::kRefused) return Status::Invalid("is not a host that a key can hold");
  return std::string(url.hostname());
}

Result<std::string> EntryText(UrlList::Kind kind, std::string_view entry) {
  std::string text;
  switch (kind) {
    case UrlList::Kind::kHosts: {
      ARROW_ASSIGN_OR_RAISE(const std::string host, HostOfEntry(entry));
      return WholeHostText(host);
    }
    case UrlList::Kind::kDomains: {
      if (entry.starts_with('.')) entry.remove_prefix(1);
      ARROW_ASSIGN_OR_RAISE(const std::string host, HostOfEntry(entry));
      return HostLabelsText(host);
    }
    case UrlList::Kind::kPrefixes:
      if (!entry.starts_with("http://") && !entry.starts_with("https://")) {
        return Status::Invalid("does not begin as a normalised URL: with http:// or https://");
      }
      return std::string(entry);
    case UrlList::Kind::kSuffixes:
      AppendBackwardsLower(entry, &text);
      return text;
  }
  return Status::Invalid("is of no kind");
}

}  // namespace

std::string_view NameOf(UrlList::Kind kind) {
  switch (kind) {
    case UrlList::Kind::kHosts:
      return "hosts";
    case UrlList::Kind::kDomains:
      return "domains";
    case UrlList::Kind::kPrefixes:
      return "prefixes";
    case UrlList::Kind::kSuffixes:
      return "suffixes";
  }
  return "";
}

Result<UrlList> UrlList::Parse(Kind kind, std::string_view text, std::string file) {
  UrlList list(kind, std::move(file));
  std::vector<PrefixSet::Entry> entries;
  TextLines lines(text);
  for (std::string_view line; lines.Next(&line);) {
    line = TrimBytes(line, " \t");
    if (line.empty() || line.front() == '#') continue;
    Result<std::string> entry = EntryText(kind, line);
    if (!entry.ok()) {
      return Status::Invalid(list.file_, ":", lines.number(), ": \"", line.substr(0, 200), "\" ",
                             entry.status().message());
    }
    entries.push_back({*std::move(entry), lines.number()});
  }
  ARROW_ASSIGN_OR_RAISE(list.entries_, PrefixSet::Make(entries));
  return list;
}

uint32_t UrlList::Find(std::string_view url, const UrlPieces& pieces) const {
  switch (kind_) {
    case Kind::kHosts:
      return entries_.Find(WholeHostText(pieces.host)).number;
    case Kind::kDomains:
      return entries_.Find(HostLabelsText(pieces.host)).number;
    case Kind::kPrefixes:
      return entries_.Find(url).number;
    case Kind::kSuffixes:
      break;
  }
  std::string backwards;
  AppendBackwardsLower(pieces.path, &backwards);
  return entries_.Find(backwards).number;
}

}  // namespace trawl
