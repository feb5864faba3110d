// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/module_overview.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace heapprof {
namespace {

// Of 16 programs with 4 to 17 modules, 1 to 8 modules have this or more, and 1
// to 4 have kNotablePercent.
constexpr double kLeastPercentOfRow = 0.1;
// None of them has more than 2 modules that lack names for the same reason.
constexpr size_t kMostOfGap = 6;

double Weight(const ModuleRow& row) {
  return std::max(row.percent, row.nameless_percent);
}

struct SplitRows {
  std::vector<const ModuleRow*> shown;
  std::vector<const ModuleRow*> others;
};

SplitRows Split(const std::vector<const ModuleRow*>& sorted, size_t limit) {
  SplitRows rows;
  for (const ModuleRow* row : sorted) {
    const bool is_large =
        Weight(*row) >= kLeastPercentOfRow && rows.shown.size() < limit;
    const bool is_shown = limit == 0 || is_large || row->is_main_program;
    (is_shown ? rows.shown : rows.others).push_back(row);
  }
  // If only one module is left over, shows that module instead of a line that
  // says "1 more module".
  if (rows.others.size() == 1 && rows.shown.size() < limit) {
    rows.shown.push_back(rows.others.front());
    rows.others.clear();
  }
  return rows;
}

// True if the file has debug information that does not name every address. That
// is normal: assembly code and stubs often have no names.
bool HasMinorGap(const ModuleRow& row) {
  return row.status == ModuleStatus::kSomeNames &&
         row.info.file_state == FileState::kFound;
}

bool IsGap(const ModuleRow& row) {
  return row.status != ModuleStatus::kOk &&
         row.status != ModuleStatus::kIncomplete &&
         row.status != ModuleStatus::kKernel &&
         (HasMinorGap(row) ? row.nameless_percent : Weight(row)) >=
             kNotablePercent;
}

void AddSuggestions(const ModuleRow& row, ModuleGap& gap) {
  for (const Suggestion& suggestion : row.info.suggestions) {
    if (suggestion.is_alternative) continue;
    auto it = std::ranges::find_if(gap.suggestions, [&](const auto& known) {
      return known.text == suggestion.text &&
             known.command == suggestion.command;
    });
    if (it == gap.suggestions.end())
      it =
          gap.suggestions.insert(it, {suggestion.text, suggestion.command, {}});
    if (!suggestion.argument.empty())
      it->arguments.push_back(suggestion.argument);
  }
}

// Groups the modules that lack names or lines by the reason. Each group lists
// at most `limit` modules, or all if `limit` is 0.
std::vector<ModuleGap> GapsOf(std::span<const ModuleRow* const> rows,
                              size_t limit) {
  std::vector<ModuleGap> gaps;
  for (const ModuleRow* row : rows) {
    if (!IsGap(*row)) continue;
    const FileState state = row->info.file_state;
    const bool is_outside = row->status == ModuleStatus::kUnmapped;
    auto gap = std::ranges::find_if(gaps, [&](const ModuleGap& known) {
      return known.file_state == state && known.is_outside_map == is_outside;
    });
    if (gap == gaps.end())
      gap = gaps.insert(gap, {.file_state = state,
                              .is_outside_map = is_outside,
                              .modules = {},
                              .suggestions = {}});
    if (limit != 0 && gap->modules.size() == limit) {
      ++gap->more;
      continue;
    }
    gap->modules.push_back(row);
    AddSuggestions(*row, *gap);
  }
  return gaps;
}

}  // namespace

ModuleOverview MakeModuleOverview(const ModuleTable& table, size_t limit) {
  std::vector<const ModuleRow*> sorted;
  for (const ModuleRow& row : table.rows) sorted.push_back(&row);
  std::ranges::stable_sort(sorted, {}, [](const ModuleRow* row) {
    return std::tuple(-Weight(*row), -row->nameless_percent);
  });
  SplitRows split = Split(sorted, limit);
  ModuleOverview overview;
  std::map<ModuleStatus, size_t> by_status;
  for (const ModuleRow* row : split.others) {
    ++overview.more;
    overview.more_percent += row->percent;
    ++by_status[row->status];
  }
  overview.more_by_status.assign(by_status.begin(), by_status.end());
  overview.gaps = GapsOf(split.shown, limit == 0 ? 0 : kMostOfGap);
  overview.rows = std::move(split.shown);
  return overview;
}

}  // namespace heapprof
