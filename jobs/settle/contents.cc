#include "jobs/settle/contents.h"

#include <algorithm>
#include <utility>

#include "formats/url/key.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Contents::Contents(TaskContext* context, std::shared_ptr<const Table> digests, const Options& options)
    : context_(*context),
      digests_(std::move(digests)),
      options_(options),
      heads_(digests_),
      rows_(context->OpenRun<DigestRow>(options.files)),
      contents_(context->OpenRun<SettledContentRow>(options.files)),
      verdicts_(context->OpenRun<VerdictRow>(options.files)),
      news_(options.temp_folder),
      all_(options.temp_folder) {}

Status Contents::Add(const Member& news) {
  const std::string_view content = ContentPlaceOf(news.row.key).content;
  if (content != content_) {
    ARROW_RETURN_NOT_OK(End());
    ARROW_RETURN_NOT_OK(Begin(content));
  }
  may_change_head_ = may_change_head_ || MayChangeHead(news);
  lost_near_ = lost_near_ || news.lost_near;
  joined_ += news.leaves ? -1 : news.was_member ? 0 : 1;
  return news_.Add(news);
}

Status Contents::Finish() { return End(); }

Status Contents::Begin(std::string_view content) {
  content_.assign(content);
  news_.Clear();
  joined_ = 0;
  lost_near_ = false;
  before_.reset();
  const std::string key = content_ + ")";
  DigestRow head;
  ARROW_ASSIGN_OR_RAISE(const bool is_known, heads_.Find({SlotOfKey(key), key}, &head));
  may_change_head_ = !is_known;
  if (!is_known) return Status::OK();
  named_before_ = NamedPages(head.named);
  order_before_ = WholeOrder(named_before_.Names(head.representative, head.canonical_to), head.order);
  before_ = std::move(head);
  return Status::OK();
}

bool Contents::MayChangeHead(const Member& news) const {
  if (!before_ || news.drops_vote) return true;
  const std::string page = PageOf(news.row);
  const bool is_head = page == before_->representative;
  if (news.leaves) return is_head;
  const auto vote = VoteOfPage(page, news.row.canonical_to);
  if (vote && named_before_.WouldChange(*vote)) return true;
  const std::string order = WholeOrder(named_before_.Names(page, news.row.canonical_to), news.row.order);
  return is_head ? order != order_before_ : order < order_before_;
}

Status Contents::End() {
  if (content_.empty()) return Status::OK();
  ++context_.counters()["contents"];
  ARROW_RETURN_NOT_OK(may_change_head_ ? WriteAll() : WriteNews());
  content_.clear();
  return Status::OK();
}

// Rule 1.
Status Contents::WriteNews() {
  head_ = *before_;
  named_ = named_before_;
  head_order_ = order_before_;
  Member member;
  for (news_.Rewind();;) {
    ARROW_ASSIGN_OR_RAISE(const bool more, news_.Next(&member));
    if (!more) break;
    if (PageOf(member.row) == head_.representative) head_ = std::move(member.row);
  }
  head_.representative = before_->representative;
  head_.pages = before_->pages + joined_;
  ARROW_RETURN_NOT_OK(WriteHead());
  for (news_.Rewind();;) {
    ARROW_ASSIGN_OR_RAISE(const bool more, news_.Next(&member));
    if (!more) return WriteContent(/*is_gone=*/false);
    member.is_news = true;
    member.stood_for_group = PageOf(member.row) == before_->representative;
    member.has_row = !member.stood_for_group && (member.leaves || member.was_member);
    ARROW_RETURN_NOT_OK(WriteMember(&member));
  }
}

// Rule 2.
Status Contents::WriteAll() {
  ARROW_RETURN_NOT_OK(ReadAllPages());
  ARROW_RETURN_NOT_OK(ChooseHead());
  if (head_.pages > 0 || before_) ARROW_RETURN_NOT_OK(WriteHead());
  Member member;
  for (all_.Rewind();;) {
    ARROW_ASSIGN_OR_RAISE(const bool more, all_.Next(&member));
    if (!more) break;
    ARROW_RETURN_NOT_OK(WriteMember(&member));
  }
  return head_.pages > 0 || before_ ? WriteContent(head_.pages == 0) : Status::OK();
}

// The pages as they were, in the order of their keys; the head has the one that stood for them.
Result<bool> Contents::NextOld(Member* old) {
  while (reads_rows_ && !old_row_) {
    ARROW_ASSIGN_OR_RAISE(reads_rows_, old_rows_->Next(&old_row_.emplace()));
    if (!reads_rows_ || ContentPlaceOf(old_row_->key).page.empty()) old_row_.reset();
  }
  if (has_head_member_ && (!old_row_ || before_->representative < ContentPlaceOf(old_row_->key).page)) {
    *old = Member{.row = *before_, .stood_for_group = true};
    old->row.key = content_ + ")" + before_->representative;
    has_head_member_ = false;
    return true;
  }
  if (!old_row_) return false;
  *old = Member{.row = *std::move(old_row_), .has_row = true};
  old_row_.reset();
  return true;
}

