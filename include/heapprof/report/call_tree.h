// SPDX-License-Identifier: Apache-2.0
//
// A tree of callers or callees, indented:
//
//   Callers of allocate: 312.6 MiB (41.2%) of 758.8 MiB
//        value  share  function, and below it what calls it
//    312.6 MiB  41.2%  std::__new_allocator::allocate
//    198.3 MiB  26.1%  - tsdb::Block::Read
//    198.3 MiB  26.1%    tsdb::Compactor::Run
//    120.0 MiB  15.8%    - tsdb::Server::Compact
//     78.3 MiB  10.3%    - ... 12 more callers
//    114.3 MiB  15.1%  - main
//
// A row with "- " is one of several callers of the nearest row above with less
// indentation. A row without it is the only caller of the row directly above.
// On terminals with UTF-8, box-drawing characters replace the "-".
#pragma once

#include <cstddef>
#include <string>

#include "heapprof/view/call_tree.h"
#include "heapprof/view/units.h"

namespace heapprof {

struct CallTreeStyle {
  // The pattern with which the user chose the function at the root. It is shown
  // in the headline.
  std::string pattern = {};
  CallDirection direction = CallDirection::kCallers;
  Unit unit = Unit::kMegabytes;
  bool is_comparison = false;  // values are changes, and have a sign
  // The width of lines in characters; longer names are shortened. 0 = no limit.
  size_t width = 0;
  bool draws_lines = false;  // draw the branches in UTF-8, not with "-"
  bool color = false;
};

std::string WriteCallTree(const CallTree& tree, const CallTreeStyle& style);

}  // namespace heapprof
