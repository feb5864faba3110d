// SPDX-License-Identifier: Apache-2.0
//
// The modules of a profile for one screen: a program like ceph-osd maps a
// hundred of them, of which five matter.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "heapprof/view/module_table.h"

namespace heapprof {

// Modules that lack names or lines for the same reason, largest share first,
// and what helps: suggestions that several modules have in common are one.
struct ModuleGap {
  FileState file_state = FileState::kFound;
  bool is_outside_map = false;
  std::vector<const ModuleRow*> modules;  // a few, if rows are limited
  size_t more = 0;                        // of the same kind

  struct SharedSuggestion {
    std::string text;
    std::string command;
    std::vector<std::string> arguments;
  };
  std::vector<SharedSuggestion> suggestions;  // without alternatives
};

struct ModuleOverview {
  // Largest share first: of the bytes, or of those without a name.
  std::vector<const ModuleRow*> rows;
  // Of the others.
  size_t more = 0;
  double more_percent = 0;
  std::vector<std::pair<ModuleStatus, size_t>> more_by_status;
  // Of `rows` with 1 % or more, in their order.
  std::vector<ModuleGap> gaps;
};

// At most `limit` rows; 0 = all. With a limit the overview has only modules of
// 0.1 % or more, and the main program. Valid as long as `table`.
ModuleOverview MakeModuleOverview(const ModuleTable& table, size_t limit);

}  // namespace heapprof
