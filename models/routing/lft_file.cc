#include "models/routing/lft_file.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "models/routing/lft_text.h"
#include "models/routing/routing_engine_rows.h"
#include "models/routing/switch_graph.h"

namespace weft {
namespace {

/// Which LID of the topology a LID of the dump means.
class LidMap {
 public:
  LidMap(const TextFile& file, const std::vector<LftTable>& tables, const Topology& topology,
         Diagnostics& errors)
      : file_(file), topology_(topology), errors_(errors), owners_(lid_owners(topology)) {
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      for (std::uint32_t bit = 0; bit < owners_[i].lids; ++bit) by_lid_.emplace(owners_[i].base + bit, i);
      if (const Guid guid = guid_of(owners_[i]); guid != 0) by_guid_.emplace(guid, i);
    }
    for (const LftTable& table : tables) {
      for (const LftEntry& entry : table.entries) note(entry);
    }
    std::size_t same = 0, other = 0;
    for (const auto& [lid, entry] : said_) {
      const Lid meant = by_port_guid(entry);
      if (meant != 0) ++(meant == lid ? same : other);
    }
    renumbered_ = other > same;
    for (const auto& [lid, entry] : said_) decide(entry);
  }

  /// 0 when the topology has no such LID.
  Lid topology_lid(Lid lid) const {
    const auto found = meaning_.find(lid);
    return found == meaning_.end() ? 0 : found->second;
  }

  void warn(std::vector<std::string>& warnings) const {
    if (renumbered_) {
      warnings.push_back(
          fmt::format("{} gives other LIDs than the topology; they are matched by port GUID", file_.name()));
    }
    if (other_guid_ != 0) {
      warnings.push_back(
          fmt::format("{}: {} LIDs have another port GUID than in the topology; they are matched by LID "
                      "and node name",
                      file_.name(), other_guid_));
    }
    if (unknown_ != 0) {
      warnings.push_back(fmt::format("{}: entries of {} LIDs that no port of the topology has are left out",
                                     file_.name(), unknown_));
    }
  }

 private:
  Guid guid_of(const LidOwner& owner) const {
    const Node& node = topology_.nodes[owner.where.node];
    return owner.where.port == 0 ? node.guid : node.port(owner.where.port).guid;
  }

  /// Keeps the first line that names the LID's owner, or the first line at all.
  void note(const LftEntry& entry) {
    LftEntry& kept = said_.try_emplace(entry.lid, entry).first->second;
    if (entry.port_guid == 0 || entry.port_guid == kept.port_guid) return;
    if (kept.port_guid != 0) {
      errors_.add(file_.at(entry.line),
                  fmt::format("LID {} belongs to port 0x{:016x} here, to 0x{:016x} in line {}", entry.lid,
                              entry.port_guid, kept.port_guid, kept.line));
      return;
    }
    kept = entry;
  }

  Lid by_port_guid(const LftEntry& entry) {
    const auto found = by_guid_.find(entry.port_guid);
    if (entry.port_guid == 0 || found == by_guid_.end()) return 0;
    // said_ is in LID order, so the first LID met for a port is its base LID.
    const Lid base = dump_base_.try_emplace(entry.port_guid, entry.lid).first->second;
    const LidOwner& owner = owners_[found->second];
    return entry.lid - base < owner.lids ? owner.base + (entry.lid - base) : 0;
  }

  void decide(const LftEntry& entry) {
    const Lid meant = by_port_guid(entry);
    const auto here = by_lid_.find(entry.lid);
    if (meant != 0 && (renumbered_ || meant == entry.lid)) {
      meaning_.emplace(entry.lid, meant);
    } else if (renumbered_) {
      ++unknown_;
    } else if (meant != 0) {
      errors_.add(file_.at(entry.line),
                  fmt::format("LID {} belongs to {} here, which has LID {} in the topology", entry.lid,
                              name(by_guid_.at(entry.port_guid)), meant));
    } else if (here == by_lid_.end()) {
      ++unknown_;
    } else if (const Guid guid = guid_of(owners_[here->second]); entry.port_guid == 0 || guid == 0) {
      meaning_.emplace(entry.lid, entry.lid);
    } else if (entry.name == topology_.nodes[owners_[here->second].where.node].name) {
      meaning_.emplace(entry.lid, entry.lid);
      ++other_guid_;
    } else {
      errors_.add(file_.at(entry.line),
                  fmt::format("LID {} belongs to port 0x{:016x} here, to {} (0x{:016x}) in the topology",
                              entry.lid, entry.port_guid, name(here->second), guid));
    }
  }

  std::string name(std::size_t owner) const {
    const PortRef where = owners_[owner].where;
    return where.port == 0 ? topology_.display_name(where.node) : topology_.display_name(where);
  }

  const TextFile& file_;
  const Topology& topology_;
  Diagnostics& errors_;
  std::vector<LidOwner> owners_;
  std::unordered_map<Lid, std::size_t> by_lid_;
  std::unordered_map<Guid, std::size_t> by_guid_;
  std::map<Lid, LftEntry> said_;             // by the dump's LID
  std::unordered_map<Guid, Lid> dump_base_;  // lowest LID of a port in the dump
  std::unordered_map<Lid, Lid> meaning_;
  std::size_t unknown_ = 0, other_guid_ = 0;
  bool renumbered_ = false;
};

class Reader {
 public:
  Reader(const TextFile& file, const Topology& topology) : file_(file), topology_(topology) {
    routes_.engine = "file";
    routes_.lft = ForwardingTables(topology);
    for (NodeIndex node = 0; node < topology.nodes.size(); ++node) {
      const Node& sw = topology.nodes[node];
      if (sw.kind == NodeKind::switch_ && sw.guid != 0) switch_by_guid_.emplace(sw.guid, node);
    }
  }

