// What to do when Kerberos refuses this user. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// Returns "; " and advice where `reason`, which Java or a service gave, says that this user has no valid ticket;
// otherwise nothing.
std::string KerberosAdvice(std::string_view reason);

}  // namespace trawl
