// SPDX-License-Identifier: Apache-2.0
#include "report/shown_columns.h"

#include <numeric>

namespace heapprof {

std::vector<bool> ShownColumns(std::span<const size_t> widths,
                               std::span<const size_t> dispensable, size_t rest,
                               size_t line) {
  std::vector<bool> shown;
  for (const size_t width : widths) shown.push_back(width != 0);
  if (line == 0) return shown;
  size_t used = std::reduce(widths.begin(), widths.end(), rest);
  for (const size_t column : dispensable) {
    if (used <= line) break;
    shown[column] = false;
    used -= widths[column];
  }
  return shown;
}

}  // namespace heapprof
