#include "jobs/graph/options.h"

#include <bit>

#include "runtime/process/status_detail.h"

namespace trawl {

const OptionGroup<GraphOptions>& GraphOptionGroup() {
  static const auto group =
      OptionGroup<GraphOptions>("graph", "How hosts are ranked by their links, and when rounds do it again")
          .Real("damping", &GraphOptions::damping, "how far PageRank follows links, instead of beginning anew anywhere",
                {.min = 0.0, .max = 0.99})
          .Main()
          .Int("registers", &GraphOptions::registers,
               "bytes of a counter of HyperBall, which takes two per host; its error is 1.04 / sqrt(N); a power of two",
               Between(16, 4096))
          .Int("every", &GraphOptions::every,
               "rounds after which a round makes the graph anew, where enough has changed; 0: never by itself",
               AtLeast(0))
          .Real("share", &GraphOptions::share,
                "how much must have changed by then: the pages stored since, as a share of all that have a body",
                {.min = 0.0, .max = 1.0})
          .Int("least_hosts", &GraphOptions::least_hosts,
               "a round makes no graph of fewer hosts: their ranks would say little", AtLeast(0))
          .Must([](const GraphOptions& options) {
            return std::has_single_bit(static_cast<uint32_t>(options.registers))
                       ? arrow::Status::OK()
                       : UsageError("--graph.registers ", options.registers,
                                    ": write a power of two, such as 64 or 256");
          });
  return group;
}

}  // namespace trawl
