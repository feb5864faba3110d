// SPDX-License-Identifier: Apache-2.0
//
// What changed between two dumps, as text for people:
//
//   before  old.heap   server (build 289ee39f0a1b)   2026-11-23 04:25:41 UTC
//           312.6 ± 1.2 MiB live; one sample per 16 KiB
//   after   new.heap   server (build 5512aa01beef)   2026-11-24 04:25:40 UTC
//           330.1 ± 1.3 MiB live; one sample per 16 KiB
//
//   +12.1 ± 0.3 MiB  Server::Run → Session::Open → Cache::Insert, cache.cc:61
//
//      before      after            change  share  function
//   312.6 MiB  330.1 MiB  +17.5 ± 1.8 MiB   5.3%  total
//         new   12.1 MiB  +12.1 ± 0.3 MiB   3.7%  Cache::Insert
//     8.0 MiB       gone   -8.0 ± 0.4 MiB  -2.4%  Pool::Grow
//   292.5 MiB  293.9 MiB   +1.4 ± 1.7 MiB   0.4%  211 functions: may be chance
//
//   Next:  heapprof --callers=Cache::Insert --base old.heap new.heap
//
// The first rows also say where a function starts, if there is room. A share is
// the change in percent of the larger of the two totals.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/report/compared_dump.h"
#include "heapprof/view/comparison.h"
#include "heapprof/view/story.h"

namespace heapprof {

struct ComparisonLayout {
  Sides<std::vector<ComparedDump>> dumps = {};
  std::string heading = "function";  // heading of the column of names
  // At most this many entries that changed get a row; one more row sums up the
  // entries that did not change. 0: every entry gets a row.
  size_t rows = 0;
  std::vector<StoryChain> story = {};  // the parts that grew
  // Commands that the user may want to run next.
  std::vector<std::string> commands = {};
  // The width of rows in characters; 0 = no limit. If it is small, columns
  // are left out. Longer names are shortened, but keep at least 12 characters.
  size_t width = 0;
  bool color = false;
};

std::string WriteComparison(const Comparison& comparison,
                            const ComparisonLayout& layout);

}  // namespace heapprof
