// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/left_out.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/counted.h"

namespace heapprof {

void LeftOutDumps::Add(const std::string& path, std::string_view reason) {
  const std::string prefix = path + ": ";
  if (reason.starts_with(prefix)) reason.remove_prefix(prefix.size());
  const auto known = std::ranges::find(groups_, reason, &Group::reason);
  if (known == groups_.end())
    groups_.push_back({std::string(reason), path});
  else
    ++known->more;
}

void LeftOutDumps::Note(Diagnostics& diagnostics) {
  for (const Group& group : std::exchange(groups_, {}))
    diagnostics.Note(fmt::format(
        "left out: {}{}{}",
        group.reason.starts_with(group.first) ? "" : group.first + ": ",
        group.reason,
        group.more == 0
            ? ""
            : fmt::format(" (and {})", Counted(group.more, "more dump"))));
}

}  // namespace heapprof
