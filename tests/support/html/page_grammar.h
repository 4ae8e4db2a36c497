// Makes pages from a small vocabulary, to fuzz one reader of HTML against another. In these pages tables, foreign
// content, misnesting, raw text, references and ends in the middle of things are frequent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

class PageGrammar {
 public:
  // Each byte is a choice. After the last byte, more choices follow from the bytes: the same bytes make the same page.
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
  // The vocabularies to which this page keeps, so that pages differ.
  uint32_t kinds_ = 0;
  std::string page_;
};

}  // namespace trawl
