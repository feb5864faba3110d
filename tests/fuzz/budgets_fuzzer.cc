// SPDX-License-Identifier: Apache-2.0
//
// Any bytes taken for a budgets file must give budgets or an error of usage
// that names the file.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "heapprof/check/budgets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::chrono::year_month_day kToday{
      std::chrono::year(2027), std::chrono::January, std::chrono::day(31)};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto budgets = heapprof::ParseBudgets(bytes, "b.toml", kToday);
  const auto used =
      budgets ? heapprof::CheckBudgets(*budgets, {.has_base = true})
              : heapprof::Result<void>(std::unexpected(budgets.error()));
  if (!used && (used.error().kind != heapprof::ErrorKind::kUsage ||
                used.error().message.empty()))
    std::abort();
  return 0;
}
