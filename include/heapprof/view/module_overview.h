// SPDX-License-Identifier: Apache-2.0
//
// The modules of a profile on one screen: a program like ceph-osd maps a
// hundred of them, but only five matter.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "heapprof/view/module_table.h"

namespace heapprof {

// Modules that lack names or lines for the same reason, largest share first,
// and what the user can do. Suggestions that several modules have in common are
// merged.
struct ModuleGap {
  FileState file_state = FileState::kFound;
  bool is_outside_map = false;
  std::vector<const ModuleRow*> modules;  // only a few if rows are limited
  size_t more = 0;  // number of other modules with the same problem

  struct SharedSuggestion {
    std::string text;
    std::string command;
    std::vector<std::string> arguments;
  };
  std::vector<SharedSuggestion> suggestions;  // without alternatives
};

struct ModuleOverview {
  // Sorted by share of the value or of the value without names, largest first.
  std::vector<const ModuleRow*> rows;
  // The sum of the modules without a row.
  size_t more = 0;
  double more_percent = 0;
  std::vector<std::pair<ModuleStatus, size_t>> more_by_status;
  // The gaps of `rows` with 1 % or more, in the same order.
  std::vector<ModuleGap> gaps;
};

// Returns at most `limit` rows; 0 = all. With a limit, the overview includes
// only modules with 0.1 % or more, and the main program. Valid as long as
// `table`.
ModuleOverview MakeModuleOverview(const ModuleTable& table, size_t limit);

}  // namespace heapprof
