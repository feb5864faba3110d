// SPDX-License-Identifier: Apache-2.0
//
// Tables of trends, for tests.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "heapprof/transform/collect_snapshots.h"
#include "heapprof/view/trend_table.h"
#include "support/test_profile.h"

namespace heapprof {

// One dump each hour. `dumps` are profiles as ProfileOf() reads them, with
// values in MiB; every allocation was sampled.
inline TrendTable TrendTableOf(const std::vector<std::string>& dumps,
                               TrendOptions options = {}) {
  constexpr double kMebibyte = 1048576;
  constexpr int64_t kHour = 3600 * int64_t{1000000000};
  SnapshotCollector collector({});
  std::vector<TrendDump> described;
  for (const std::string& text : dumps) {
    Profile profile = ProfileOf(text);
    profile.sampling_period = 1;
    for (Sample& sample : profile.samples)
      sample.values[Metric::kInuseSpace].value *= kMebibyte;
    collector.Add(std::move(profile));
    const auto number = static_cast<int64_t>(described.size());
    described.push_back({.path = fmt::format("app.7.{0}.i{0}.heap", number),
                         .time_ns = (number + 1) * kHour});
  }
  return MakeTrendTable(std::move(collector).Finish(), std::move(described),
                        options);
}

// Dumps of a process that leaks 1 MiB/h, and of which the rest stays.
inline std::vector<std::string> LeakingDumps(int count) {
  std::vector<std::string> dumps;
  for (int i = 0; i < count; ++i)
    dumps.push_back(
        fmt::format("app!main;app!leak {}\napp!main;app!stays 20", 10 + i));
  return dumps;
}

}  // namespace heapprof
