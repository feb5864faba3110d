// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/trend_series.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"

namespace heapprof {

std::string NameOf(const CollectedSeries& series) {
  if (!series.process.empty()) return std::string(BaseName(series.process));
  if (!series.program.empty()) return std::string(BaseName(series.program));
  return std::string(BaseName(series.dumps.front().path));
}

Result<TrendAxis> AxisOf(const std::vector<TrendDump>& dumps,
                         const TrendChoices& choices, Diagnostics& notes) {
  const std::optional<TrendAxis> asked =
      choices.limit ? choices.limit->axis : choices.axis;
  const TrendAxis usual = DefaultAxis(dumps);
  if (!asked || dumps.size() < 2) return usual;
  if (HasAxis(dumps, *asked)) {
    if (*asked == TrendAxis::kHours && usual != *asked)
      notes.Note(
          "all dumps were written within a minute, by the times of the files; "
          "if these were copied without their times (cp -p), rates per hour "
          "are wrong");
    return *asked;
  }
  return Fail(ErrorKind::kNoData,
              *asked == TrendAxis::kHours
                  ? "the times of the files do not increase from dump to dump, "
                    "so no rate per hour can be told; use a rate per dump, or "
                    "copy files with their times (cp -p)"
                  : "the dumps do not say how much was allocated, so no rate "
                    "per GiB can be told: run the program with "
                    "MALLOC_CONF=prof_accum:true");
}

void NoteSingles(std::vector<CollectedSeries>& all, Session& session) {
  const auto is_single = [](const CollectedSeries& series) {
    return series.dumps.size() < 2;
  };
  const auto singles = std::ranges::count_if(all, is_single);
  if (singles == 0 || all.size() == 1) return;
  const auto first = std::ranges::find_if(all, is_single);
  session.diagnostics.Note(fmt::format(
      "{} with only one dump, such as {}, {} no trend",
      Counted(static_cast<uint64_t>(singles), "process", "processes"),
      first->dumps.front().path, singles == 1 ? "has" : "have"));
  if (static_cast<size_t>(singles) < all.size()) std::erase_if(all, is_single);
}

}  // namespace heapprof
