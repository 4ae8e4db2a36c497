// Hosts that break every rule there is, each in its own way: what a crawl must survive beside good ones.
#pragma once

#include <map>
#include <string>

#include "tests/support/web/answer.h"
#include "tests/support/web/test_web.h"

namespace trawl {

// By what they do: "hang", "trickle-body", "bomb-gzip" and so on. None of them answers /robots.txt otherwise than every
// other path, unless `robots` is set: then it is there and allows all.
std::map<std::string, TestHandler> BadHandlers(bool robots = false);

// Adds them as "hang.bad.test" and so on.
void AddBadHosts(bool robots, TestWeb* web);

}  // namespace trawl
