// SPDX-License-Identifier: Apache-2.0
#include "cli/args/options.h"

#include <algorithm>

#include "cli/args/output_table.h"

namespace heapprof {

bool ComparesOnTerminal(const Output& output, const Options& options) {
  const bool has_rows = options.rows != Granularity::kLines &&
                        options.rows != Granularity::kAddresses;
  return !options.bases.empty() && has_rows && options.thread != "*" &&
         !options.show_bytes && !options.drop_negative &&
         output.IsStandardOutput() &&
         StyleOfStandardOutput(options.color).is_terminal;
}

unsigned JobCount(const Options& options) { return std::max(1u, options.jobs); }

unsigned JobsFor(const Profile& profile, const Options& options) {
  // Fewer samples do not repay a thread.
  constexpr size_t kMany = 10'000;
  return profile.samples.size() < kMany ? 1 : JobCount(options);
}

Unit UnitOf(const Options& options) {
  if (IsObjectCount(options.metric)) return Unit::kObjects;
  return options.show_bytes ? Unit::kBytes : Unit::kMegabytes;
}

LabelOptions LabelsOf(const Options& options) {
  return {.granularity = options.granularity,
          .names = options.names ? NameForm::kAsTheyAre : NameForm::kShort,
          .jobs = JobCount(options)};
}

LabelOptions RowLabelsOf(const Options& options) {
  LabelOptions labels = LabelsOf(options);
  labels.granularity = options.rows;
  return labels;
}

}  // namespace heapprof
