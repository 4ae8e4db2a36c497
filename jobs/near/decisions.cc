#include "jobs/near/decisions.h"

#include <utility>

#include "formats/rows/settle_rows.h"

namespace trawl {

using arrow::Status;

namespace {

std::string BytesOf(const NearMatch& match) {
  std::string bytes;
  EncodeRow(
      FingerprintRow{.content = match.content, .distance = match.distance, .page = match.page, .order = match.order},
      &bytes);
  return bytes;
}

Status MatchFrom(std::string_view bytes, NearMatch* match) {
  FingerprintRow row;
  ARROW_RETURN_NOT_OK(DecodeRow(bytes, &row));
  *match = {row.distance, std::move(row.content), std::move(row.page), std::move(row.order)};
  return Status::OK();
}

}  // namespace

NearDecisions::NearDecisions(NearDecisionsOptions options, const StopToken& stop,
                             std::function<Status(const ContentTurn&)> decided)
    : options_(std::move(options)), stop_(stop), decided_(std::move(decided)) {
  BeginPass();
}

void NearDecisions::BeginPass() {
  standing_ = std::make_unique<FingerprintIndex>(options_.distance);
  texts_ = std::make_unique<SpilledRows>(options_.temp_folder);
  waiting_ = std::make_unique<SpilledRows>(options_.temp_folder);
  places_.clear();
  sketches_.clear();
}

Status NearDecisions::Add(ContentTurn turn) {
  ARROW_RETURN_NOT_OK(MatchInMemory(&turn));
  if (places_.size() >= options_.most_in_memory) return Wait(turn);
  if (turn.match.content.empty()) {
    NearMatch match = {.content = std::string(ContentPlaceOf(turn.content.key).content),
                       .page = turn.content.page,
                       .order = turn.content.order};
    ARROW_ASSIGN_OR_RAISE(places_.emplace_back(), texts_->Add(BytesOf(match)));
    standing_->Add(static_cast<uint64_t>(turn.content.simhash));
    if (options_.second_look) sketches_.push_back(TextSketch::FromBytes(turn.content.text_sketch));
  }
  return decided_(turn);
}

// Numbers ascend with the order, so of equally near ones the lowest number is the one.
Status NearDecisions::MatchInMemory(ContentTurn* turn) const {
  uint32_t nearest = 0;
  int least = kMostDistance + 1;
  uint32_t first_equal = 0;
  int32_t told_apart = 0;
  const auto sketch = options_.second_look ? TextSketch::FromBytes(turn->content.text_sketch) : TextSketch();
  standing_->ForEachNear(static_cast<uint64_t>(turn->content.simhash), [&](uint32_t number, int distance) {
    if (distance > least || (distance == least && number > nearest)) return;
    if (options_.second_look && !MayBeCopies(sketch, sketches_[number])) {
      if (distance == 0 && (++told_apart == 1 || number < first_equal)) first_equal = number;
      return;
    }
    least = distance;
    nearest = number;
  });
  if (least > kMostDistance && turn->match.content.empty() && told_apart >= kMostToldApart) {
    least = 0;
    nearest = first_equal;
  }
  if (least > kMostDistance || (!turn->match.content.empty() && turn->match.distance < least)) return Status::OK();
  std::string bytes;
  ARROW_RETURN_NOT_OK(texts_->Read(places_[nearest], &bytes).status());
  NearMatch match;
  ARROW_RETURN_NOT_OK(MatchFrom(bytes, &match));
  match.distance = least;
  if (turn->match.content.empty() || match.Beats(turn->match)) turn->match = std::move(match);
  return Status::OK();
}

Status NearDecisions::Wait(const ContentTurn& turn) {
  std::string bytes;
  EncodeRow(turn.content, &bytes);
  ARROW_RETURN_NOT_OK(waiting_->Add(bytes).status());
  return waiting_->Add(BytesOf(turn.match)).status();
}

Status NearDecisions::Finish() {
  ContentTurn turn;
  std::string bytes;
  while (waiting_->end() > 0) {
    const auto before = std::move(waiting_);
    BeginPass();
    for (int64_t place = 0, rows = 0; place < before->end(); ++rows) {
      if (rows % 1024 == 0) ARROW_RETURN_NOT_OK(stop_.Check());
      ARROW_ASSIGN_OR_RAISE(place, before->Read(place, &bytes));
      ARROW_RETURN_NOT_OK(DecodeRow(bytes, &turn.content));
      ARROW_ASSIGN_OR_RAISE(place, before->Read(place, &bytes));
      ARROW_RETURN_NOT_OK(MatchFrom(bytes, &turn.match));
      ARROW_RETURN_NOT_OK(Add(turn));
    }
  }
  return Status::OK();
}

}  // namespace trawl
