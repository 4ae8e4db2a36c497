#include "jobs/parse/link_sifter.h"

#include <algorithm>

#include "formats/url/key.h"

namespace trawl {

namespace {

// What entries of one sitemap say of the same target.
void TakeWords(const FoundLink& found, LinkRow* link) {
  link->lastmod_ms = std::max(link->lastmod_ms, found.lastmod_ms);
  if (found.has_priority) link->priority = std::max(link->has_priority ? link->priority : 0, found.priority);
  link->has_priority = link->has_priority || found.has_priority;
  if (found.interval_ms > 0) {
    link->interval_ms = link->interval_ms > 0 ? std::min(link->interval_ms, found.interval_ms) : found.interval_ms;
  }
  if (link->details.empty()) link->details = found.details;
}

}  // namespace

void LinkSifter::Begin(const ContentRow& page, std::vector<LinkRow>* links) {
  page_ = &page;
  links_ = links;
  links_->clear();
  by_key_.clear();
}

void LinkSifter::Add(const FoundLink& found, const BaseUrl& base) {
  UrlPieces pieces;
  bool is_cut = false;
  if (!Read(found.href, base, &pieces, &is_cut)) {
    ++counts_.no_url;
    return;
  }
  const auto depth = static_cast<uint32_t>(page_->depth) + 1;
  // A target that is only recorded does not enter the crawl, so its depth does not matter. An entry of a sitemap is judged
  // as a link of a seed: a crawl of the seeds alone does not take it.
  const uint32_t judged = !found.may_enter ? 0 : found.is_entry ? 1 : depth;
  const UrlVerdict verdict = scope_.Check(normalised_, pieces, judged);
  if (!verdict.accepted) ++counts_.refused[static_cast<size_t>(verdict.by)];
  // A link that only leads too deep is a link of the graph: its target may be in the crawl by a shorter way.
  const bool is_too_deep = !verdict.accepted && verdict.by == UrlCheck::kDepth;
  if (!verdict.accepted && !(is_too_deep && scope_.Check(normalised_, pieces, 0).accepted)) return;
  WriteKeyOfPieces(pieces, &key_);
  if (key_ == page_->key) return;
  const bool enters = found.may_enter && !found.nofollow && !is_too_deep;
  const auto [known, is_new] = by_key_.try_emplace(key_, links_->size());
  if (!is_new) {
    LinkRow& first = (*links_)[known->second];
    first.nofollow = first.nofollow && found.nofollow;
    first.enters = first.enters || enters;
    first.counts = first.enters && page_->first_parse && !found.is_entry;
    TakeWords(found, &first);
    ++counts_.repeated;
    return;
  }
  if (!is_too_deep) ++counts_.in_scope;
  if (found.may_enter && found.nofollow) ++counts_.nofollow;
  LinkRow& link = links_->emplace_back();
  link.key = page_->key;
  link.to = key_;
  if (!is_cut) link.url = RequestSpelling(url_);
  if (link.url == normalised_) link.url.clear();
  link.how = found.how;
  link.rel = found.rel;
  link.text = found.text;
  link.language = found.language;
  link.nofollow = found.nofollow;
  link.enters = enters;
  link.counts = enters && page_->first_parse && !found.is_entry;
  link.kind = found.kind;
  link.depth = found.is_entry ? 0 : static_cast<int32_t>(depth);
  link.score = page_->score;
  TakeWords(found, &link);
}

bool LinkSifter::Read(std::string_view href, const BaseUrl& base, UrlPieces* pieces, bool* is_cut) {
  if (!url_.Resolve(href, base) || normalizer_.Normalize(url_, &normalised_, pieces) != UrlRefusal::kNone) return false;
  *is_cut = scope_.options().ignored.Remove(&normalised_, pieces);
  return true;
}

std::string LinkSifter::KeyOf(std::string_view href, const BaseUrl& base, std::string* url) {
  UrlPieces pieces;
  bool is_cut = false;
  if (!Read(href, base, &pieces, &is_cut)) return {};
  std::string key;
  WriteKeyOfPieces(pieces, &key);
  if (url != nullptr) *url = is_cut ? normalised_ : RequestSpelling(url_);
  return key;
}

}  // namespace trawl
