// The text of one block of Markdown as it grows: escapes, links, code and line breaks. For markdown.cc. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trawl {

// Text with everything escaped that Markdown would take as markup. `is_start`: it begins a line.
std::string EscapedMarkdown(std::string_view text, bool is_start, bool in_table);

// Where a link or an image leads, as it stands between the parentheses.
std::string MarkdownTarget(std::string_view url);

class MarkdownInline {
 public:
  bool empty() const { return text_.empty(); }

  // White space collapses to one space.
  void Text(std::string_view utf8);
  void Space() { has_gap_ = has_gap_ || !text_.empty(); }
  // A line break; two of them end the paragraph, which the caller learns by ends_paragraph().
  void Break();
  bool ends_paragraph() const { return breaks_ > 1; }
  void Image(std::string_view url, std::string_view alternative);
  // Only text inside makes a link. An open one goes on in the next block.
  void OpenLink(std::string url);
  void CloseLink();
  void OpenCode() { ++in_code_; }
  void CloseCode();

  void set_in_table(bool in_table) { in_table_ = in_table; }
  // The text so far; the object then starts anew, inside the same link.
  std::string Take();

 private:
  // Puts the white space before what follows.
  void Gap();
  void EndLink();

  std::string text_;
  std::string code_;
  std::string link_;
  size_t link_at_ = 0;
  bool has_gap_ = false;
  int breaks_ = 0;
  int in_code_ = 0;
  bool in_table_ = false;
};

}  // namespace trawl
