// The table of routing engines: what `weft list` prints, what the scenario's `engine:` may name.
#include <filesystem>

#include <fmt/format.h>

#include "models/routing/routing_engine_rows.h"

namespace weft {

std::span<const Choice<RoutingEngine>> routing_engines() {
  static constexpr Choice<RoutingEngine> kEngines[] = {
      {"minhop",
       "OpenSM's default: every destination over a least-hop port, the load spread by counting paths per "
       "port. Routes any fabric, and on one with the same GUIDs and LIDs gives the very tables OpenSM "
       "gives. Choose it for imported or irregular fabrics. Hops are least; freedom from credit loops is "
       "not promised: trees have none between their hosts, rings and tori do (`weft fabric validate` "
       "tells).",
       make_minhop},
      {"updn",
       "Up towards the roots and then down, never up again: minhop's tables with the ways left out that "
       "could make "
       "a circle of credits. Choose it for trees with cables missing or added, and for fabrics with a clear "
       "top; "
       "name the roots where they are not found. Guarantees freedom from deadlock on one lane; ways may be "
       "longer "
       "than least hops, and switches of the top do not reach each other.",
       make_updn},
      {"dnup",
       "Down and up, seen from the adapters' switches: as OpenSM has it, for fabrics whose top is not clear "
       "but "
       "whose leaves are. Ways that step between switches of one rank go on freely, so freedom from deadlock "
       "is not "
       "promised off trees (`weft fabric validate` tells).",
       make_dnup},
      {"dor",
       "Dimension-order routing by port numbers: of the least-hop ports the lowest. Choose it for meshes, "
       "hypercubes and HyperX, whose ports Weft numbers dimension by dimension, where it holds no credit "
       "loop; on "
       "a torus it does, there take torus-2QoS.",
       make_dor},
      {"random",
       "A least-hop port drawn for each switch and destination, once: static routing without a plan. Choose "
       "it as "
       "the baseline for a study. Least hops; free of credit loops on trees.",
       make_random},
      {"dmodk",
       "D-mod-K: the destination's number picks the way up a fat tree, so every shift permutation runs "
       "without contention and all-to-all loads every link alike. Choose it for generated fat trees. "
       "Guarantees least hops, up-then-down paths and so no credit loops; refuses a topology that is not a"
       " generated tree.",
       make_dmodk},
      {"torus-2QoS",
       "Tori and meshes of one to three dimensions along x, then y, then z, the shorter way round each ring, "
       "as OpenSM's engine of that name. Choose it for a generated torus, or for a real one that its "
       "torus-2QoS.conf describes. Guarantees freedom from deadlock on 2 data VLs, and on 4 round a failed "
       "switch, with service levels that a failure does not change; a ring that is cut goes round the other "
       "way. Refuses what it cannot route so: rings cut twice, lines cut once, switches missing here and "
       "there.",
       make_torus_2qos},
      {"ftree",
       "OpenSM's fat-tree engine: destinations are spread over the ways down in the order of the leaves, so "
       "shift permutations meet no contention in a full tree and little in one with hosts missing. Choose it "
       "for real fat trees; on one with the same GUIDs and LIDs it gives the very tables OpenSM gives. "
       "Guarantees up-then-down paths and so no credit loops, but where switches of one rank are cabled to "
       "each "
       "other or max_reverse_hops is used; without root_guids it refuses all but pure trees, as after a "
       "cable "
       "has failed.",
       make_ftree},
      {"sssp",
       "Single-source shortest paths: every destination in turn over the lightest links, which grow heavier "
       "with "
       "what they carry, so that the load is spread globally where minhop looks at one switch at a time. "
       "Least "
       "hops, any fabric; choose it for irregular fabrics and trees with parts missing. Credit loops are "
       "possible "
       "off trees: there take dfsssp, which routes alike.",
       make_sssp},
      {"dfsssp",
       "Deadlock-free SSSP: the tables of sssp, with the paths divided among virtual lanes so that no "
       "credits wait "
       "in a circle. Choose it for tori, dragonflies and irregular fabrics whose switches and adapters "
       "operate "
       "several lanes. Guarantees least hops and freedom from deadlock, or refuses: too few lanes.",
       make_dfsssp},
      {"nue",
       "Nue: deadlock-free on any fabric and with any number of lanes, one included, as it routes on the "
       "graph of what buffers wait for, and closes no circle there. Choose it for irregular, faulty or large "
       "fabrics whose circles dfsssp or lash would need too many lanes for. On a fabric with the same GUIDs "
       "and "
       "LIDs it gives the very tables OpenSM's engine gives. Guarantees that every pair is reached and "
       "freedom from deadlock within `max_vls` lanes; hops are not least, and with few lanes the middle of "
       "an escape tree may be crowded.",
       make_nue},
      {"lash",
       "Layered shortest path: one shortest way between every two switches, and these divided among virtual "
       "lanes so that no credits wait in a circle. Choose it for tori and irregular fabrics whose switches "
       "and adapters operate several lanes, or to see what OpenSM's engine does: on a fabric with the same "
       "GUIDs and LIDs it gives the very tables and lanes. Guarantees least hops and freedom from deadlock, "
       "or refuses: too few lanes. It spreads no load: of a fat tree's spines one takes everything, where "
       "dfsssp uses all.",
       make_lash},
      {"file",
       "The forwarding tables of a real fabric, read from opensm-lfts.dump, dump_lfts, dump_fts or ibroute"
       " output. Choose it to study the fabric as it is routed today, by whatever engine its subnet "
       "manager runs. Guarantees nothing of itself: the tables are taken as they are and judged by `weft "
       "fabric validate`.",
       make_lft_file},
  };
  return kEngines;
}

std::unique_ptr<RoutingEngine> make_routing_engine(std::string_view name) {
  for (const Choice<RoutingEngine>& row : routing_engines())
    if (row.name == name) return row.make();
  return nullptr;
}

void RoutingEngine::describe(Describe& d) {
  describe_engine(d);
  d.list("fallback", fallback,
         "Engines to take, in turn, when this one refuses the fabric; a note in the results says so. None: "
         "the run stops with the reason.");
}

std::string RoutingContext::path_of(const std::string& file) const {
  return (std::filesystem::path(base_folder) / file).string();
}

Refusal::Refusal(std::string_view engine, const std::string& reason)
    : BadValue("engine", fmt::format("{} refuses this fabric: {}", engine, reason)) {}

}  // namespace weft
