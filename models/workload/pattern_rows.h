// The factories behind the table of patterns.
#pragma once

#include <memory>

#include "models/workload/pattern.h"

namespace weft {

std::unique_ptr<Pattern> make_ping_pong();
std::unique_ptr<Pattern> make_permutation();
std::unique_ptr<Pattern> make_shift();
std::unique_ptr<Pattern> make_bisection();
std::unique_ptr<Pattern> make_incast();
std::unique_ptr<Pattern> make_all_to_all();
std::unique_ptr<Pattern> make_pairs();
std::unique_ptr<Pattern> make_csv();
std::unique_ptr<Pattern> make_multicast();

}  // namespace weft
