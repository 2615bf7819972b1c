// A Topology as Slurm's topology.conf, for its topology/tree plugin.
//
// Slurm knows a hierarchy: every node below one leaf, every switch below one parent. A fabric is told to it
// so:
// - machines that are on the same switches are below one leaf: the leaves of a group of rail-optimised
// machines,
//   and those of all planes, are one to Slurm;
// - a level up, the switches that cables down from a level join are one: a pod, not each of its spines. The
// line
//   says in a comment which switches it stands for, and has the name of the first;
// - where switches of one level are cabled with each other (a dragonfly's groups, a HyperX, a spine with
// machines
//   of its own), one switch `top` joins what these cables join, and a comment names TopologyParam=dragonfly,
//   which spreads a job over many leaves. A torus that a generator has made is refused: Slurm's
//   topology/3d_torus is for these, and has no topology.conf.
// LinkSpeed is left out: Slurm does not use it. Node names are the machines', which slurm.conf must name
// alike. Source: topology.conf(5) and the topology guide of Slurm 22.05.
#pragma once

#include <string>

#include "models/topology/topology.h"

namespace weft {

/// @throws BadValue ("") where Slurm's tree has no place for the fabric, with the reason
std::string write_slurm(const Topology& topology);

}  // namespace weft
