#include "models/routing/path_sl_writer.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "models/routing/switch_graph.h"
#include "sim/error.h"

namespace weft {

std::string write_path_sls(const Topology& topology, const PathSls& sls) {
  std::map<NodeIndex, std::vector<NodeIndex>> homes_of;  // of each adapter
  std::vector<Lid> lids;
  for (const LidOwner& owner : lid_owners(topology)) {
    if (owner.where.port == 0) continue;
    homes_of[owner.where.node].push_back(home_of(topology, owner.where));
    for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid) lids.push_back(lid);
  }
  std::ranges::sort(lids);
  std::string text;
  for (const auto& [node, homes] : homes_of) {
    for (const Lid lid : lids) {
      const std::uint8_t sl = sls.sl(homes.front(), lid);
      for (const NodeIndex home : homes)
        if (sls.sl(home, lid) != sl)
          throw BadValue("to",
                         fmt::format("{} would need service levels {} and {} to LID {}, by the port it sends "
                                     "from; this form of file has one for each adapter",
                                     topology.display_name(node), sl, sls.sl(home, lid), lid));
      fmt::format_to(std::back_inserter(text), "0x{:016x} {} {}\n", topology.nodes[node].guid, lid, sl);
    }
  }
  return text;
}

}  // namespace weft
