// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/compared_dumps.h"

#include "heapprof/base/base_name.h"

namespace heapprof {

std::string DumpsTitle(std::span<const InputFacts> inputs, Side side,
                       bool with_path) {
  const auto dumps = DumpsBySide(inputs);
  const auto& shown = dumps[side];
  if (shown.empty()) return "";
  const std::string& path = shown.front().path;
  std::string title(with_path ? path : BaseName(path));
  const std::string more = MoreDumps(shown);
  if (!dumps.base.empty() && !more.empty()) title = "mean of " + title;
  return title + more;
}

Sides<std::vector<ComparedDump>> DumpsBySide(
    std::span<const InputFacts> inputs) {
  Sides<std::vector<ComparedDump>> dumps;
  for (const InputFacts& input : inputs)
    dumps[input.side].push_back({.path = input.path,
                                 .program = input.program,
                                 .build_id = input.build_id,
                                 .time_seconds = input.time_seconds});
  return dumps;
}

}  // namespace heapprof
