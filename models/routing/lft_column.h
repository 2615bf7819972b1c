// What all switches do with packets for one LID, then for the next: tables read across, not along.
#pragma once

#include <cstdint>
#include <vector>

#include "models/routing/forwarding_tables.h"

namespace weft {

class LftColumn {
 public:
  /// Reads the tables of `switches`, numbered as they stand there. `tables` must outlive it, unchanged.
  LftColumn(const ForwardingTables& tables, std::vector<NodeIndex> switches)
      : tables_(tables), switches_(std::move(switches)), blocks_(switches_.size()) {}

  void look_at(Lid lid) {
    within_ = lid % LftBlock::kLids;
    if (lid / LftBlock::kLids != block_) find_blocks(lid / LftBlock::kLids);
  }
  /// The entry of the LID looked at in the table of switch number `s`.
  std::uint8_t operator[](std::uint32_t s) const { return blocks_[s]->ports[within_]; }

 private:
  void find_blocks(std::size_t block) {
    static const LftBlock kBeyond = LftBlock::blank();
    block_ = block;
    const bool beyond = block > tables_.last_lid() / LftBlock::kLids;
    for (std::size_t s = 0; s < switches_.size(); ++s)
      blocks_[s] = beyond ? &kBeyond : tables_.pool() + tables_[switches_[s]].blocks()[block];
  }

  const ForwardingTables& tables_;
  std::vector<NodeIndex> switches_;
  std::vector<const LftBlock*> blocks_;  // by switch: the block that holds the LID
  std::size_t block_ = static_cast<std::size_t>(-1);
  unsigned within_ = 0;
};

}  // namespace weft
