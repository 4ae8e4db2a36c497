#include "formats/http/link_header.h"

#include <algorithm>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

// Goes through one field from left to right. Functions are named after the steps of RFC 8288 appendix B.
class LinkParser {
 public:
  explicit LinkParser(std::string_view field) : rest_(field) {}

  // False at the end of the field or at a syntax error.
  bool Next(LinkValue* link) {
    while (TakeSpace() || Take(',')) {
    }
    if (!Take('<')) return false;
    link->target = TakeUntil(">");
    if (!Take('>')) return false;
    link->parameters.clear();
    TakeParameters(link);
    return true;
  }

 private:
  // A link with more parameters is not meant for a reader; this bound keeps its memory in proportion.
  static constexpr size_t kMaxParameters = 64;

  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool TakeSpace() {
    const size_t before = rest_.size();
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
    return rest_.size() != before;
  }
  std::string_view TakeUntil(std::string_view stops) {
    const std::string_view taken = rest_.substr(0, rest_.find_first_of(stops));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  // B.4. REQUIRES: the opening quote has been taken.
  std::string TakeQuoted() {
    std::string value;
    while (!rest_.empty() && !Take('"')) {
      if (Take('\\') && rest_.empty()) break;
      value.push_back(rest_.front());
      rest_.remove_prefix(1);
    }
    return value;
  }
  // B.3
  void TakeParameters(LinkValue* link) {
    while (true) {
      TakeSpace();
      if (!Take(';')) return;
      TakeSpace();
      std::string name = AsciiLower(TakeUntil(" \t=;,"));
      TakeSpace();
      std::string value;
      if (Take('=')) {
        TakeSpace();
        value = Take('"') ? TakeQuoted() : std::string(TrimSpaceAndTab(TakeUntil(";,")));
      }
      if (!name.empty() && link->parameters.size() < kMaxParameters) {
        link->parameters.emplace_back(std::move(name), std::move(value));
      }
    }
  }

  std::string_view rest_;
};

}  // namespace

const std::string* LinkValue::Parameter(std::string_view name) const {
  for (const auto& [known, value] : parameters) {
    if (known == name) return &value;
  }
  return nullptr;
}

bool LinkValue::HasRelation(std::string_view rel) const {
  const std::string* relations = Parameter("rel");
  if (relations == nullptr) return false;
  std::string_view rest = *relations;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    if (EqualsIgnoringAsciiCase(word, rel)) return true;
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return false;
}

std::vector<LinkValue> LinksOf(const HeaderList& headers) {
  std::vector<LinkValue> links;
  LinkValue link;
  for (const std::string_view field : headers.All("link")) {
    LinkParser parser(field);
    while (parser.Next(&link)) links.push_back(link);
  }
  return links;
}

std::optional<std::string> CanonicalLinkOf(const HeaderList& headers) {
  for (const LinkValue& link : LinksOf(headers)) {
    if (link.HasRelation("canonical") && link.Parameter("anchor") == nullptr) return std::string(link.target);
  }
  return std::nullopt;
}

}  // namespace trawl
