#include "jobs/policy/robots_options.h"

#include <string>

namespace trawl {

const OptionGroup<RobotsOptions>& RobotsOptionGroup() {
  static const auto group =
      OptionGroup<RobotsOptions>("robots", "How robots.txt is used")
          .Duration("ttl", &RobotsOptions::ttl_ms, "time until a robots.txt is fetched again", AtLeast(0))
          .Duration("keep", &RobotsOptions::keep_ms,
                    "how long the last good copy applies while the host does not answer", AtLeast(0))
          .Choice("on_unreachable", &RobotsOptions::on_unreachable,
                  "if there is no copy either: hold the host's pages back, or fetch them all the same",
                  {{"defer", OnUnreachableRobots::kDefer}, {"allow", OnUnreachableRobots::kAllow}});
  return group;
}

}  // namespace trawl
