#include "jobs/program/man_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "runtime/terminal/text.h"

namespace trawl {

namespace {

// What is not itself: troff reads ', ` and " as quotes of print, ^ and ~ as accents, and \ as the beginning of an
// escape.
const char* EscapeOf(char c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '"':
      return "\\(dq";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    default:
      return nullptr;
  }
}

// The code point at `at`, and the bytes that it takes. REQUIRES: the text is UTF-8.
uint32_t CodePoint(std::string_view text, size_t at, size_t* bytes) {
  const auto lead = static_cast<unsigned char>(text[at]);
  *bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  uint32_t point = lead & (0xFFU >> (*bytes + 1));
  for (size_t i = 1; i < *bytes && at + i < text.size(); ++i)
    point = point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  return point;
}

// An empty character keeps a dot at the beginning of a line from being a request.
std::string AtLineStart(std::string_view escaped) {
  return (escaped.starts_with('.') ? "\\&" : "") + std::string(escaped);
}

std::string Escaped(std::string_view given) {
  constexpr unsigned char kFirstBeyondAscii = 0x80;
  const std::string text = Printable(given);
  std::string out;
  for (size_t at = 0, bytes = 1; at < text.size(); at += bytes) {
    bytes = 1;
    if (static_cast<unsigned char>(text[at]) >= kFirstBeyondAscii) {
      char escape[16];
      std::snprintf(escape, sizeof escape, "\\[u%04X]", static_cast<unsigned>(CodePoint(text, at, &bytes)));
      out += escape;
    } else if (const char* const escape = EscapeOf(text[at])) {
      out += escape;
    } else {
      out += text[at];
    }
  }
  return out;
}

}  // namespace

std::string ManText(std::string_view text) { return AtLineStart(Escaped(text)); }

std::string ManBold(std::string_view text) { return "\\fB" + ManText(text) + "\\fR"; }

std::string ManItalic(std::string_view text) { return "\\fI" + ManText(text) + "\\fR"; }

std::string ManLines(std::string_view text) {
  constexpr size_t kColumns = 78;  // with an empty character in front, a line has 80 bytes
  const std::string filled = WrapText(Escaped(text), kColumns, 0);
  std::string out;
  for (size_t begin = 0; begin < filled.size();) {
    const size_t end = std::min(filled.find('\n', begin), filled.size());
    out += AtLineStart(std::string_view(filled).substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return out;
}

ManPage::ManPage(std::string_view name, std::string_view date, std::string_view source) {
  std::string title;
  for (const char c : name) title += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  text_ = ".TH " + ManText(title) + " 1 " + std::string(date) + " \"" + ManText(source) + "\" \"Trawl\"\n";
}

void ManPage::Section(std::string_view title) {
  text_ += ".SH " + ManText(title) + "\n";
  begins_section_ = true;
}

void ManPage::Subsection(std::string_view title) {
  text_ += ".SS " + ManText(title) + "\n";
  begins_section_ = true;
}

void ManPage::Paragraph(std::string_view text) {
  if (text.empty()) return;
  if (!begins_section_) text_ += ".PP\n";
  text_ += ManLines(text);
  begins_section_ = false;
}

void ManPage::RawLine(std::string_view line) {
  text_ += std::string(line) + "\n";
  begins_section_ = false;
}

void ManPage::Item(std::string_view term, std::string_view text) {
  text_ += ".TP\n" + std::string(term) + "\n" + ManLines(text);
  begins_section_ = false;
}

void ManPage::Example(std::string_view what, std::string_view command) {
  Paragraph(std::string(what) + ":");
  text_ += ".RS 4\n.nf\n" + ManText(command) + "\n.fi\n.RE\n";
}

}  // namespace trawl
