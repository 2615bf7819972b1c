// Who can talk to whom: what make_workloads tells the patterns, so that traffic which cannot arrive is
// refused at once.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "scenarios/loader.h"

namespace weft {

/// The service level the routes want from one endpoint to another; empty where they leave it to the traffic.
/// @param endpoints and `p` outlive the result
std::function<std::uint32_t(std::uint32_t from, std::uint32_t to)> path_sls_of(
    const Prepared& p, const std::vector<Endpoint>& endpoints);

/// Whether an endpoint has a data VL for a service level; empty where no map drops any.
/// @param endpoints and `p` outlive the result
std::function<bool(std::uint32_t endpoint, std::uint32_t sl)> lanes_of(
    const Prepared& p, const std::vector<Endpoint>& endpoints);

}  // namespace weft
