#include "tools/fabric_formats.h"

#include "models/routing/fdbs_writer.h"
#include "models/routing/lft_writer.h"
#include "models/routing/multicast_writer.h"
#include "models/routing/path_sl_writer.h"
#include "models/routing/sl2vl_writer.h"
#include "models/routing/subnet_list_writer.h"
#include "models/routing/torus_2qos/config.h"
#include "models/routing/torus_2qos/of_grid.h"
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
      {"fdbs", "the forwarding tables with hops, as OpenSM's opensm.fdbs: ibdmchk -f reads them", true,
       [](const Prepared& p) { return write_fdbs(p.topology, p.routes); }},
      {"subnet_lst", "the fabric as OpenSM's opensm-subnet.lst, which ibdmchk -s reads", false,
       [](const Prepared& p) { return write_subnet_list(p.topology); }},
      {"path_sls", "the service level of each path, which ibdmchk -c reads", true,
       [](const Prepared& p) { return write_path_sls(p.topology, p.routes.path_sls); }},
      {"sl2vl", "the SL2VL tables, which ibdmchk -d reads", true,
       [](const Prepared& p) { return write_sl2vl(p.topology, p.settings.sl2vl); }},
      {"torus_conf", "what OpenSM's torus-2QoS must be told of a generated torus or mesh (torus-2QoS.conf)",
       false, [](const Prepared& p) { return write_torus_config(config_of_grid(p.topology)); }},
      {"dot", "a picture for Graphviz", false, [](const Prepared& p) { return write_dot(p.topology); }},
      {"json", "nodes, cables, addresses and shape, for programs of one's own", false,
       [](const Prepared& p) { return write_json(p.topology); }},
      {"slurm", "topology.conf of Slurm's topology/tree", false,
       [](const Prepared& p) { return write_slurm(p.topology); }},
  };
  return kFormats;
}

}  // namespace weft
