// Makes pages of a small vocabulary, chosen so that tables, foreign content, misnesting, raw text, references and ends in
// the middle of things are met all the time: for fuzzing one reader of HTML against another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

class PageGrammar {
 public:
  // The bytes are choices; when they are used up, more follow from them: the same bytes make the same page.
  explicit PageGrammar(std::string_view choices);

  std::string Page();

 private:
  uint32_t Choose(uint32_t of);
  template <size_t N>
  std::string_view OneOf(const std::string_view (&words)[N]) {
    return words[Choose(N)];
  }
  std::string_view TagName();
  std::string Attribute();
  std::string Text();
  void Piece();
  void StartTag(std::string_view name);
  void Balanced(int depth);
  void Head();

  std::string_view choices_;
  size_t at_ = 0;
  uint64_t state_;
  // Vocabularies that this page keeps to, so that pages differ.
  uint32_t kinds_ = 0;
  std::string page_;
};

}  // namespace trawl
