// The scan of one page: for the sources of formats/scan. Start at Run.
//
//   reader.cc      bytes to tokens                  raw_text.cc   ends of scripts, titles and the like
//   elements.cc    events; the stack                formatting.cc formatting elements, the adoption agency
//   modes.cc       before and after the body        in_body.cc    the body: start tags; body_ends.cc: its end tags
//   in_table.cc    tables                           in_select.cc  select, template
//   foreign.cc     SVG and MathML                   guards.cc     upper bounds of gumbo's cost
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/scan/element.h"
#include "formats/scan/guards.h"
#include "formats/scan/open_elements.h"
#include "formats/scan/wild.h"

namespace trawl {

enum class HtmlMode : uint8_t {
  kNone,
  kInitial,
  kBeforeHtml,
  kBeforeHead,
  kInHead,
  kInHeadNoscript,
  kAfterHead,
  kInBody,
  kInTable,
  kInCaption,
  kInColumnGroup,
  kInTableBody,
  kInRow,
  kInCell,
  kInSelect,
  kInSelectInTable,
  kInTemplate,
  kAfterBody,
  kAfterAfterBody,
};

class HtmlReader {
 public:
  // `bytes` come from PreparedHtml. They and `events` must outlive the reader.
  HtmlReader(std::string_view bytes, bool is_mended, HtmlEvents* events)
      : html_(bytes), is_mended_(is_mended), events_(events) {
    element_.references = &references_;
    again_.references = &again_references_;
  }

  HtmlWild Run();

 private:
  static constexpr uint64_t kFreeSteps = 1 << 20;
  static constexpr uint64_t kStepsPerByte = 16;
  // A page for people never reaches these numbers.
  static constexpr size_t kMostAttributes = 512;
  static constexpr size_t kMostFormatting = 128;

  enum class Kind : uint8_t { kStart, kEnd, kEof };
  struct Token {
    Kind kind = Kind::kEof;
    uint8_t tag = 0;
    bool closes_itself = false;
    uint32_t at = 0;
  };
  enum class Quirks : uint8_t { kYes, kNo, kDoubtful };

  void Wild(HtmlWild why) {
    if (wild_ == HtmlWild::kNot) wild_ = why;
  }
  // Makes the page wild when it has cost more steps than its length allows.
  void Spend(uint64_t steps) {
    spent_ += steps;
    if (spent_ > kFreeSteps + kStepsPerByte * html_.size()) Wild(HtmlWild::kWork);
  }
  bool is_wild() const { return wild_ != HtmlWild::kNot; }
  bool IsStart(int tag) const { return token_.kind == Kind::kStart && token_.tag == tag; }
  bool IsEnd(int tag) const { return token_.kind == Kind::kEnd && token_.tag == tag; }

  // reader.cc
  void Markup();
  void Declaration();
  void Comment(size_t end);
  void Doctype(size_t end);
  void CdataSection();
  void Tag(size_t name_at, Kind kind);
  bool ReadAttributes(size_t* at, HtmlElement* into, bool* closes_itself);
  bool KeepAttribute(std::string_view name, std::string_view value, HtmlElement* into);
  void Handle();
  void WrittenText(size_t from, size_t to);
  void Text(std::string_view text, bool lives_on);
  std::string_view TextBefore(std::string_view text, bool lives_on);
  void TableText(std::string_view text, bool lives_on);
  void LeaveTableText();

  // raw_text.cc
  size_t EndOfScript() const;
  void RawText(uint8_t tag, bool has_references);

  // elements.cc
  void AddText(std::string_view text, bool lives_on);
  void Flush();
  OpenElement ElementOf(uint8_t tag, HtmlSpace space, uint32_t tag_at) const;
  void Send(OpenElement* element, HtmlElement& attributes);
  void End(const OpenElement& element);
  void Place(OpenElement* element, HtmlElement& attributes, bool flush_first);
  void InsertToken(HtmlSpace space = kHtmlSpace);
  void InsertVoid();
  void InsertImplied(int tag);
  void Pop();
  void PopTo(int tag);
  void PopToSets(uint32_t sets);
  void EndGone();
  void TakeOut(size_t index);
  void ImpliedEnds(int except);
  void CloseTo(int tag);
  void CloseP();
  static bool HasMarks(const HtmlElement& element);
  void MergeInto(bool is_html);
  uint8_t RootNames() const;
  void ResetMode();
  HtmlMode ModeOf(size_t index) const;
  std::string_view NameAt(uint32_t tag_at) const;
  bool InTemplate() const;

