// Sitemaps in XML: urlset, index, RSS and Atom. Defines MakeSitemapXml, which body.h declares. The root decides which
// words count. The fields of an entry are its direct children, so that the <loc> of an image or the <link> of an author
// is not taken for the page's. The extensions of a urlset's entry (news, image, video) are kept as JSON.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/documents/json.h"
#include "formats/http/date.h"
#include "formats/sitemap/body.h"
#include "formats/text/ascii.h"
#include "formats/xml/mender.h"
#include "formats/xml/stream.h"

namespace trawl {

namespace {

constexpr size_t kMaxAlternates = 512;
// What is kept of an entry's extensions: more than any page needs, for a row of the links dataset holds it.
constexpr size_t kMaxDetailsBytes = 16 << 10;
constexpr size_t kMaxDetailBytes = 2 << 10;

enum class Field { kNone, kLoc, kPermanentLoc, kLastmod, kFrequency, kPriority, kLinkElement, kAlternate };

struct Name {
  std::string_view prefix;  // before the colon
  std::string_view local;
};

Name SplitName(std::string_view name) {
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {{}, name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

SitemapType TypeOfRoot(std::string_view local) {
  static constexpr struct {
    std::string_view local;
    SitemapType type;
  } kRoots[] = {{"urlset", SitemapType::kUrlset},
                {"sitemapindex", SitemapType::kIndex},
                {"rss", SitemapType::kRss},
                {"rdf", SitemapType::kRss},
                {"feed", SitemapType::kAtom}};
  for (const auto& root : kRoots) {
    if (EqualsIgnoringAsciiCase(local, root.local)) return root.type;
  }
  return SitemapType::kInvalid;
}

bool IsSitemapProper(SitemapType type) { return type == SitemapType::kUrlset || type == SitemapType::kIndex; }

// Whether an element with that name holds an entry.
bool IsEntry(SitemapType type, std::string_view local) {
  if (type == SitemapType::kRss) return EqualsIgnoringAsciiCase(local, "item");
  if (type == SitemapType::kAtom) return EqualsIgnoringAsciiCase(local, "entry");
  return EqualsIgnoringAsciiCase(local, "url") || EqualsIgnoringAsciiCase(local, "sitemap");
}

// The meaning of a child of an entry. `is_own` is false where its prefix differs from the entry's.
Field FieldNamed(SitemapType type, std::string_view local, bool is_own) {
  static constexpr struct {
    std::string_view local;
    bool in_sitemap, in_rss, in_atom;
    bool must_be_own;
    Field field;
  } kFields[] = {
      {"loc", true, false, false, true, Field::kLoc},
      {"lastmod", true, false, false, true, Field::kLastmod},
      {"changefreq", true, false, false, true, Field::kFrequency},
      {"priority", true, false, false, true, Field::kPriority},
      {"link", true, false, false, false, Field::kAlternate},
      {"link", false, true, false, true, Field::kLoc},
      {"guid", false, true, false, true, Field::kPermanentLoc},
      {"pubDate", false, true, false, true, Field::kLastmod},
      {"date", false, true, false, false, Field::kLastmod},  // dc:date
      {"link", false, false, true, true, Field::kLinkElement},
      {"updated", false, false, true, true, Field::kLastmod},
      {"modified", false, false, true, true, Field::kLastmod},  // Atom 0.3
      {"published", false, false, true, true, Field::kLastmod},
  };
  for (const auto& known : kFields) {
    const bool in_type = IsSitemapProper(type)       ? known.in_sitemap
                         : type == SitemapType::kRss ? known.in_rss
                                                     : known.in_atom;
    if (in_type && (is_own || !known.must_be_own) && EqualsIgnoringAsciiCase(local, known.local)) return known.field;
  }
  return Field::kNone;
}

// The member of the details that holds an extension's element; null where it is none. There may be many images and videos,
// and one news.
const char* ExtensionNamed(std::string_view local) {
  if (EqualsIgnoringAsciiCase(local, "news")) return "news";
  if (EqualsIgnoringAsciiCase(local, "image")) return "images";
  return EqualsIgnoringAsciiCase(local, "video") ? "videos" : nullptr;
}

ChangeFrequency FrequencyNamed(std::string_view text) {
  for (int value = static_cast<int>(ChangeFrequency::kAlways); value <= static_cast<int>(ChangeFrequency::kNoMore);
       ++value) {
    const auto frequency = static_cast<ChangeFrequency>(value);
    if (EqualsIgnoringAsciiCase(text, NameOf(frequency))) return frequency;
  }
  return ChangeFrequency::kUnknown;
}

// "0.8", "1", ".5": between 0 and 1, in millionths.
std::optional<int32_t> ParsePriority(std::string_view text) {
  int32_t value = 0;
  int32_t unit = 1'000'000;
  bool has_digit = false;
  bool behind_point = false;
  for (const char c : text) {
    if (c == '.' && !behind_point) {
      behind_point = true;
      continue;
    }
    if (!IsAsciiDigit(c)) return std::nullopt;
    has_digit = true;
    if (behind_point) {
      unit /= 10;
      value += (c - '0') * unit;
    } else {
      value = value * 10 + (c - '0') * unit;
      if (value > 1'000'000) return std::nullopt;
    }
  }
  return has_digit && value <= 1'000'000 ? std::optional(value) : std::nullopt;
}

class SitemapXml : public SitemapBody, private XmlHandler {
 public:
  SitemapXml(SitemapOutput* output, std::string_view encoding, int64_t now_ms)
      : output_(output), now_ms_(now_ms), stream_(this, encoding) {
    if (!encoding.starts_with("UTF-16")) mender_.emplace(encoding.empty() || encoding == "UTF-8");
  }

  bool Feed(std::string_view piece) override {
    // Mended text may be five times as long; this bounds its size.
    constexpr size_t kPieceBytes = 128 << 10;
    for (; !piece.empty() && !is_over_; piece.remove_prefix(std::min(piece.size(), kPieceBytes))) {
      const std::string_view part = piece.substr(0, kPieceBytes);
      Note(stream_.Feed(mender_ ? mender_->Mend(part) : part));
    }
    return !is_over_;
  }

  void Finish() override {
    if (mender_) Note(stream_.Feed(mender_->Finish()));
    Note(stream_.Finish());
  }

 private:
  void Note(const arrow::Status& status) {
    if (status.ok() || is_over_) return;
    is_over_ = true;
    output_->summary.problem = status.message();
    // An entry whose URL is complete is worth keeping even where the rest of it was lost.
    if (in_entry_ && has_loc_) EndEntry();
  }

  void End() {
    is_over_ = true;
    stream_.Stop();
  }

  void OnStart(std::string_view full_name, const XmlAttributes& attributes) override {
    const Name name = SplitName(full_name);
    ++depth_;
    if (depth_ == 1) {
      StartRoot(name);
      root_bases_ = BasesWithin({}, attributes);
    } else if (!in_entry_) {
      if (IsEntry(output_->summary.type, name.local)) StartEntry(name, attributes);
    } else if (depth_ == entry_depth_ + 1) {
      if (IsEntry(output_->summary.type, name.local)) return StartEntryInEntry(name, attributes);
      if (output_->summary.type == SitemapType::kUrlset && name.prefix != prefix_) {
        extension_ = ExtensionNamed(name.local);
        if (extension_ != nullptr) return StartExtension();
      }
      StartField(FieldNamed(output_->summary.type, name.local, name.prefix == prefix_), attributes);
    } else if (extension_ != nullptr) {
      StartDetail(name.local);
    }
  }

  void OnEnd() override {
    if (field_ != Field::kNone && depth_ == entry_depth_ + 1) EndField();
    if (extension_ != nullptr) depth_ == entry_depth_ + 1 ? EndExtension() : EndDetail();
    if (in_entry_ && depth_ == entry_depth_) EndEntry();
    --depth_;
  }

  void OnText(std::string_view text) override {
    if (field_ == Field::kNone && detail_.empty()) return;
    if (text_.size() + text.size() > kMaxSitemapFieldBytes) is_text_broken_ = true;
    if (!is_text_broken_) text_ += text;
  }

  // The entity's text is unknown, so the field's text is, too.
  void OnSkippedEntity() override { is_text_broken_ = true; }

  void StartRoot(const Name& name) {
    output_->summary.type = TypeOfRoot(name.local);
    if (output_->summary.type != SitemapType::kInvalid) return;
    output_->summary.problem = "<" + std::string(name.local) + "> is not a sitemap's root";
    End();
  }

  // The bases of what is within an element (XML Base), where Atom has them.
  std::vector<std::string> BasesWithin(std::vector<std::string> outer, const XmlAttributes& attributes) const {
    const std::string_view own = TrimBytes(attributes.Value("xml:base"), " \t\r\n");
    const bool counts = output_->summary.type == SitemapType::kAtom && own.size() <= kMaxSitemapFieldBytes;
    if (counts && !own.empty()) outer.emplace_back(own);
    return outer;
  }

  void StartEntry(const Name& name, const XmlAttributes& attributes) {
    entry_bases_ = BasesWithin(root_bases_, attributes);
    in_entry_ = true;
    has_loc_ = false;
    entry_depth_ = depth_;
    prefix_ = name.prefix;
    entry_ = SitemapEntry();
    extension_ = nullptr;
    details_ = Json::object();
    details_bytes_ = 0;
    entry_.is_sitemap = EqualsIgnoringAsciiCase(name.local, "sitemap");
  }

  // The entry before was not closed. That soon ends the document, but its URL and this one's are known.
  void StartEntryInEntry(const Name& name, const XmlAttributes& attributes) {
    EndEntry();
    if (!is_over_) StartEntry(name, attributes);
  }

  void StartField(Field field, const XmlAttributes& attributes) {
    if (field == Field::kAlternate) return AddAlternate(attributes);
    if (field == Field::kLinkElement) return TakeLink(attributes);
    if (field == Field::kPermanentLoc && (has_loc_ || attributes.Value("isPermaLink") == "false")) return;
    field_ = field;
    text_.clear();
    is_text_broken_ = false;
  }

  void StartExtension() {
    element_ = Json::object();
    detail_.clear();
  }

  // An element within the extension's, at any depth: the innermost ones have the texts.
  void StartDetail(std::string_view local) {
    detail_ = local.substr(0, kMaxDetailBytes);
    text_.clear();
    is_text_broken_ = false;
  }

  void EndDetail() {
    const std::string name = std::exchange(detail_, std::string());
    const std::string_view text = TrimBytes(text_, " \t\r\n");
    if (name.empty() || is_text_broken_ || text.empty() || text.size() > kMaxDetailBytes) return;
    details_bytes_ += name.size() + text.size();
    if (details_bytes_ > kMaxDetailsBytes || element_.contains(name)) return;
    element_[name] = text;
  }

  void EndExtension() {
    const char* const member = std::exchange(extension_, nullptr);
    detail_.clear();
    // Empty elements cost bytes, too.
    details_bytes_ += 16;
    if (element_.empty() || details_bytes_ > kMaxDetailsBytes) return;
    if (member == std::string_view("news")) {
      if (!details_.contains(member)) details_[member] = std::move(element_);
    } else {
      details_[member].push_back(std::move(element_));
    }
  }

  void AddAlternate(const XmlAttributes& attributes) {
    const std::string_view loc = TrimBytes(attributes.Value("href"), " \t\r\n");
    if (!EqualsIgnoringAsciiCase(attributes.Value("rel"), "alternate") || loc.empty()) return;
    if (loc.size() > kMaxSitemapFieldBytes || entry_.alternates.size() == kMaxAlternates) return;
    const std::string_view language = attributes.Value("hreflang");
    entry_.alternates.push_back({std::string(language.substr(0, 64)), std::string(loc)});
  }

  // Atom: a link with rel "alternate", or without rel, is the entry's page.
  void TakeLink(const XmlAttributes& attributes) {
    const std::string_view relation = attributes.Value("rel");
    if (has_loc_ || (!relation.empty() && !EqualsIgnoringAsciiCase(relation, "alternate"))) return;
    SetLoc(attributes.Value("href"));
    if (has_loc_) entry_.bases = BasesWithin(entry_bases_, attributes);
  }

  void SetLoc(std::string_view text) {
    text = TrimBytes(text, " \t\r\n");
    if (text.empty() || text.size() > kMaxSitemapFieldBytes) return;
    entry_.loc = text;
    has_loc_ = true;
  }

  void EndField() {
    const Field field = std::exchange(field_, Field::kNone);
    if (is_text_broken_) return;
    const std::string_view text = TrimBytes(text_, " \t\r\n");
    switch (field) {
      case Field::kLoc:
        if (!has_loc_ || output_->summary.type == SitemapType::kRss) SetLoc(text);
        break;
      case Field::kPermanentLoc:
        // Without the attribute, a guid is a URL only if it looks like one.
        if (text.find("://") != std::string_view::npos) SetLoc(text);
        break;
      case Field::kLastmod:
        // The latest of several dates (published, updated) counts.
        entry_.lastmod_ms = std::max(entry_.lastmod_ms, ParseAnyDateMs(text, now_ms_));
        break;
      case Field::kFrequency:
        entry_.frequency = FrequencyNamed(text);
        break;
      case Field::kPriority:
        entry_.priority_millionths = ParsePriority(text);
        break;
      default:
        break;
    }
  }

  void EndEntry() {
    in_entry_ = false;
    field_ = Field::kNone;
    extension_ = nullptr;
    detail_.clear();
    if (!details_.empty()) entry_.details = DumpJson(details_);
    if (!has_loc_) return output_->Refuse();
    output_->Emit(std::move(entry_));
    if (output_->summary.too_many_entries) End();
  }

  SitemapOutput* output_;
  const int64_t now_ms_;
  XmlStream stream_;
  std::optional<XmlMender> mender_;
  bool is_over_ = false;

  int depth_ = 0;
  int entry_depth_ = 0;
  std::vector<std::string> root_bases_, entry_bases_;
  bool in_entry_ = false;
  bool has_loc_ = false;
  std::string prefix_;  // the entry's prefix
  SitemapEntry entry_;

  // The extension's element that is open, and the element in it.
  const char* extension_ = nullptr;
  std::string detail_;
  Json element_ = Json::object();
  Json details_ = Json::object();
  size_t details_bytes_ = 0;

  Field field_ = Field::kNone;
  std::string text_;
  bool is_text_broken_ = false;
};

}  // namespace

std::unique_ptr<SitemapBody> MakeSitemapXml(SitemapOutput* output, std::string_view encoding, int64_t now_ms) {
  return std::make_unique<SitemapXml>(output, encoding, now_ms);
}

}  // namespace trawl
