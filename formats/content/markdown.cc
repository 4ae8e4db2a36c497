#include "formats/content/markdown.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "formats/content/markdown_inline.h"
#include "formats/markup/markup.h"

namespace trawl {
namespace {

// Lists and quotations inside one another beyond this count as their text: each line begins with all of them.
constexpr size_t kMostContainers = 24;
// Columns of a table that is written as one.
constexpr size_t kMostColumns = 64;

bool IsBlock(const ContentEvent& event) {
  return event.display == HtmlDisplay::kBlock || event.display == HtmlDisplay::kCell;
}
bool IsCell(HtmlPart part) { return part == HtmlPart::kCell || part == HtmlPart::kHeaderCell; }

// Which tables can be written as such, by the number of the event that opens them.
class Tables {
 public:
  explicit Tables(const std::vector<ContentEvent>& events) : is_plain_(events.size()) {
    for (size_t i = 0; i < events.size(); ++i) Look(events[i], i);
  }
  bool IsPlain(size_t opened_by) const { return is_plain_[opened_by]; }

 private:
  struct Open {
    size_t at = 0;
    bool is_plain = true;
    bool has_head = false;
    size_t rows = 0;
    size_t columns = 0;
    size_t most_columns = 0;
  };

  void Look(const ContentEvent& event, size_t at) {
    if (event.kind == ContentEventKind::kOpen) {
      if (event.part == HtmlPart::kTable) {
        if (!open_.empty()) open_.back().is_plain = false;
        open_.push_back({.at = at});
        return;
      }
      if (!open_.empty()) LookInside(event, &open_.back());
    } else if (event.kind == ContentEventKind::kClose && event.part == HtmlPart::kTable && !open_.empty()) {
      const Open& table = open_.back();
      is_plain_[table.at] = table.is_plain && table.most_columns > 1 && table.most_columns <= kMostColumns &&
                            (table.rows > 1 || table.has_head);
      open_.pop_back();
    }
  }

  static void LookInside(const ContentEvent& event, Open* table) {
    switch (event.part) {
      case HtmlPart::kRow:
        ++table->rows;
        table->columns = 0;
        return;
      case HtmlPart::kHeaderCell:
      case HtmlPart::kCell:
        table->has_head = table->has_head || event.part == HtmlPart::kHeaderCell;
        table->is_plain = table->is_plain && !event.is_span;
        table->most_columns = std::max(table->most_columns, ++table->columns);
        return;
      case HtmlPart::kList:
      case HtmlPart::kOrderedList:
      case HtmlPart::kPre:
      case HtmlPart::kQuote:
        table->is_plain = false;
        return;
      default:
        if (event.part >= HtmlPart::kHeading1 && event.part <= HtmlPart::kHeading6) table->is_plain = false;
    }
  }

  std::vector<bool> is_plain_;
  std::vector<Open> open_;
};

// The language that the classes of a code element name: "language-cpp", "lang-cpp", "brush: cpp", "highlight-source-cpp".
std::string LanguageOf(std::string_view classes) {
  const std::vector<std::string_view> names = SplitWords(classes, " \t\n\f\r;");
  std::string_view found;
  for (size_t i = 0; i < names.size() && found.empty(); ++i) {
    for (const std::string_view front : {"language-", "lang-", "highlight-source-"}) {
      if (names[i].starts_with(front)) found = names[i].substr(front.size());
    }
    if (names[i] == "brush:" && i + 1 < names.size()) found = names[i + 1];
  }
  const bool is_sound = std::all_of(found.begin(), found.end(), [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '+' || c == '-' || c == '#' || c == '.' || c == '_';
  });
  constexpr size_t kMostBytes = 32;
  return is_sound && found.size() <= kMostBytes ? std::string(found) : "";
}

class Writer {
 public:
  Writer(const ContentLog& log, const std::vector<bool>& takes, const MarkdownOptions& options)
      : log_(log), takes_(takes), options_(options), tables_(log.events()) {}

