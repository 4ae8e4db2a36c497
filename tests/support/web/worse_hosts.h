// More hosts that break rules, in addition to those of bad_hosts.h. Only a whole crawl shows their effect: answers to
// requests that nobody sent, traps, and robots.txt files, sitemaps and pages that exhaust their reader.
#pragma once

#include <map>
#include <string>

#include "tests/support/web/answer.h"
#include "tests/support/web/test_web.h"

namespace trawl {

// Handlers by the names of their behaviour: "http-0.9", "gzip-thrice", "robots-endless". Their links and redirects lead
// to loopback or cannot be requested.
std::map<std::string, TestHandler> WorseHandlers();
// Hosts whose TLS handshake never ends: "tls-hangs" says nothing, "tls-trickles" sends a byte now and then. Both mean
// https.
std::map<std::string, TestHandler> EndlessHandshakes();
// Adds them as "http-0.9.bad.test" and so on.
void AddWorseHosts(TestWeb* web);
void AddEndlessHandshakes(TestWeb* web);

}  // namespace trawl
