// SPDX-License-Identifier: Apache-2.0
//
// In place of parse_budgets.cc, for a build without toml++.
#include <fmt/core.h>

#include "heapprof/base/built_without.h"
#include "heapprof/check/budgets.h"

namespace heapprof {

Result<Budgets> ParseBudgets(std::string_view /*text*/, const std::string& path,
                             std::chrono::year_month_day /*today*/) {
  return Fail(ErrorKind::kUsage,
              fmt::format("{}: budgets cannot be read, because {}", path,
                          BuiltWithout("toml++", "HEAPPROF_TOML")));
}

}  // namespace heapprof
