#include "tools/fabric_formats.h"

#include "models/routing/lft_writer.h"
#include "models/routing/multicast_writer.h"
#include "models/topology/dot_writer.h"
#include "models/topology/ibnetdiscover_writer.h"
#include "models/topology/ibsim_writer.h"
#include "models/topology/json_writer.h"
#include "models/topology/slurm_writer.h"

namespace weft {

std::span<const FabricFormat> fabric_formats() {
  static constexpr FabricFormat kFormats[] = {
      {"ibnetdiscover", "the dump ibnetdiscover would print; Weft and other tools read it", false,
       [](const Prepared& p) { return write_ibnetdiscover(p.topology); }},
      {"ibsim", "the same as a net that ibsim 0.10 simulates, faster links written as HDR", false,
       [](const Prepared& p) { return write_ibsim(p.topology); }},
      {"lft", "the forwarding tables, as OpenSM's opensm-lfts.dump", true,
       [](const Prepared& p) { return write_lfts(p.topology, p.routes); }},
      {"mft", "the trees of the scenario's multicast groups, as OpenSM's opensm.mcfdbs", true,
       [](const Prepared& p) { return write_multicast(p.topology, p.routes.multicast); }},
      {"dot", "a picture for Graphviz", false, [](const Prepared& p) { return write_dot(p.topology); }},
      {"json", "nodes, cables, addresses and shape, for programs of one's own", false,
       [](const Prepared& p) { return write_json(p.topology); }},
      {"slurm", "topology.conf of Slurm's topology/tree", false,
       [](const Prepared& p) { return write_slurm(p.topology); }},
  };
  return kFormats;
}

}  // namespace weft
