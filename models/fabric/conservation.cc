// Nothing is lost and nothing appears: packets, bytes, and the credit blocks of every link and VL.
#include <fmt/format.h>

#include "models/fabric/world.h"

namespace weft {

std::vector<std::string> World::check_conservation() const {
  std::vector<std::string> wrong;
  std::uint64_t live = 0, live_bytes = 0;
  std::vector<std::uint32_t> held(
      lanes_.size());  // blocks of live packets, by the lane whose credit they took
  for (const Packet& packet : packets_) {
    if (packet.bytes == 0) continue;
    ++live;
    live_bytes += packet.bytes;
    const bool copy = packet.has(Packet::multicast) && packet.has(Packet::queued);  // its hold counts
    if (packet.in_link != kNone && !copy) held[lane_held(packet)] += credit_blocks(packet.bytes);
  }
  for (const MulticastHold& hold : holds_)
    if (hold.copies > 0) held[lane_held(hold.packet)] += credit_blocks(hold.packet.bytes);
  for (std::size_t h = 0; h < hcas_.size(); ++h)
    for (unsigned vl = 0; vl < lane_stride_; ++vl)
      if (const std::uint32_t link = peer_[hca_rows_[h].port]; link != kNone)
        held[std::size_t{link} * lane_stride_ + vl] += hcas_[h].held_blocks[vl];
  if (live != live_packets_)
    wrong.push_back(fmt::format("t={} ps: {} packets are live, {} counted", now_, live, live_packets_));
  const Counts& c = counts_;
  if (c.injected + c.copied != c.delivered + c.dropped + live)
    wrong.push_back(
        fmt::format("t={} ps: {} packets injected + {} copied, {} delivered + {} dropped + {} live", now_,
                    c.injected, c.copied, c.delivered, c.dropped, live));
  if (c.injected_bytes + c.copied_bytes != c.delivered_bytes + c.dropped_bytes + live_bytes)
    wrong.push_back(fmt::format("t={} ps: {} bytes injected + {} copied, {} delivered + {} dropped + {} live",
                                now_, c.injected_bytes, c.copied_bytes, c.delivered_bytes, c.dropped_bytes,
                                live_bytes));
  for (std::uint32_t p = 0; p < ports_.size(); ++p)
    for (unsigned vl = 0; vl < lane_stride_ && ports_[p].is(PortRow::cabled); ++vl) {
      const std::size_t at = std::size_t{p} * lane_stride_ + vl;
      const CreditState& credit = lanes_[at].credit;
      const std::uint32_t pending = pending_blocks_.empty() ? 0 : pending_blocks_[at];
      const std::uint32_t sum = credit.available() + credit.returning(spill_) + pending + held[at];
      if (sum != window_[at])
        wrong.push_back(
            fmt::format("t={} ps, {} VL {}: {} blocks available + {} returning + {} untold + {} held = {}, "
                        "not the {} of the buffer",
                        now_, topology_.display_name(port_ref(p)), vl, credit.available(),
                        credit.returning(spill_), pending, held[at], sum, window_[at]));
    }
  return wrong;
}

}  // namespace weft
