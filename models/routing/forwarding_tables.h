// The linear forwarding tables (LFTs) of a fabric's switches, in blocks of 64 LIDs, equal blocks stored once.
//
// A block is what IBA's LinearForwardingTable attribute carries (vol. 1, 14.2.5.6). In a tree most switches
// send most blocks alike: a leaf all destinations but its own by one pattern of up-ports, a core whole blocks
// by one port. So a table is a row of block numbers into a pool that the whole fabric shares, and the tables
// of 100,000 hosts take some tens of megabytes instead of hosts x switches bytes. Nothing here knows what a
// tree is: tables of any engine, or of a real fabric, are stored so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/topology/topology.h"
#include "sim/big_vector.h"

namespace weft {

/// The entry of a LID the switch drops.
inline constexpr std::uint8_t kNoPort = 255;

/// One whole table written out: the output port for each LID from 0 on. What engines fill, a switch at a
/// time.
using Lft = std::vector<std::uint8_t>;

/// The output ports of 64 consecutive LIDs.
struct alignas(64) LftBlock {
  static constexpr unsigned kLids = 64;
  std::array<std::uint8_t, kLids> ports;
  static LftBlock blank();  // all kNoPort
  friend bool operator==(const LftBlock&, const LftBlock&) = default;
};

/// One node's table as it stands in ForwardingTables; good until those are changed or gone.
class LftRow {
 public:
  /// kNoPort for LIDs beyond the table, and for all LIDs of a node without one.
  std::uint8_t operator[](Lid lid) const { return lid < lids_ ? entry(blocks_, pool_, lid) : kNoPort; }
  /// LIDs it covers, from 0 on; 0 for a node without a table.
  std::size_t size() const { return lids_; }
  bool empty() const { return lids_ == 0; }
  Lft written_out() const;
  friend bool operator==(const LftRow& a, const LftRow& b);
  friend bool operator==(const LftRow& a, const Lft& b) { return a.written_out() == b; }

  /// The two loads of a look-up, for who keeps the pointers: no check that the table reaches `lid`.
  static std::uint8_t entry(const std::uint32_t* blocks, const LftBlock* pool, Lid lid) {
    return pool[blocks[lid / LftBlock::kLids]].ports[lid % LftBlock::kLids];
  }
  /// Numbers of its blocks in the pool, one for every 64 LIDs up to ForwardingTables::last_lid(), whether the
  /// node has a table or not.
  const std::uint32_t* blocks() const { return blocks_; }

 private:
  friend class ForwardingTables;
  LftRow(const std::uint32_t* blocks, const LftBlock* pool, std::size_t lids)
      : blocks_(blocks), pool_(pool), lids_(lids) {}

  const std::uint32_t* blocks_;
  const LftBlock* pool_;
  std::size_t lids_;
};

class ForwardingTables {
 public:
  ForwardingTables() = default;
  /// A table of kNoPort for each switch of `topology`, reaching to its highest LID in use.
  explicit ForwardingTables(const Topology& topology);

  /// Nodes, with a table or without.
  std::size_t size() const { return row_of_.size(); }
  bool empty() const { return row_of_.empty(); }
  Lid last_lid() const { return lids_ == 0 ? 0 : static_cast<Lid>(lids_ - 1); }
  LftRow operator[](NodeIndex node) const {
    const std::uint32_t row = row_of_[node];
    return {numbers_.data() + row * row_blocks_, pool_.data(), row == kNoTable ? 0 : lids_};
  }

  /// Replaces the whole table of a switch; LIDs behind the end of `ports` become kNoPort.
  void set(NodeIndex node, std::span<const std::uint8_t> ports);
  /// Changes one entry. The block it replaces stays in the pool: for corrections, not for filling tables.
  void set(NodeIndex node, Lid lid, std::uint8_t port);

  const LftBlock* pool() const { return pool_.data(); }
  std::size_t pool_blocks() const { return pool_.size(); }
  std::size_t stored_bytes() const;

  /// Same nodes with tables, reaching equally far, with the same entries.
  friend bool operator==(const ForwardingTables& a, const ForwardingTables& b);

 private:
  static constexpr std::uint32_t kNoTable = 0;  // the row of all nodes without a table

  void check_entry(NodeIndex node, std::size_t lids) const;
  std::uint32_t number_of(const LftBlock& block);
  void grow_index();

  std::size_t lids_ = 0;               // every table covers
  std::size_t row_blocks_ = 0;         // blocks of a row
  std::vector<std::uint32_t> row_of_;  // by node
  BigVector<std::uint32_t> numbers_;   // [row * row_blocks_ + block] -> place in pool_
  std::vector<LftBlock> pool_;         // no two alike; the first holds kNoPort
  std::vector<std::uint32_t> index_;   // hash table of places in pool_, open addressing; kNone = free
};

}  // namespace weft
