// The factories behind the table of routing engines, each defined in the file of its name.
#pragma once

#include <memory>

#include "models/routing/routes.h"

namespace weft {

std::unique_ptr<RoutingEngine> make_minhop();
std::unique_ptr<RoutingEngine> make_updn();
std::unique_ptr<RoutingEngine> make_dnup();
std::unique_ptr<RoutingEngine> make_dor();
std::unique_ptr<RoutingEngine> make_random();
std::unique_ptr<RoutingEngine> make_dmodk();
std::unique_ptr<RoutingEngine> make_ftree();
std::unique_ptr<RoutingEngine> make_sssp();
std::unique_ptr<RoutingEngine> make_dfsssp();
std::unique_ptr<RoutingEngine> make_nue();
std::unique_ptr<RoutingEngine> make_lash();
std::unique_ptr<RoutingEngine> make_lft_file();
std::unique_ptr<RoutingEngine> make_torus_2qos();

}  // namespace weft