  Routes read() {
    const std::vector<LftTable> tables = parse_lfts(file_);
    const Lid highest = std::max(kLastUnicastLid, topology_.max_lid());
    for (const LftTable& table : tables) {
      for (const LftEntry& entry : table.entries) {
        if (entry.lid != 0 && entry.lid <= highest) continue;
        errors_.add(file_.at(entry.line),
                    fmt::format("LID {} is no unicast LID (1 to {})", entry.lid, highest));
      }
    }
    const LidMap lids(file_, tables, topology_, errors_);
    for (const LftTable& table : tables) {
      if (const NodeIndex node = switch_of(table); node != kNone) fill(table, node, lids);
    }
    every_switch_has_one();
    errors_.check();
    lids.warn(routes_.warnings);
    count_gaps();
    return std::move(routes_);
  }

 private:
  NodeIndex switch_of(const LftTable& table) {
    NodeIndex node = kNone;
    if (const auto found = switch_by_guid_.find(table.guid); found != switch_by_guid_.end()) {
      node = found->second;
    } else {
      node = table.name.empty() ? kNone : topology_.find(table.name);
      if (node == kNone || topology_.nodes[node].kind != NodeKind::switch_) {
        const std::size_t at = file_.line(table.line).find(" guid 0x");
        errors_.add(file_.at(table.line, at == std::string_view::npos ? 1 : at + 7),
                    fmt::format("the topology has no switch with GUID 0x{:016x} or name `{}`", table.guid,
                                table.name));
        return kNone;
      }
      routes_.warnings.push_back(fmt::format(
          "{}:{}: {} is matched by name: its GUID is 0x{:016x} in the dump, 0x{:016x} in the topology",
          file_.name(), table.line, table.name, table.guid, topology_.nodes[node].guid));
    }
    if (const auto [first, added] = heading_.emplace(node, table.line); !added) {
      errors_.add(file_.at(table.line), fmt::format("a second table for {}; the first is in line {}",
                                                    topology_.display_name(node), first->second));
      return kNone;
    }
    return node;
  }

  void fill(const LftTable& table, NodeIndex node, const LidMap& lids) {
    const std::size_t ports = topology_.nodes[node].ports.size();
    Lft row = blank_table(topology_.nodes[node], routes_.lft.last_lid());
    std::unordered_map<Lid, const LftEntry*> seen;
    for (const LftEntry& entry : table.entries) {
      if (entry.port != kNoPort && entry.port > ports) {
        errors_.add(
            port_location(file_, entry),
            fmt::format("{} has {} ports, so no port {}", topology_.display_name(node), ports, entry.port));
        continue;
      }
      const auto [first, added] = seen.emplace(entry.lid, &entry);
      if (!added && first->second->port != entry.port) {
        errors_.add(port_location(file_, entry),
                    fmt::format("{} sends LID {} to port {} here, to port {} in line {}",
                                topology_.display_name(node), entry.lid, entry.port, first->second->port,
                                first->second->line));
      }
      if (const Lid lid = lids.topology_lid(entry.lid); lid != 0) row[lid] = entry.port;
    }
    routes_.lft.set(node, row);
  }

  void every_switch_has_one() {
    std::size_t missing = 0;
    NodeIndex first = kNone;
    for (NodeIndex node = 0; node < topology_.nodes.size(); ++node) {
      if (topology_.nodes[node].kind != NodeKind::switch_ || heading_.contains(node)) continue;
      if (missing++ == 0) first = node;
    }
    if (missing == 0) return;
    std::string who =
        fmt::format("{} (0x{:016x})", topology_.display_name(first), topology_.nodes[first].guid);
    if (missing > 1) who += fmt::format(" and {} more of the topology's switches", missing - 1);
    errors_.add({file_.name(), 0, 0, {}}, fmt::format("holds no table for {}", who));
  }

  void count_gaps() {
    std::size_t gaps = 0;
    const std::vector<LidOwner> owners = lid_owners(topology_);
    for (const auto& [node, line] : heading_) {
      const LftRow row = routes_.lft[node];
      for (const LidOwner& owner : owners) {
        for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid) gaps += row[lid] == kNoPort;
      }
    }
    if (gaps == 0) return;
    routes_.warnings.push_back(
        fmt::format("{}: {} (switch, LID) pairs of the topology have no entry; such packets are dropped",
                    file_.name(), gaps));
  }

  const TextFile& file_;
  const Topology& topology_;
  Diagnostics errors_;
  Routes routes_;
  std::unordered_map<Guid, NodeIndex> switch_by_guid_;
  std::map<NodeIndex, std::size_t> heading_;  // line of each switch's table
};

class LftFile final : public RoutingEngine {
 public:
  void describe_engine(Describe& d) override {
    d.field("file", file_,
            "Dump of the forwarding tables, plain or gzip: opensm-lfts.dump, or the output of "
            "dump_lfts, dump_fts or ibroute.")
        .required();
  }

  Routes route(const Topology& topology, const RoutingContext& context) const override {
    return routes_from_dump(TextFile::load(context.path_of(file_)), topology);
  }
  bool plane_by_plane() const override { return false; }

 private:
  std::string file_;
};

}  // namespace

Routes routes_from_dump(const TextFile& file, const Topology& topology) {
  return Reader(file, topology).read();
}

std::unique_ptr<RoutingEngine> make_lft_file() { return std::make_unique<LftFile>(); }

}  // namespace weft
