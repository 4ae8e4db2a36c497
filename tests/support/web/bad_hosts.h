// Hosts that break every rule, each in its own way. A crawl must survive them beside good hosts.
#pragma once

#include <map>
#include <string>

#include "tests/support/web/answer.h"
#include "tests/support/web/test_web.h"

namespace trawl {

// Handlers by the names of their behaviour: "hang", "trickle-body", "bomb-gzip" and so on. Each answers /robots.txt
// like every other path, unless `robots` is set: then the file exists and allows everything.
std::map<std::string, TestHandler> BadHandlers(bool robots = false);

// Adds the hosts as "hang.bad.test" and so on.
void AddBadHosts(bool robots, TestWeb* web);

}  // namespace trawl
