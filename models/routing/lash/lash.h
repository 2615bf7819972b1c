// lash: shortest ways, spread over virtual lanes so that none can deadlock, on any fabric (Skeie, Lysne and
// Theiss, IPDPS 2002; Lysne, Skeie, Reinemo and Theiss, IEEE TPDS 17(1), 2006), as OpenSM 3.3.23 does it.
//
// Tables are OpenSM's entry by entry, and so are the lanes of its first routing of a fabric after it started.
// Left out: a re-routing's lanes, for which OpenSM's random numbers go on where they were. Where OpenSM would
// balance lanes for ever, balancing stops.
#pragma once

#include "models/routing/routes.h"

namespace weft {

struct LashOptions {
  unsigned max_vls = 8;           // data VLs it may count on, those before start_vl included
  unsigned start_vl = 0;          // the first it uses (OpenSM's lash_start_vl)
  bool do_mesh_analysis = false;  // order links by axis where the fabric looks like a mesh or torus
};

/// Every path's service level is its lane. Memory and time grow with the square of the switches.
/// @throws Refusal when the lanes do not suffice
Routes lash_routes(const Topology& topology, const LashOptions& options = {});

}  // namespace weft
