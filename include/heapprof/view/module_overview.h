// SPDX-License-Identifier: Apache-2.0
//
// Selects the modules of a profile that `heapprof info` shows on one screen. A
// program like ceph-osd maps a hundred modules, of which only five matter.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "heapprof/view/module_table.h"

namespace heapprof {

// Modules that lack names or lines for the same reason (`file_state` and
// `is_outside_map`), largest share first, and what the user can do: what helps
// the largest one comes first. Suggestions that several modules have in common
// are merged.
struct ModuleGap {
  FileState file_state = FileState::kFound;
  bool is_outside_map = false;            // addresses outside the memory map
  std::vector<const ModuleRow*> modules;  // only a few if there is a limit
  size_t more = 0;  // number of modules with the same problem left out above

  struct SharedSuggestion {
    std::string text;
    std::string command;
    std::vector<std::string> arguments;  // one per module that needs one
  };
  // Of several suggestions with the same effect, only one is listed.
  std::vector<SharedSuggestion> suggestions;
};

struct ModuleOverview {
  // Sorted by `percent` or `nameless_percent`, whichever is larger; the largest
  // come first.
  std::vector<const ModuleRow*> rows;
  // The modules without a row: how many there are, their share of the total,
  // and how many of them have each status.
  size_t more = 0;
  double more_percent = 0;
  std::vector<std::pair<ModuleStatus, size_t>> more_by_status;
  // What the modules in `rows` lack, in the order of `rows`. Leaves out modules
  // for which this affects less than kNotablePercent of the total.
  std::vector<ModuleGap> gaps;
};

// Selects at most `limit` modules whose percentage (see ModuleOverview::rows)
// is 0.1 or more, and always the main program. If `limit` is 0, selects all
// modules. The result points into `table`.
ModuleOverview MakeModuleOverview(const ModuleTable& table, size_t limit);

}  // namespace heapprof
