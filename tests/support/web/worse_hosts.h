// Further hosts that break rules, which only a whole crawl can tell of: answers to nothing that was asked, traps, and
// robots.txt files, sitemaps and pages that are made to use up whoever reads them. Beside those of bad_hosts.h.
#pragma once

#include <map>
#include <string>

#include "tests/support/web/answer.h"
#include "tests/support/web/test_web.h"

namespace trawl {

// By what they do: "http-0.9", "gzip-thrice", "robots-endless". What they link and redirect to is on loopback, or
// cannot be asked.
std::map<std::string, TestHandler> WorseHandlers();
// Hosts whose TLS handshake has no end: "tls-hangs" says nothing, "tls-trickles" a byte now and then. Both mean https.
std::map<std::string, TestHandler> EndlessHandshakes();
// Adds them as "http-0.9.bad.test" and so on.
void AddWorseHosts(TestWeb* web);
void AddEndlessHandshakes(TestWeb* web);

}  // namespace trawl
