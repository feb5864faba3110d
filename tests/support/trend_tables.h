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

// `dumps` are profiles as ProfileOf() reads them, with values in MiB; every
// allocation was sampled.
inline Snapshots SnapshotsOf(const std::vector<std::string>& dumps) {
  constexpr double kMebibyte = 1048576;
  SnapshotCollector collector({});
  for (const std::string& text : dumps) {
    Profile profile = ProfileOf(text);
    profile.sampling_period = 1;
    for (Sample& sample : profile.samples) {
      Estimate& bytes = sample.values[Metric::kInuseSpace];
      // Readers compute variances for any period.
      bytes.variance = bytes.value *= kMebibyte;
    }
    collector.Add(std::move(profile));
  }
  return std::move(collector).Finish();
}

// One dump each hour.
inline TrendTable TrendTableOf(const std::vector<std::string>& dumps,
                               TrendOptions options = {}) {
  constexpr int64_t kHour = 3600 * int64_t{1000000000};
  std::vector<TrendDump> described;
  for (size_t i = 0; i < dumps.size(); ++i)
    described.push_back({.path = fmt::format("app.7.{0}.i{0}.heap", i),
                         .time_ns = static_cast<int64_t>(i + 1) * kHour});
  return MakeTrendTable(SnapshotsOf(dumps), std::move(described), options);
}

// Dumps of a process that leaks 1 MiB/h, and of which the rest stays.
inline std::vector<std::string> LeakingDumps(int count) {
  std::vector<std::string> dumps;
  for (int i = 0; i < count; ++i)
    dumps.push_back(
        fmt::format("app!main;app!leak {}\napp!main;app!stays 20", 10 + i));
  return dumps;
}

inline TrendTable LeakingTable(int dumps = 8) {
  return TrendTableOf(LeakingDumps(dumps),
                      {.by = TrendBy::kStack, .heading = "stack"});
}

}  // namespace heapprof
