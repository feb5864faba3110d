// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/compared_dump.h"

#include <cstddef>

#include <fmt/core.h>

#include "heapprof/base/printable.h"
#include "heapprof/base/short_build_id.h"

namespace heapprof {

std::string MoreDumps(std::span<const ComparedDump> dumps) {
  size_t more = 0;
  for (size_t i = 1; i < dumps.size(); ++i)
    if (dumps[i].path != dumps[i - 1].path) ++more;
  return more == 0 ? "" : fmt::format(" and {} more", more);
}

std::string BuildText(const ComparedDump& dump) {
  if (dump.build_id.empty()) return "";
  return fmt::format(" (build {})", Printable(ShortBuildId(dump.build_id)));
}

}  // namespace heapprof
