#include "jobs/parse/link_sifter.h"

#include "formats/url/key.h"

namespace trawl {

void LinkSifter::Begin(const ContentRow& page, std::vector<LinkRow>* links) {
  page_ = &page;
  links_ = links;
  links_->clear();
  by_key_.clear();
}

void LinkSifter::Add(const FoundLink& found, const BaseUrl& base) {
  UrlPieces pieces;
  if (!url_.Resolve(found.href, base) || normalizer_.Normalize(url_, &normalised_, &pieces) != UrlRefusal::kNone) {
    ++counts_.no_url;
    return;
  }
  const auto depth = static_cast<uint32_t>(page_->depth) + 1;
  // A target that is only recorded does not enter the crawl, so its depth does not matter.
  const UrlVerdict verdict = scope_.Check(normalised_, pieces, found.may_enter ? depth : 0);
  if (!verdict.accepted) {
    ++counts_.refused[static_cast<size_t>(verdict.by)];
    return;
  }
  WriteKeyOfPieces(pieces, &key_);
  if (key_ == page_->key) return;
  const bool enters = found.may_enter && !found.nofollow;
  const auto [known, is_new] = by_key_.try_emplace(key_, links_->size());
  if (!is_new) {
    LinkRow& first = (*links_)[known->second];
    first.nofollow = first.nofollow && found.nofollow;
    first.enters = first.enters || enters;
    first.counts = first.enters && page_->first_parse;
    ++counts_.repeated;
    return;
  }
  ++counts_.in_scope;
  if (found.may_enter && found.nofollow) ++counts_.nofollow;
  LinkRow& link = links_->emplace_back();
  link.key = page_->key;
  link.to = key_;
  link.url = RequestSpelling(url_);
  if (link.url == normalised_) link.url.clear();
  link.how = found.how;
  link.rel = found.rel;
  link.text = found.text;
  link.language = found.language;
  link.nofollow = found.nofollow;
  link.enters = enters;
  link.counts = enters && page_->first_parse;
  link.kind = found.kind;
  link.depth = static_cast<int32_t>(depth);
  link.score = page_->score;
  link.lastmod_ms = found.lastmod_ms;
  link.priority = found.priority;
}

std::string LinkSifter::KeyOf(std::string_view href, const BaseUrl& base, std::string* url) {
  UrlPieces pieces;
  if (!url_.Resolve(href, base) || normalizer_.Normalize(url_, &normalised_, &pieces) != UrlRefusal::kNone) return {};
  std::string key;
  WriteKeyOfPieces(pieces, &key);
  if (url != nullptr) *url = RequestSpelling(url_);
  return key;
}

}  // namespace trawl
