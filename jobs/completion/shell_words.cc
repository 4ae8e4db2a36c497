#include "jobs/completion/shell_words.h"

#include <utility>

namespace trawl {

namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

class Reader {
 public:
  Reader(std::string_view text, ShellKind shell) : text_(text), shell_(shell) {}

  bool AtEnd() const { return at_ == text_.size(); }
  char Next() const { return text_[at_]; }
  void Skip() { ++at_; }

  // Takes one character, or everything in quotes.
  void TakeInto(std::string* word) {
    const char c = text_[at_++];
    const bool is_ansi = c == '$' && shell_ != ShellKind::kFish && !AtEnd() && Next() == '\'';
    if (c == '\'' || is_ansi) {
      if (is_ansi) ++at_;
      TakeQuoted('\'', is_ansi || shell_ == ShellKind::kFish, word);
    } else if (c == '"') {
      TakeQuoted('"', true, word);
    } else if (c != '\\') {
      *word += c;
    } else if (!AtEnd()) {
      *word += text_[at_++];
    }
  }

 private:
  // Within quotes a backslash stands for itself, unless what it stands before would have a meaning.
  void TakeQuoted(char quote, bool has_escapes, std::string* word) {
    constexpr std::string_view kEscaped = "\"\\$`";
    while (!AtEnd() && Next() != quote) {
      const bool is_escape = has_escapes && Next() == '\\' && at_ + 1 < text_.size() &&
                             (text_[at_ + 1] == quote || text_[at_ + 1] == '\\' ||
                              (quote == '"' && kEscaped.find(text_[at_ + 1]) != std::string_view::npos));
      if (is_escape) ++at_;
      *word += text_[at_++];
    }
    if (!AtEnd()) ++at_;
  }

  std::string_view text_;
  ShellKind shell_;
  size_t at_ = 0;
};

bool IsNumber(const std::string& text) { return text.find_first_not_of("0123456789") == std::string::npos; }

}  // namespace

ShellWords SplitShellLine(std::string_view line, ShellKind shell) {
  ShellWords out;
  Reader reader(line, shell);
  std::string word;
  bool has_word = false;
  const auto end_word = [&] {
    if (has_word && !std::exchange(out.in_redirection, false)) out.words.push_back(word);
    word.clear();
    has_word = false;
  };
  while (!reader.AtEnd()) {
    const char c = reader.Next();
    if (IsBlank(c)) {
      end_word();
      reader.Skip();
    } else if (c == '<' || c == '>') {
      if (IsNumber(word)) has_word = false;  // the number of a stream: 2>
      end_word();
      out.in_redirection = true;
      while (!reader.AtEnd() && (reader.Next() == '<' || reader.Next() == '>' || reader.Next() == '&')) reader.Skip();
    } else {
      has_word = true;
      reader.TakeInto(&word);
    }
  }
  out.words.push_back(word);
  return out;
}

std::string WithoutQuotes(std::string_view word, ShellKind shell) {
  Reader reader(word, shell);
  std::string text;
  while (!reader.AtEnd()) reader.TakeInto(&text);
  return text;
}

}  // namespace trawl