  std::string Run() {
    const std::vector<ContentEvent>& events = log_.events();
    for (size_t i = 0; i < events.size() && !is_full_; ++i) {
      const ContentEvent& event = events[i];
      if (!takes_.empty() && (event.node >= takes_.size() || !takes_[event.node])) continue;
      if (event.kind == ContentEventKind::kText) {
        Text(log_.Bytes(event));
      } else if (event.kind == ContentEventKind::kOpen) {
        Open(event, i);
      } else {
        Close(event);
      }
    }
    if (in_pre_ > 0) EndPre();
    if (in_table_) EndTable();
    Flush();
    return std::move(out_);
  }

 private:
  // A list, an item of one, or a quotation.
  struct Container {
    HtmlPart part = HtmlPart::kList;
    std::string marker;     // of an item
    bool is_begun = false;  // whether an item's marker was written
    int64_t next = 1;       // the number of the next item of an ordered list
    int list = 0;           // of a list and its items: which one
  };

  // -- events --

  void Text(std::string_view utf8) {
    if (in_control_ > 0) return;
    if (in_pre_ > 0) {
      pre_ += utf8;
    } else {
      inline_.Text(utf8);
    }
  }

  void Open(const ContentEvent& event, size_t at) {
    if (event.part == HtmlPart::kControl) ++in_control_;
    if (in_control_ > 0) return;
    if (in_pre_ > 0) return OpenInPre(event);
    switch (event.part) {
      case HtmlPart::kLink:
        return inline_.OpenLink(options_.resolve(StripHtmlSpace(log_.Bytes(event))));
      case HtmlPart::kImage:
        return Image(event);
      case HtmlPart::kBreak:
        return Break();
      case HtmlPart::kCode:
        return inline_.OpenCode();
      default:
        break;
    }
    if (in_table_) return OpenInTable(event);
    if (!IsBlock(event) && event.part != HtmlPart::kRule) return;
    Flush();
    switch (event.part) {
      case HtmlPart::kRule:
        return Write("* * *");
      case HtmlPart::kPre:
        in_pre_ = 1;
        language_ = LanguageOf(log_.Bytes(event));
        return;
      case HtmlPart::kQuote:
      case HtmlPart::kList:
        return Push(event.part, 1);
      case HtmlPart::kOrderedList:
        return Push(event.part, NumberOf(log_.Bytes(event)));
      case HtmlPart::kItem:
        return PushItem();
      case HtmlPart::kTable:
        if (tables_.IsPlain(at)) BeginTable();
        return;
      default:
        heading_ = HeadingOf(event.part);
    }
  }

  void Close(const ContentEvent& event) {
    if (event.part == HtmlPart::kControl && in_control_ > 0) --in_control_;
    if (in_control_ > 0 || event.part == HtmlPart::kControl) return;
    if (in_pre_ > 0) {
      if (event.part == HtmlPart::kPre && --in_pre_ == 0) EndPre();
      return;
    }
    if (event.part == HtmlPart::kLink) return inline_.CloseLink();
    if (event.part == HtmlPart::kCode) return inline_.CloseCode();
    if (in_table_) return CloseInTable(event);
    if (!IsBlock(event)) return;
    Flush();
    switch (event.part) {
      case HtmlPart::kQuote:
      case HtmlPart::kList:
      case HtmlPart::kOrderedList:
      case HtmlPart::kItem:
        return Pop(event.part);
      default:
        heading_ = 0;
    }
  }

  static int HeadingOf(HtmlPart part) {
    const bool is_heading = part >= HtmlPart::kHeading1 && part <= HtmlPart::kHeading6;
    return is_heading ? 1 + static_cast<int>(part) - static_cast<int>(HtmlPart::kHeading1) : 0;
  }

  static int64_t NumberOf(std::string_view text) {
    int64_t number = 0;
    constexpr size_t kMostDigits = 8;
    if (text.empty() || text.size() > kMostDigits) return 1;
    for (const char c : text) {
      if (!IsAsciiDigit(c)) return 1;
      number = number * 10 + (c - '0');
    }
    return number;
  }

