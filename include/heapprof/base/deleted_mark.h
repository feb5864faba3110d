// SPDX-License-Identifier: Apache-2.0
//
// The mark of the kernel at a path whose file was deleted, in /proc/PID/maps
// and /proc/PID/exe: "/srv/prog (deleted)".
#pragma once

#include <string_view>

namespace heapprof {

// Returns `path` without the mark, if it has one.
constexpr std::string_view WithoutDeletedMark(std::string_view path) {
  constexpr std::string_view kMark = " (deleted)";
  if (path.ends_with(kMark)) path.remove_suffix(kMark.size());
  return path;
}

}  // namespace heapprof
