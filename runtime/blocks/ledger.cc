#include "runtime/blocks/ledger.h"

namespace trawl {

using arrow::Status;

Status BlockLedger::Add(const RecordBlockHead& head) {
  if (head.map_task >= map_tasks_) {
    return Status::IOError(head.Name(), " came where the job has ", map_tasks_, " map tasks");
  }
  const auto [found, is_first] = sent_.try_emplace(head.map_task, Sent{.attempt = head.attempt});
  Sent& sent = found->second;
  if (sent.attempt != head.attempt) {
    return Status::IOError(head.Name(), " came after blocks of the task's attempt ", sent.attempt);
  }
  if (head.number < sent.next || sent.later.contains(head.number)) {
    return Status::IOError(head.Name(), " came twice");
  }
  const uint32_t highest = sent.later.empty() ? sent.next : *sent.later.rbegin();
  if (sent.last ? (head.is_last || head.number > *sent.last) : (head.is_last && head.number < highest)) {
    return Status::IOError(head.Name(), " came, and another block says that it is the last");
  }
  if (head.is_last) sent.last = head.number;
  sent.later.insert(head.number);
  while (!sent.later.empty() && *sent.later.begin() == sent.next) {
    sent.later.erase(sent.later.begin());
    ++sent.next;
  }
  return Status::OK();
}

Status BlockLedger::Finish() const {
  for (const auto& [map_task, sent] : sent_) {
    if (sent.last && sent.next == *sent.last + 1) continue;
    const RecordBlockHead missing = {.map_task = map_task, .attempt = sent.attempt, .number = sent.next};
    return Status::IOError(missing.Name(), " is missing");
  }
  return Status::OK();
}

}  // namespace trawl
