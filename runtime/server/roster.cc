#include "runtime/server/roster.h"

#include <algorithm>
#include <utility>

namespace trawl {

bool Roster::MakeRoom(const std::string& address) {
  int64_t of_address = 0, all = 0;
  for (const Guest* guest : guests_) {
    if (guest->is_ending_) continue;
    ++all;
    of_address += guest->address_ == address;
  }
  if (of_address >= limits_.connections_per_address) return EndOne(&address);
  return all < limits_.connections || EndOne(nullptr);
}

void Roster::Remove(Guest* guest) { std::erase(guests_, guest); }

void Roster::Sweep(int64_t now_ms) {
  // Expire may remove a guest.
  const std::vector<Guest*> guests = guests_;
  for (Guest* guest : guests) {
    if (guest->deadline_ms_ <= now_ms) guest->Expire();
  }
}

void Roster::EndUpTo(GuestPhase phase) {
  const std::vector<Guest*> guests = guests_;
  for (Guest* guest : guests) {
    if (guest->phase_ > phase) continue;
    guest->is_ending_ = true;
    guest->End();
  }
}

bool Roster::EndOne(const std::string* address) {
  Guest* victim = nullptr;
  const auto rank = [](const Guest* guest) { return std::pair(guest->phase_ > GuestPhase::kLinger, guest->since_ms_); };
  for (Guest* guest : guests_) {
    const bool is_worked_for = guest->phase_ == GuestPhase::kHandler && !guest->IsWaiting();
    if (guest->is_ending_ || is_worked_for) continue;
    if (address != nullptr && guest->address_ != *address) continue;
    if (victim == nullptr || rank(guest) < rank(victim)) victim = guest;
  }
  if (victim == nullptr) return false;
  victim->is_ending_ = true;
  victim->End();
  return true;
}

}  // namespace trawl
