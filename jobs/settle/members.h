// The pages of one content, in the order of their keys, as often as one wants to read them. One thread.
//
// A few MiB stay in memory; what is more goes to a file without a name, so a group may be of any size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/settle_rows.h"
#include "runtime/spill/file.h"

namespace trawl {

// A page of a content, and what is news of it.
struct Member {
  DigestRow row;             // its key: the content and the page
  bool leaves = false;       // it has this content no more: the row has its key alone
  bool was_member = false;   // its row before had this content, too
  bool has_verdict = false;  // its row of urls says that another page stands for it
  bool drops_vote = false;   // it no longer names the canonical page that it named
  bool lost_near = false;    // its row before named a near page, and its row does not
  // In the list of all pages of a group: whether it is news; whether the table has a row of it; whether it stood for the
  // group.
  bool is_news = false;
  bool has_row = false;
  bool stood_for_group = false;
};

// The form in which it travels.
void EncodeMember(const Member& member, std::string* bytes);
arrow::Status DecodeMember(std::string_view bytes, Member* member);

class MemberList {
 public:
  // `folder`: where the file lies.
  explicit MemberList(std::string folder) : folder_(std::move(folder)) {}

  void Clear();
  arrow::Status Add(const Member& member);
  // Begins anew with the first one. REQUIRES: nothing is added any more.
  void Rewind();
  arrow::Result<bool> Next(Member* member);
  int64_t size() const { return size_; }

 private:
  struct Block {
    int64_t offset = 0;
    size_t size = 0;
  };
  arrow::Status CloseBlock();

  const std::string folder_;
  std::unique_ptr<SpillFile> file_;
  std::vector<Block> blocks_;
  std::string open_;
  std::string bytes_;
  int64_t size_ = 0;
  // Reading.
  size_t block_ = 0;
  std::string read_;
  std::string_view left_;
};

}  // namespace trawl