  // formatting.cc
  void AddMarker() { formatting_.push_back({}); }
  void AddFormatting();
  bool HaveSameAttributes(uint32_t tag_at, uint32_t other_at);
  void ForgetOpen(uint32_t number);
  void ClearToMarker();
  void Reconstruct();
  void Adopt(int tag);
  void AdoptAbove(size_t entry, size_t element, size_t block);
  size_t FindEntry(uint32_t number) const;
  size_t LastAnchor() const;
  bool IsMarked(const OpenElement& element);
  void SayGone(size_t index);
  OpenElement CloneOf(const OpenElement& element);

  // modes.cc
  void HtmlRules();
  void BeforeHtml();
  void BeforeHead();
  void InHead();
  void InHeadNoscript();
  void AfterHead();
  void EndTemplate();

  // in_body.cc, body_ends.cc
  void InBody();
  void InBodyStart();
  void InBodyEnd();
  void StartTable();
  void StartListItem(uint32_t sets, int tag);
  void StartForm();
  void StartAnchor();
  void StartNobr();
  void StartRuby();
  void StartForeign(HtmlSpace space);
  void EndForm();
  void EndHeading();
  void EndOther();

  // in_table.cc
  void InTable();
  void InTableBody();
  void InRow();
  void InCell();
  void InCaption();
  void InColumnGroup();
  bool CloseTable();
  void CloseCell(int tag);
  void CloseCurrentCell();
  void FosterInBody();

  // in_select.cc
  void InSelect();
  void InSelectInTable();
  void CloseSelect();
  void InTemplateMode();
  void SetTemplateMode(HtmlMode mode);

  // foreign.cc
  bool TakesHtmlRules() const;
  void Foreign();
  void ForeignStart();
  void ForeignEnd();
  bool LeavesForeign() const;
  void AdjustAttributes();

  std::string_view html_;
  const bool is_mended_;
  HtmlEvents* events_;
  HtmlWild wild_ = HtmlWild::kNot;
  size_t at_ = 0;
  // The position after the last "</>". gumbo takes "</>" for the front of a tag that follows, and misreads its name.
  size_t nothing_ends_at_ = static_cast<size_t>(-1);
  HtmlMode mode_ = HtmlMode::kInitial;
  Quirks quirks_ = Quirks::kYes;
  bool reprocess_ = false;
  bool ignore_linefeed_ = false;
  bool in_table_text_ = false;
  // Whether content for a table goes in front of the table.
  bool fosters_ = false;

  Token token_;
  HtmlElement element_;
  HtmlReferences references_;
  // The tag of an element that is opened once more.
  HtmlElement again_;
  HtmlReferences again_references_;

  OpenElements open_;
  std::vector<FormattingElement> formatting_;
  std::vector<HtmlMode> template_modes_;
  uint32_t last_number_ = 0;
  uint32_t form_ = 0;
  bool has_head_ = false;
  static constexpr uint8_t kIdName = 1;
  static constexpr uint8_t kLangName = 2;
  static constexpr uint8_t kXmlLangName = 4;
  uint8_t html_names_ = 0;
  uint8_t body_names_ = 0;
  // The number of open templates whose content nobody takes.
  uint32_t inert_ = 0;
  // Whether the adoption agency moved content of an element that an itemref might name.
  bool moves_id_ = false;

  // Text that is not in a node yet: a view of the page, or of text_.
  std::string_view pending_;
  std::string text_;
  std::string run_;

  HtmlWork work_;
  // Steps beyond the usual cost of every byte.
  uint64_t spent_ = 0;
};

}  // namespace trawl
