#include "jobs/archive/body_decisions.h"

#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/url_row.h"
#include "runtime/tables/key_lookup.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kMostLookups = 64;

}  // namespace

BodyDecisions::BodyDecisions(TaskContext* context, const ArchiveOptions& options, std::shared_ptr<const Table> urls,
                             RunWriter<DecisionRow>* out)
    : context_(*context),
      algorithm_(options.digest == ArchiveDigest::kSha1 ? WarcDigest::kSha1 : WarcDigest::kSha256),
      may_refer_(options.revisits == RevisitPolicy::kRefer),
      urls_(std::move(urls)),
      stored_(context->store()),
      bodies_(context->store()),
      out_(*out) {}

Status BodyDecisions::Add(std::string_view digest, const BodyEvent& event) {
  if (digest != digest_) {
    ARROW_RETURN_NOT_OK(EndBody());
    digest_.assign(digest);
    ++context_.counters()["bodies"];
  }
  switch (event.rank) {
    case Rank::kEarlier:
      if (!original_) TakeOriginal(event, event.record_id, event.text);
      return Status::OK();
    case Rank::kStored:
      return AddStored(event);
    case Rank::kNotFound:
      return AddNotFound(event);
    case Rank::kNotModified:
      return AddNotModified(event);
    case Rank::kSkipped:
      ++context_.counters()["skipped"];
      return Put(event, {.decision = Decision::kSkip, .reason = event.text});
  }
  return Status::Invalid("a capture of no rank");
}

Status BodyDecisions::EndBody() {
  for (const BodyEvent& event : waiting_) ARROW_RETURN_NOT_OK(PutNoBody(event));
  waiting_.clear();
  original_.reset();
  lookups_ = 0;
  return Status::OK();
}

Status BodyDecisions::AddStored(const BodyEvent& event) {
  if (!original_) return BeOriginal(event);
  if (event.bytes == 0) return Status::OK();
  return may_refer_ ? PutRevisit(event, Decision::kSamePayload) : PutFull(event, event);
}

Status BodyDecisions::AddNotFound(const BodyEvent& event) {
  if (event.bytes == 0) return original_ ? Status::OK() : BeOriginal(event);
  if (original_ && may_refer_) return PutRevisit(event, Decision::kSamePayload);
  if (original_ && !original_->body.body_file.empty()) return PutFull(event, original_->body);
  BodyEvent found = event;
  ARROW_ASSIGN_OR_RAISE(const bool is_found, LookUp(&found));
  if (!is_found) {
    // The captures that wait are few: without a place after so many lookups there is none.
    if (waiting_.size() >= kMostLookups) return PutNoBody(event);
    waiting_.push_back(event);
    return Status::OK();
  }
  if (original_) return PutFull(event, found);
  ARROW_RETURN_NOT_OK(BeOriginal(found));
  std::vector<BodyEvent> waiting;
  waiting.swap(waiting_);
  for (const BodyEvent& one : waiting) {
    ARROW_RETURN_NOT_OK(may_refer_ ? PutRevisit(one, Decision::kSamePayload) : PutFull(one, found));
  }
  return Status::OK();
}

Status BodyDecisions::AddNotModified(const BodyEvent& event) {
  return original_ && may_refer_ ? PutRevisit(event, Decision::kNotModified) : Status::OK();
}

void BodyDecisions::TakeOriginal(const BodyEvent& event, std::string id, std::string digest) {
  original_ = Original{
      .id = std::move(id), .url = event.url, .digest = std::move(digest), .began_ms = event.began_ms, .body = event};
}

Status BodyDecisions::BeOriginal(const BodyEvent& event) {
  ++context_.counters()["originals"];
  TakeOriginal(event, WarcIdOf(event.place, WarcType::kResponse), "");
  return PutFull(event, event);
}

Status BodyDecisions::KnowDigest() {
  if (!original_->digest.empty()) return Status::OK();
  if (algorithm_ == WarcDigest::kSha256) {
    original_->digest = WarcDigestText(algorithm_, digest_);
  } else if (original_->body.sha1.size() == sizeof(Sha1Value)) {
    original_->digest = WarcDigestText(algorithm_, original_->body.sha1);
  } else if (original_->body.bytes == 0) {
    original_->digest = WarcDigestOf(algorithm_, "");
  } else {
    const BodyEvent& at = original_->body;
    ARROW_RETURN_NOT_OK(bodies_.Read(at.body_segment, at.body_file, at.body_row, digest_, &body_));
    original_->digest = WarcDigestOf(algorithm_, body_.body);
  }
  return Status::OK();
}

Result<bool> BodyDecisions::LookUp(BodyEvent* event) {
  if (++lookups_ > kMostLookups) return false;
  ARROW_ASSIGN_OR_RAISE(const std::optional<UrlRow> row, FindRow<UrlRow>(*urls_, event->key));
  if (!row || row->removed || row->body_digest != digest_) return false;
  ARROW_ASSIGN_OR_RAISE(const bool is_there, stored_.HasBodyOf(*row));
  if (!is_there) return false;
  event->body_segment = row->body_segment;
  event->body_file = row->body_file;
  event->body_row = row->body_row;
  return true;
}

Status BodyDecisions::Put(const BodyEvent& event, DecisionRow row) {
  row.part = event.part;
  row.file = event.file;
  row.row = event.row;
  return out_.Append(row);
}

Status BodyDecisions::PutNoBody(const BodyEvent& event) {
  ++context_.counters()["no_body"];
  return Put(event, {.decision = Decision::kNoBody});
}

Status BodyDecisions::PutFull(const BodyEvent& event, const BodyEvent& place) {
  if (event.is_own || event.bytes == 0) return Status::OK();
  ++context_.counters()["moved"];
  return Put(event, {.decision = Decision::kFull,
                     .body_segment = place.body_segment,
                     .body_file = place.body_file,
                     .body_row = place.body_row});
}

Status BodyDecisions::PutRevisit(const BodyEvent& event, Decision decision) {
  ARROW_RETURN_NOT_OK(KnowDigest());
  ++context_.counters()[decision == Decision::kSamePayload ? "same_payload" : "not_modified"];
  return Put(event, {.decision = decision,
                     .original_id = original_->id,
                     .original_url = original_->url,
                     .original_began_ms = original_->began_ms,
                     .digest = original_->digest});
}

}  // namespace trawl
