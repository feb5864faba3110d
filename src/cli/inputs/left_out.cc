// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/left_out.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/about_file.h"
#include "heapprof/base/counted.h"

namespace heapprof {
void LeftOutDumps::Add(const std::string& path, std::string_view reason) {
  std::string text = AboutFile(path, reason);
  std::string kind = CommonText(path, text);
  const auto known = std::ranges::find(groups_, kind, &Group::kind);
  if (known == groups_.end())
    groups_.push_back({std::move(kind), std::move(text)});
  else
    ++known->more;
}

void LeftOutDumps::Note(Diagnostics& diagnostics) {
  for (const Group& group : std::exchange(groups_, {}))
    diagnostics.Note(fmt::format(
        "left out: {}{}", group.first,
        group.more == 0
            ? ""
            : fmt::format(" (and {})", Counted(group.more, "more dump"))));
}

}  // namespace heapprof
