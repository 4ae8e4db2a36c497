#include "jobs/capture/warc_files.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The two digits that tell the files of a part apart.
constexpr int kMostFiles = 100;

std::vector<std::pair<std::string, std::string>> AboutFile(const ArchiveBegin& begin) {
  return {{"software", "trawl/" + begin.version + " " + GzipMembers::Codec()},
          {"isPartOf", begin.name},
          {"operator", begin.operator_contact},
          {"robots", begin.robots},
          {"http-header-user-agent", begin.user_agent},
          {"description",
           "payloads are stored decoded; changed HTTP fields are kept as X-Crawler-*; HTTP/2 is written as HTTP/1.1"}};
}

}  // namespace

WarcFiles::WarcFiles(Store* to, GzipMembers* members, const WarcRecords* records, WarcFilesPlan plan)
    : to_(to), members_(*members), records_(*records), plan_(std::move(plan)) {}

Result<std::string> WarcFiles::BeginCapture() {
  if (file_ != nullptr && file_->bytes() >= plan_.file_bytes && opened_ < kMostFiles) ARROW_RETURN_NOT_OK(CloseFile());
  if (file_ == nullptr) ARROW_RETURN_NOT_OK(OpenFile());
  return warcinfo_id_;
}

Status WarcFiles::OpenFile() {
  const ArchiveSegment& segment = plan_.begin->segments[plan_.segment];
  path_ = ArchivePaths(plan_.begin->name).WarcFile(segment, plan_.folder, plan_.part, opened_++);
  ARROW_ASSIGN_OR_RAISE(file_, ArchiveFileWriter::Open(to_, path_));
  WarcFileInfo info = {.path = path_, .opened_ms = segment.begin_ms, .fields = AboutFile(*plan_.begin)};
  std::erase_if(info.fields, [](const auto& field) { return field.second.empty(); });
  warcinfo_id_ = info.Id();
  std::string record;
  records_.Warcinfo(info, &record);
  return Append(record).status();
}

Result<RecordPlace> WarcFiles::Append(std::string_view record) {
  ARROW_ASSIGN_OR_RAISE(const std::string_view member, members_.MemberOf(record));
  const RecordPlace place = {
      .filename = path_, .offset = file_->bytes(), .length = static_cast<int64_t>(member.size())};
  ARROW_RETURN_NOT_OK(file_->Write(member));
  ++records_in_file_;
  return place;
}

Status WarcFiles::CloseFile() {
  ARROW_ASSIGN_OR_RAISE(files_.emplace_back(), file_->Commit(records_in_file_));
  file_.reset();
  records_in_file_ = 0;
  return Status::OK();
}

Result<std::vector<ArchiveFile>> WarcFiles::Finish() {
  if (file_ != nullptr) ARROW_RETURN_NOT_OK(CloseFile());
  return std::move(files_);
}

}  // namespace trawl
