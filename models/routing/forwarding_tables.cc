#include "models/routing/forwarding_tables.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "sim/error.h"
#include "sim/fingerprint.h"

namespace weft {
namespace {

std::uint64_t hash(const LftBlock& block) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < LftBlock::kLids; at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, block.ports.data() + at, sizeof word);
    sum = mix64(sum + word);
  }
  return sum;
}

}  // namespace

LftBlock LftBlock::blank() {
  LftBlock block;
  block.ports.fill(kNoPort);
  return block;
}

Lft LftRow::written_out() const {
  Lft ports(lids_);
  for (std::size_t lid = 0; lid < lids_; lid += LftBlock::kLids) {
    const LftBlock& block = pool_[blocks_[lid / LftBlock::kLids]];
    std::copy_n(block.ports.begin(), std::min<std::size_t>(LftBlock::kLids, lids_ - lid),
                ports.begin() + lid);
  }
  return ports;
}

bool operator==(const LftRow& a, const LftRow& b) {
  if (a.lids_ != b.lids_) return false;
  const std::size_t blocks = (a.lids_ + LftBlock::kLids - 1) / LftBlock::kLids;
  for (std::size_t i = 0; i < blocks; ++i)
    if (a.pool_[a.blocks_[i]] != b.pool_[b.blocks_[i]]) return false;
  return true;
}

ForwardingTables::ForwardingTables(const Topology& topology)
    : lids_(std::size_t{topology.max_lid()} + 1),
      row_blocks_((lids_ + LftBlock::kLids - 1) / LftBlock::kLids),
      row_of_(topology.nodes.size(), kNoTable) {
  std::uint32_t rows = 1;
  for (NodeIndex node = 0; node < topology.nodes.size(); ++node)
    if (topology.nodes[node].kind == NodeKind::switch_) row_of_[node] = rows++;
  numbers_.assign(rows * row_blocks_, number_of(LftBlock::blank()));
}

void ForwardingTables::check_entry(NodeIndex node, std::size_t lids) const {
  if (node >= row_of_.size() || row_of_[node] == kNoTable || lids > lids_)
    invariant_failed("an entry is set in a switch's table",
                     fmt::format("node {} of {}, {} LIDs of {}", node, row_of_.size(), lids, lids_));
}

void ForwardingTables::set(NodeIndex node, std::span<const std::uint8_t> ports) {
  check_entry(node, ports.size());
  std::uint32_t* numbers = numbers_.data() + row_of_[node] * row_blocks_;
  for (std::size_t i = 0; i < row_blocks_; ++i) {
    LftBlock block = LftBlock::blank();
    const std::size_t first = std::min(i * LftBlock::kLids, ports.size());
    std::ranges::copy(ports.subspan(first, std::min<std::size_t>(LftBlock::kLids, ports.size() - first)),
                      block.ports.begin());
    numbers[i] = number_of(block);
  }
}

void ForwardingTables::set(NodeIndex node, Lid lid, std::uint8_t port) {
  check_entry(node, std::size_t{lid} + 1);
  std::uint32_t& number = numbers_[row_of_[node] * row_blocks_ + lid / LftBlock::kLids];
  LftBlock block = pool_[number];
  block.ports[lid % LftBlock::kLids] = port;
  number = number_of(block);
}

/// Its place in the pool, where it is put unless it stands there already.
std::uint32_t ForwardingTables::number_of(const LftBlock& block) {
  if (pool_.size() * 2 >= index_.size()) grow_index();
  std::size_t at = hash(block) & (index_.size() - 1);
  for (; index_[at] != kNone; at = (at + 1) & (index_.size() - 1))
    if (pool_[index_[at]] == block) return index_[at];
  index_[at] = static_cast<std::uint32_t>(pool_.size());
  pool_.push_back(block);
  return index_[at];
}

void ForwardingTables::grow_index() {
  index_.assign(std::max<std::size_t>(64, index_.size() * 2), kNone);
  for (std::uint32_t number = 0; number < pool_.size(); ++number) {
    std::size_t at = hash(pool_[number]) & (index_.size() - 1);
    while (index_[at] != kNone) at = (at + 1) & (index_.size() - 1);
    index_[at] = number;
  }
}

std::size_t ForwardingTables::stored_bytes() const {
  return row_of_.capacity() * sizeof(std::uint32_t) + numbers_.capacity() * sizeof(std::uint32_t) +
         pool_.capacity() * sizeof(LftBlock) + index_.capacity() * sizeof(std::uint32_t);
}

bool operator==(const ForwardingTables& a, const ForwardingTables& b) {
  if (a.size() != b.size()) return false;
  for (NodeIndex node = 0; node < a.size(); ++node)
    if (a[node] != b[node]) return false;
  return true;
}

}  // namespace weft
