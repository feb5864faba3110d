// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/left_out.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/char_class.h"
#include "heapprof/base/counted.h"

namespace heapprof {
namespace {

// Returns what a reason has in common with that of another dump, which may be
// cut off in another line.
std::string WithoutNumbers(std::string_view reason) {
  std::string kind(reason);
  std::erase_if(kind, IsDigit);
  return kind;
}

}  // namespace

void LeftOutDumps::Add(const std::string& path, std::string_view reason) {
  std::string text(reason);
  if (!reason.starts_with(path + ':')) text = path + ": " + text;
  std::string kind = WithoutNumbers(std::string_view(text).substr(path.size()));
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
