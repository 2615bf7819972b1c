// The factories behind the table of topologies, each defined in the file of its name.
#pragma once

#include <memory>

#include "models/topology/topology_builder.h"

namespace weft {

std::unique_ptr<TopologyBuilder> make_fat_tree();
std::unique_ptr<TopologyBuilder> make_xgft();
std::unique_ptr<TopologyBuilder> make_torus();
std::unique_ptr<TopologyBuilder> make_hyperx();
std::unique_ptr<TopologyBuilder> make_dragonfly();
std::unique_ptr<TopologyBuilder> make_dragonfly_plus();
std::unique_ptr<TopologyBuilder> make_slim_fly();
std::unique_ptr<TopologyBuilder> make_explicit();
std::unique_ptr<TopologyBuilder> make_ibnetdiscover();

}  // namespace weft
