// Text in the man macros of troff, as groff and mandoc read them alike. Pure; any thread.
//
// Nothing in a text is a request or an escape: a dot or an apostrophe at the beginning of a line, a backslash and a
// quote are themselves. A hyphen is the one of the keyboard, so that an option can be copied from the page.
// Characters outside of ASCII become \[uXXXX], which every troff knows.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// One line, or a part of it.
std::string ManText(std::string_view text);
// The same in bold or italics.
std::string ManBold(std::string_view text);
std::string ManItalic(std::string_view text);
// Lines filled up to 80 columns, the last with its line feed. Empty for an empty text.
std::string ManLines(std::string_view text);

// A whole page grows section by section.
class ManPage {
 public:
  // `name` is "trawl-fetch"; `source` is "Trawl 0.1.0".
  ManPage(std::string_view name, std::string_view date, std::string_view source);

  void Section(std::string_view title);
  void Subsection(std::string_view title);
  void Paragraph(std::string_view text);
  // A line that is escaped already.
  void RawLine(std::string_view line);
  // A term with its explanation below it; `term` is escaped already.
  void Item(std::string_view term, std::string_view text);
  // A command as it is typed, below what it does.
  void Example(std::string_view what, std::string_view command);

  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
  bool begins_section_ = true;
};

}  // namespace trawl
