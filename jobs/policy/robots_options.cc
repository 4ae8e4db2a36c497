#include "jobs/policy/robots_options.h"

#include <string>

namespace trawl {

const OptionGroup<RobotsOptions>& RobotsOptionGroup() {
  static const auto group =
      OptionGroup<RobotsOptions>("robots", "What robots.txt is worth")
          .Duration("ttl", &RobotsOptions::ttl_ms, "a robots.txt is asked for again after this", AtLeast(0))
          .Duration("keep", &RobotsOptions::keep_ms, "the last good copy serves so long while the host does not answer",
                    AtLeast(0))
          .Choice("on_unreachable", &RobotsOptions::on_unreachable,
                  "without any copy: the host's pages wait, or are asked for all the same",
                  {{"defer", OnUnreachableRobots::kDefer}, {"allow", OnUnreachableRobots::kAllow}});
  return group;
}

}  // namespace trawl
