// 128-bit integers: a compiler extension of gcc and clang, named once.
#pragma once

namespace weft {

__extension__ typedef unsigned __int128 Uint128;

}  // namespace weft
