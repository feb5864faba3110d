// SPDX-License-Identifier: Apache-2.0
//
// The first screen as text: a headline, two tables, and what to run next.
//
//   db_bench   db_bench.12.heap   2026-11-23 04:25:41 UTC
//   312.6 ± 1.2 MiB live in 61590 objects; one sample per 16 KiB
//
//         self  share  with callees  Your code, with the libraries it calls
//    128.0 MiB  41.0%         52.3%  rocksdb::Arena::AllocateNewBlock
//     12.1 MiB   3.9%                (none of your code on the stack)
//
//     self  Functions that allocate
//    41.0%  std::__new_allocator::allocate
//
//   Next:  heapprof -o mem.svg db_bench.12.heap
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "heapprof/view/overview.h"

namespace heapprof {

struct OverviewLayout {
  std::string dump;                   // as the user named it
  std::vector<std::string> commands;  // to suggest
  // Of the terminal, in characters; 0: any width, ten rows a table. Wide
  // terminals have the tables side by side.
  size_t columns = 0;
  size_t rows = 0;
  bool color = false;
};

std::string WriteOverview(const Overview& overview,
                          const OverviewLayout& layout);

}  // namespace heapprof