Status Contents::ReadAllPages() {
  all_.Clear();
  named_.Clear();
  has_head_member_ = before_.has_value();
  old_row_.reset();
  reads_rows_ = before_ && before_->pages > 1;
  if (reads_rows_) {
    if (!old_rows_) {
      ARROW_ASSIGN_OR_RAISE(old_rows_, ContentRows::Open(digests_, context_.slots()));
    }
    ARROW_RETURN_NOT_OK(old_rows_->GoTo(content_));
    ++context_.counters()["groups_read"];
  }
  Member news, old;
  news_.Rewind();
  int64_t read = 0;
  ARROW_ASSIGN_OR_RAISE(bool has_news, news_.Next(&news));
  ARROW_ASSIGN_OR_RAISE(bool has_old, NextOld(&old));
  while (has_news || has_old) {
    const bool is_old = has_old && (!has_news || old.row.key < news.row.key);
    const bool was_there = has_old && !is_old && old.row.key == news.row.key;
    Member& member = is_old ? old : news;
    if (!is_old) {
      member.is_news = true;
      member.has_row = was_there && old.has_row;
      member.stood_for_group = was_there && old.stood_for_group;
    }
    if (!member.leaves) {
      if (const auto vote = VoteOfPage(PageOf(member.row), member.row.canonical_to)) named_.Add(*vote);
    }
    if (++read % 4096 == 0) ARROW_RETURN_NOT_OK(context_.CheckStop());
    if (!member.leaves || member.has_row) ARROW_RETURN_NOT_OK(all_.Add(member));
    if (!is_old) {
      ARROW_ASSIGN_OR_RAISE(has_news, news_.Next(&news));
    }
    if (is_old || was_there) {
      ARROW_ASSIGN_OR_RAISE(has_old, NextOld(&old));
    }
  }
  return Status::OK();
}

Status Contents::ChooseHead() {
  head_ = DigestRow();
  head_order_.clear();
  int64_t pages = 0;
  Member member;
  for (all_.Rewind();;) {
    ARROW_ASSIGN_OR_RAISE(const bool more, all_.Next(&member));
    if (!more) break;
    if (member.leaves) continue;
    ++pages;
    std::string page = PageOf(member.row);
    std::string order = WholeOrder(named_.Names(page, member.row.canonical_to), member.row.order);
    if (pages > 1 && order >= head_order_) continue;
    head_ = member.row;
    head_.representative = std::move(page);
    head_order_ = std::move(order);
  }
  head_.pages = pages;
  return Status::OK();
}

Status Contents::WriteHead() {
  if (head_.pages == 0) return rows_->Append({.key = content_ + ")", .removed = true});
  head_.key = content_ + ")";
  head_.named = named_.Bytes();
  return rows_->Append(head_);
}

bool Contents::SharesBody(const Member& member) const {
  if (head_.body_digest.empty() || member.row.body_digest.empty()) return false;
  return options_.shares_content || member.row.body_digest == head_.body_digest;
}

// Rules 3 and 4, of one page.
Status Contents::WriteMember(Member* member) {
  const bool is_head = !member->leaves && PageOf(member->row) == head_.representative;
  if (is_head) {
    const bool was_duplicate = member->is_news ? member->has_verdict : !member->stood_for_group;
    if (was_duplicate) ARROW_RETURN_NOT_OK(WriteVerdict(*member));
  }
  if (member->leaves || is_head) {
    return member->has_row ? rows_->Append({.key = member->row.key, .removed = true}) : Status::OK();
  }
  const bool has_other_head = !before_ || before_->representative != head_.representative;
  if (!member->is_news && !has_other_head) return Status::OK();
  ARROW_RETURN_NOT_OK(WriteVerdict(*member));
  DigestRow& row = member->row;
  const bool takes_place = SharesBody(*member) && (row.body_segment != head_.body_segment ||
                                                   row.body_file != head_.body_file || row.body_row != head_.body_row);
  if (!member->is_news && !member->stood_for_group && !takes_place) return Status::OK();
  if (takes_place) {
    row.body_digest = head_.body_digest;
    row.body_segment = head_.body_segment;
    row.body_file = head_.body_file;
    row.body_row = head_.body_row;
  }
  // What only a head has.
  row.representative.clear();
  row.named.clear();
  row.pages = 0;
  return rows_->Append(row);
}

Status Contents::WriteVerdict(const Member& member) {
  VerdictRow verdict = {.key = member.row.key, .is_exact = true};
  if (PageOf(member.row) != head_.representative) {
    verdict.duplicate_of = head_.representative;
    if (SharesBody(member)) {
      verdict.body_segment = head_.body_segment;
      verdict.body_file = head_.body_file;
      verdict.body_row = head_.body_row;
    }
  }
  // What another content was near says nothing of this one.
  verdict.is_near = member.is_news && !member.was_member;
  return verdicts_->Append(verdict);
}

// Rule 5.
Status Contents::WriteContent(bool is_gone) {
  const bool is_same = before_ && !is_gone && before_->representative == head_.representative &&
                       order_before_ == head_order_ && before_->simhash == head_.simhash &&
                       before_->text_sketch == head_.text_sketch;
  if (is_same && !options_.tells_all && !lost_near_) return Status::OK();
  SettledContentRow row = {.key = content_ + ")", .is_gone = is_gone};
  if (!is_gone) {
    row.page = head_.representative;
    row.order = head_order_;
    row.simhash = head_.simhash;
    row.text_sketch = head_.text_sketch;
  }
  ++context_.counters()["contents_changed"];
  return contents_->Append(row);
}

}  // namespace trawl
