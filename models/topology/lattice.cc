#include "models/topology/lattice.h"

#include "models/topology/generator.h"

namespace weft {

namespace {

constexpr std::size_t kMostDimensions = 8;

}  // namespace

Lattice::Lattice(std::vector<std::uint32_t> size) : size_(std::move(size)) {
  if (size_.empty() || size_.size() > kMostDimensions)
    throw BadValue("size", fmt::format("give the switches along each of 1 to {} dimensions: size: [4, 4, 4]",
                                       kMostDimensions));
  std::uint64_t switches = 1;
  for (std::size_t d = 0; d < size_.size(); ++d) {
    const std::string key = fmt::format("size[{}]", d);
    if (size_[d] == 0) throw BadValue(key, "a dimension has at least one switch");
    stride_.push_back(static_cast<std::uint32_t>(switches));
    switches *= size_[d];
    if (switches > kMostSwitchPorts)
      throw BadValue(key, fmt::format("{} switches are too many to simulate", switches));
  }
  switches_ = static_cast<std::uint32_t>(switches);
}

std::string Lattice::name(std::uint32_t n) const {
  std::string text = "sw";
  for (std::size_t d = 0; d < size_.size(); ++d) text += numbered(d == 0 ? "" : "-", at(n, d), size_[d], 1);
  return text;
}

}  // namespace weft
