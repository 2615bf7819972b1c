// The lines of an ibnetdiscover dump, one at a time: what each says, before anything is made of it.
//
// Written from the print statements of infiniband-diags (ibnetdiscover.c, 2006 to rdma-core 5x) and of the
// reader of ibsim (sim_net.c), whose .net files are the same language with liberties. What differs between
// versions is optional here: port GUIDs and speeds (absent in 2006), `[ext 3]` labels (-g), `s=4 w=2 v=8`
// (-f), `lid`/`lmc` of either end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/topology/topology.h"

namespace weft {

/// A line that cannot be read: where in it (from 1) and why.
struct LineError {
  std::uint32_t column = 1;
  std::string message;
};

/// What a line says of a link's speed; either half may be missing ("4x???", a 2006 dump).
struct StatedSpeed {
  std::optional<std::uint8_t> width;
  std::optional<Generation> generation;
};

/// `Switch 36 "S-0002c90200001000"  # "leaf" enhanced port 0 lid 7 lmc 0`; also Ca, Hca (ibsim) and Rt.
struct NodeLine {
  NodeKind kind = NodeKind::hca;
  unsigned ports = 0;
  std::string_view id;  // as quoted: "S-0002c90200001000", in an ibsim net any word
  std::uint32_t id_column = 1;
  Guid guid = 0;                 // from the id, where it has the form X-<hex digits>
  std::string_view description;  // empty when there is none
  bool enhanced_port0 = false;
  Lid lid = 0;
  std::uint8_t lmc = 0;
};

/// `[1](2c903) "S-0002c9"[19]  # lid 40 lmc 0 "leaf" lid 7 4xQDR`, and the forms around it.
struct PortLine {
  unsigned number = 0;
  std::string_view label;  // "3" of `[ext 3]`
  Guid guid = 0;
  std::string_view peer;
  std::uint32_t peer_column = 1;
  unsigned peer_number = 1;  // ibsim: 1 where the line names none
  Guid peer_guid = 0;
  std::optional<Lid> lid;  // of this end
  std::uint8_t lmc = 0;
  std::optional<Lid> peer_lid;
  StatedSpeed speed;
  std::string_view leftover;  // first word that fits nothing known
};

/// `vendid=0x2c9`, `switchguid=0x2c903(2c903)`, `width=8`.
struct IdLine {
  std::string_view key;
  std::uint64_t value = 0;
};

/// True when the line starts as one of these does; the reader below then says what is wrong with the rest.
bool is_node_line(std::string_view line);
bool is_port_line(std::string_view line);
bool is_id_line(std::string_view line);

/// @throws LineError
NodeLine read_node_line(std::string_view line);
PortLine read_port_line(std::string_view line);
IdLine read_id_line(std::string_view line);

/// Width and generation behind the PortInfo codes ibsim writes (`w=2`: 4x; masks mean their fastest bit).
std::optional<std::uint8_t> width_of_code(std::uint64_t code);
std::optional<Generation> generation_of_code(std::uint64_t code);

/// "4xNDR", "4x???", "??QDR"; nullopt for a word that is nothing of the kind.
std::optional<StatedSpeed> stated_speed(std::string_view word);

/// What this line is known to be, when it is no line of a dump but of another tool's output; empty otherwise.
std::string foreign_format(std::string_view line);
/// True for what tools and shells print around a dump ("ibwarn: ...", "$ ibnetdiscover"): no fault of the
/// dump.
bool is_noise(std::string_view line);

}  // namespace weft
