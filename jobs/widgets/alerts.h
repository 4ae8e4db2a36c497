// What is worth a look now, in words, each with a link to where it can be seen. Pure.
#pragma once

#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "jobs/widgets/markup.h"

namespace trawl {

// Values of the API; null where one is not known.
struct AlertSource {
  const Json& status;   // /status
  const Json& rounds;   // /api/v1/rounds, the newest first
  const Json& workers;  // /api/v1/workers
  const Json& traps;    // /api/v1/domains?top=traps
  std::string root;     // of the crawl, for commands
};

struct Alert {
  NoteKind kind = NoteKind::kWarning;
  Markup text;
};

// Workers without a sign for two leases; errors over 20 % of the last requests; a held segment that has expired; suspected
// traps; fewer than 95 % fetched again in time; nothing applied for a day while URLs are due.
std::vector<Alert> FindAlerts(const AlertSource& source, TimeMs now_ms);

Markup AlertsSection(const AlertSource& source, TimeMs now_ms);

}  // namespace trawl
