// Whether a host has its pages at all where --urls.learn_parameters leads to: at the URLs without the parameters that seemed
// to change nothing. Pure; one thread.
//
// A rule is for the pages of one form: a pattern (formats/url/pattern.h) up to its '?'. Of the pages of the form whose URLs
// have the parameters, those count whose bare URLs were asked for, too. The bare URLs are missing where at least kEnoughMissing
// of them answered that there is nothing (404, 410), and more than have a page.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "formats/rows/url_row.h"

namespace trawl {

inline constexpr int64_t kEnoughMissing = 3;

// Whether the URL answered that there is nothing, and never had a page.
bool IsMissing(const UrlRow& row);

class BareUrls {
 public:
  // REQUIRES: it is a learned rule (formats/scope/ignored_parameters.h); all rules come before all URLs.
  void AddRule(std::string_view rule);
  // A page of the host, or a URL that is missing.
  void Add(const UrlRow& url);
  // The forms whose bare URLs are missing.
  std::set<std::string, std::less<>> FindMissing() const;

 private:
  struct Form {
    std::set<std::string, std::less<>> names;
    std::unordered_set<uint64_t> bare;  // hashes of keys
  };
  std::map<std::string, Form, std::less<>> forms_;
  std::unordered_map<uint64_t, bool> is_missing_;  // by hash of a key without such parameters
};

}  // namespace trawl
