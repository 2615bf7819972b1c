// Multicast: members of a group send to all the others.
#include <algorithm>

#include <fmt/format.h>

#include "models/workload/closed_loop.h"
#include "models/workload/pattern_rows.h"
#include "sim/error.h"

namespace weft {
namespace {

class Multicast : public PlannedPattern {
 public:
  Multicast() { loop_.message = Bytes{2048}; }

  void describe(Describe& d) override {
    d.list("members", members_, "Who belongs to the group; every endpoint when left out.");
    d.list("from", from_, "The members that send; the first when left out.");
    loop_.describe(d);
    stream.describe(d);
  }

  std::vector<std::uint32_t> group(const PatternContext& context) const override {
    std::vector<std::uint32_t> members = find_all(context, members_, "members");
    if (members_.empty())
      for (std::uint32_t e = 0; e < context.endpoints.size(); ++e) members.push_back(e);
    if (members.size() < 2) throw BadValue("members", "a group of one has nobody to send to");
    return members;
  }

  SendPlan plan(const PatternContext& context) const override {
    if (loop_.message.count > context.mtu)
      throw BadValue(
          "message",
          fmt::format("a multicast message is one datagram of {} B at most (fabric.mtu)", context.mtu));
    const std::vector<std::uint32_t> members = group(context);
    std::vector<std::uint32_t> senders = find_all(context, from_, "from");
    for (std::size_t i = 0; i < senders.size(); ++i)
      if (std::ranges::find(members, senders[i]) == members.end())
        throw BadValue(fmt::format("from[{}]", i), fmt::format("`{}` is no member of the group", from_[i]));
    if (senders.empty()) senders.push_back(members.front());
    for (const std::uint32_t member : members)
      check_flow(context, members.front(), member, stream.sl.value_or(0));
    SendPlan sends;
    sends.sources = static_cast<std::uint32_t>(context.endpoints.size());
    sends.count = [senders](std::uint32_t source) -> std::uint64_t {
      return std::ranges::find(senders, source) == senders.end() ? 0 : 1;
    };
    sends.group = context.group == Message::kNoGroup ? 0 : context.group;
    sends.members = static_cast<std::uint32_t>(members.size());
    return sends;
  }

 private:
  /// Endpoints by the names of a list, each at most once.
  static std::vector<std::uint32_t> find_all(const PatternContext& context,
                                             const std::vector<std::string>& names, const char* key) {
    const EndpointNames endpoints(context);
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string place = fmt::format("{}[{}]", key, i);
      const std::uint32_t endpoint = endpoints.find(names[i], place);
      if (std::ranges::find(found, endpoint) != found.end())
        throw BadValue(place, fmt::format("`{}` is listed twice", names[i]));
      found.push_back(endpoint);
    }
    return found;
  }

  std::vector<std::string> members_, from_;
};

}  // namespace

std::unique_ptr<Pattern> make_multicast() { return std::make_unique<Multicast>(); }

}  // namespace weft
