// SPDX-License-Identifier: Apache-2.0
//
// What `heapprof DUMP` shows on a terminal: a headline, two tables, and
// suggested commands.
//
//   db_bench   db_bench.12.heap   2026-11-23 04:25:41 UTC
//   312.6 ± 1.2 MiB live in 61590 objects; one sample per 16 KiB
//
//         self  share  with callees  Your code, with libraries it calls
//    128.0 MiB  41.0%         52.3%  rocksdb::Arena::AllocateNewBlock
//     12.1 MiB   3.9%                [outside your code]
//
//     self  Functions that allocate
//    41.0%  std::__new_allocator::allocate
//
//   Next:  heapprof -o mem.html db_bench.12.heap
//
// If stacks have groups, the first table is that of the groups, and the second
// one that of the user's own code.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/view/overview.h"

namespace heapprof {

struct OverviewLayout {
  std::string dump;                   // the path that the user gave
  size_t more_dumps = 0;              // that are added to it
  std::vector<std::string> commands;  // suggested commands
  // The size of the terminal. If `columns` is 0, lines may have any length; if
  // `rows` is 0, each table has ten rows. On a wide terminal the tables are
  // side by side.
  size_t columns = 0;
  size_t rows = 0;
  // If given, each table has this many functions instead; 0: all.
  std::optional<size_t> top = {};
  bool color = false;
};

std::string WriteOverview(const Overview& overview,
                          const OverviewLayout& layout);

}  // namespace heapprof