  void Image(const ContentEvent& event) {
    const std::string url = options_.resolve(StripHtmlSpace(log_.Bytes(event)));
    if (event.size == 0 || !(url.starts_with("http://") || url.starts_with("https://"))) return;
    inline_.Image(url, log_.MoreBytes(event));
  }

  void Break() {
    if (in_table_ || heading_ > 0) return inline_.Space();
    inline_.Break();
    if (inline_.ends_paragraph()) Flush();
  }

  // -- code --

  void OpenInPre(const ContentEvent& event) {
    if (event.part == HtmlPart::kPre) ++in_pre_;
    if (event.part == HtmlPart::kBreak) pre_ += '\n';
    if (event.part == HtmlPart::kCode && language_.empty()) language_ = LanguageOf(log_.Bytes(event));
  }

  void EndPre() {
    in_pre_ = 0;
    std::string code = std::exchange(pre_, std::string());
    while (!code.empty() && code.back() == '\n') code.pop_back();
    if (code.find_first_not_of(" \t\n") == std::string::npos) return;
    size_t run = 0;
    size_t longest = 2;
    for (const char c : code) {
      run = c == '`' ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    Write(fence + language_ + "\n" + code + "\n" + fence);
    language_.clear();
  }

  // -- tables --

  void BeginTable() {
    in_table_ = true;
    inline_.set_in_table(true);
    rows_.clear();
    has_head_ = false;
  }

  void OpenInTable(const ContentEvent& event) {
    if (event.part == HtmlPart::kRow) {
      EndCell();
      rows_.emplace_back();
    } else if (IsCell(event.part)) {
      EndCell();
      if (rows_.empty()) rows_.emplace_back();
      if (rows_.size() == 1 && event.part == HtmlPart::kHeaderCell) has_head_ = true;
      in_cell_ = true;
    } else if (event.part == HtmlPart::kCaption) {
      EndCell();
    } else if (IsBlock(event)) {
      inline_.Space();
    }
  }

  void CloseInTable(const ContentEvent& event) {
    if (event.part == HtmlPart::kTable) {
      EndTable();
    } else if (IsCell(event.part)) {
      EndCell();
    } else if (event.part == HtmlPart::kCaption) {
      const std::string caption = inline_.Take();
      if (!caption.empty()) Write(caption);
    } else if (IsBlock(event)) {
      inline_.Space();
    }
  }

  void EndCell() {
    const std::string text = inline_.Take();
    if (in_cell_) rows_.back().push_back(text);
    in_cell_ = false;
  }

  void EndTable() {
    EndCell();
    in_table_ = false;
    inline_.set_in_table(false);
    std::erase_if(rows_, [](const std::vector<std::string>& row) { return row.empty(); });
    size_t columns = 0;
    for (const auto& row : rows_) columns = std::max(columns, row.size());
    if (columns == 0) return;
    if (!has_head_) rows_.insert(rows_.begin(), std::vector<std::string>(columns));
    std::string table;
    for (size_t i = 0; i < rows_.size(); ++i) {
      table += i == 0 ? "|" : "\n|";
      for (size_t column = 0; column < columns; ++column) {
        table += " " + (column < rows_[i].size() ? rows_[i][column] : "") + " |";
      }
      if (i > 0) continue;
      table += "\n|";
      for (size_t column = 0; column < columns; ++column) table += " --- |";
    }
    Write(table);
    rows_.clear();
  }

  // -- blocks --

  void Flush() {
    const std::string text = inline_.Take();
    if (text.empty()) return;
    Write(heading_ > 0 ? std::string(static_cast<size_t>(heading_), '#') + " " + text : text);
  }

  void Push(HtmlPart part, int64_t first) {
    const bool is_counted = containers_.size() < kMostContainers;
    if (is_counted) {
      containers_.push_back({.part = part, .marker = "", .next = first, .list = ++lists_});
    } else {
      ++too_deep_;
    }
  }

  void PushItem() {
    if (containers_.size() >= kMostContainers) {
      ++too_deep_;
      return;
    }
    Container item = {.part = HtmlPart::kItem, .marker = "- "};
    if (!containers_.empty()) {
      Container& list = containers_.back();
      if (list.part == HtmlPart::kOrderedList) item.marker = std::to_string(list.next++) + ". ";
      item.list = list.list;
    }
    containers_.push_back(std::move(item));
  }

  void Pop(HtmlPart part) {
    if (too_deep_ > 0) {
      --too_deep_;
      return;
    }
    if (!containers_.empty() && containers_.back().part == part) containers_.pop_back();
  }

  // What stands before a line: of items that begin here their markers.
  std::string Front(bool begins) {
    std::string front;
    for (Container& container : containers_) {
      if (container.part == HtmlPart::kQuote) {
        front += "> ";
      } else if (container.part == HtmlPart::kItem) {
        const bool shows = begins && !container.is_begun;
        front += shows ? container.marker : std::string(container.marker.size(), ' ');
        container.is_begun = container.is_begun || begins;
      }
    }
    return front;
  }

  // Whether what is written next begins an item right after another one of its list, or the first one of a list inside an
  // item, so that no empty line comes between. A list that begins with another number than 1 needs one.
  bool FollowsItem() const {
    int around = 0;
    for (const Container& container : containers_) {
      if (container.part != HtmlPart::kItem) continue;
      if (!container.is_begun) {
        const bool is_next = last_list_ >= container.list;  // a list that is newer lies inside this one
        const bool is_first = around == last_list_ && (container.marker == "- " || container.marker == "1. ");
        return last_list_ > 0 && (is_next || is_first);
      }
      around = container.list;
    }
    return false;
  }

  // A block, after an empty line, unless it begins an item after another item.
  void Write(const std::string& block) {
    std::string text;
    if (!out_.empty() && !FollowsItem()) {
      // The empty line belongs to what holds both; a quotation that begins has none.
      std::string empty;
      for (const Container& container : containers_) {
        if (container.part == HtmlPart::kItem && !container.is_begun) break;
        empty += container.part == HtmlPart::kQuote && last_quotes_ > 0 ? "> " : "";
      }
      text += empty.substr(0, empty.empty() ? 0 : empty.size() - 1) + "\n";
    }
    for (size_t at = 0; at <= block.size();) {
      const size_t end = std::min(block.find('\n', at), block.size());
      text += Front(at == 0) + block.substr(at, end - at) + "\n";
      at = end + 1;
    }
    if (out_.size() + text.size() > options_.max_bytes) {
      is_full_ = true;
      return;
    }
    out_ += text;
    last_list_ = 0;
    for (const Container& container : containers_) {
      if (container.part == HtmlPart::kItem) last_list_ = container.list;
    }
    last_quotes_ =
        static_cast<size_t>(std::count_if(containers_.begin(), containers_.end(), [](const Container& container) {
          return container.part == HtmlPart::kQuote;
        }));
  }

  const ContentLog& log_;
  const std::vector<bool>& takes_;
  const MarkdownOptions& options_;
  const Tables tables_;
  std::string out_;
  bool is_full_ = false;
  MarkdownInline inline_;
  std::vector<Container> containers_;
  size_t too_deep_ = 0;
  int lists_ = 0;
  int last_list_ = 0;  // that has what was written last; 0: none has
  size_t last_quotes_ = 0;
  int heading_ = 0;
  int in_control_ = 0;
  int in_pre_ = 0;
  std::string pre_;
  std::string language_;
  bool in_table_ = false;
  bool in_cell_ = false;
  bool has_head_ = false;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace

std::string MarkdownOf(const ContentLog& log, const std::vector<bool>& takes, const MarkdownOptions& options) {
  std::string markdown = Writer(log, takes, options).Run();
  while (!markdown.empty() && markdown.back() == '\n') markdown.pop_back();
  return markdown;
}

}  // namespace trawl
