// Decides which page of a content stands for the others, content by content, and writes what follows. One thread.
//
// A content has one row in digests for each of its pages: the head, `<content>)`, is that of the page that stands for the
// others, with what is known of the group; every other page has its own row. So one look tells whether a content is new,
// and what a page that joins it has to know.
//
// Rules:
//  1. Where the page that stands for the group stays, a page that joins or leaves costs its own row and the head: the
//     others are not read.
//  2. Where that page may change (it leaves, a smaller one comes, or pages name others as canonical than before), all
//     pages of the content are read: the smallest one (representative.h) stands for the others from now on.
//  3. Every page that joins gets a verdict; where another page stands for the group than before, all pages get one.
//  4. A page with the same body, byte for byte, takes the place of the body of the page that stands for it; with
//     settle.store=content every page does.
//  5. A content that came or went, or whose page, its order, its fingerprint or its sketch changed, is news for the near ones;
//     so is one of which a page went and came back since the last settle, and lost what was decided of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/settle_rows.h"
#include "jobs/settle/content_rows.h"
#include "jobs/settle/members.h"
#include "jobs/settle/representative.h"
#include "runtime/job/task.h"
#include "runtime/tables/known_rows.h"

namespace trawl {

class Contents {
 public:
  struct Options {
    RowFileOptions files;
    std::string temp_folder;
    // Whether a content is news wherever a page of it is: where near ones are duplicates, all its pages need to know.
    bool tells_all = false;
    // Whether a page shares the body of the page that stands for it though the bytes differ (settle.store content).
    bool shares_content = false;
  };
  // `digests`: as the last settle left it. `context` outlives it.
  Contents(TaskContext* context, std::shared_ptr<const Table> digests, const Options& options);

  // REQUIRES: contents come in the order of the table, and the pages of one content by their keys.
  arrow::Status Add(const Member& news);
  arrow::Status Finish();

 private:
  arrow::Status Begin(std::string_view content);
  arrow::Status End();
  bool MayChangeHead(const Member& news) const;
  arrow::Status WriteNews();
  arrow::Status WriteAll();
  arrow::Status ReadAllPages();
  arrow::Result<bool> NextOld(Member* old);
  arrow::Status ChooseHead();
  arrow::Status WriteMember(Member* member);
  arrow::Status WriteHead();
  arrow::Status WriteContent(bool is_gone);
  arrow::Status WriteVerdict(const Member& member);
  std::string PageOf(const DigestRow& row) const { return row.key.substr(content_.size() + 1); }
  bool SharesBody(const Member& member) const;

  TaskContext& context_;
  const std::shared_ptr<const Table> digests_;
  const Options options_;
  KnownRows<DigestRow> heads_;
  RunWriter<DigestRow>* const rows_;
  RunWriter<SettledContentRow>* const contents_;
  RunWriter<VerdictRow>* const verdicts_;

  // Of the present content.
  std::string content_;
  std::optional<DigestRow> before_;  // its head as it was
  NamedPages named_before_;
  std::string order_before_;  // of the page that stood for it
  MemberList news_, all_;
  bool may_change_head_ = false;
  bool lost_near_ = false;  // a page of it
  int64_t joined_ = 0;      // pages that came, less those that went
  DigestRow head_;
  std::string head_order_;
  NamedPages named_;
  std::unique_ptr<ContentRows> old_rows_;  // opened when the first group is read
  bool reads_rows_ = false;
  std::optional<DigestRow> old_row_;  // read, and not yet given out
  bool has_head_member_ = false;
};

}  // namespace trawl
