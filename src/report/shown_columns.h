// SPDX-License-Identifier: Apache-2.0
//
// Decides which columns a table leaves out on a narrow terminal.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heapprof {

// Returns which columns of a table are shown in lines of `line` characters (0 =
// no limit). `widths` are those of the columns, with their gaps; 0 leaves a
// column out. While less than `rest` characters are left for the names that
// follow, columns of `dispensable` are left out, the first ones first.
std::vector<bool> ShownColumns(std::span<const size_t> widths,
                               std::span<const size_t> dispensable, size_t rest,
                               size_t line);

}  // namespace heapprof
