#include "models/routing/path_sls.h"

namespace weft {

PathSls::PathSls(const Topology& topology)
    : lids_(std::size_t{topology.max_lid()} + 1), row_of_(topology.nodes.size(), kNone) {
  std::uint32_t rows = 0;
  for (NodeIndex node = 0; node < topology.nodes.size(); ++node)
    if (topology.nodes[node].kind == NodeKind::switch_) row_of_[node] = rows++;
  sls_.resize(rows * lids_);
}

}  // namespace weft
