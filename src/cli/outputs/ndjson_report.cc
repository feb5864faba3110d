// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "cli/outputs/report_request.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/record/dump_name.h"
#include "heapprof/report/ndjson.h"
#include "heapprof/transform/split_runs.h"
#include "heapprof/transform/threads.h"
#include "heapprof/view/stack_measures.h"

namespace heapprof {
namespace {

DumpColumns ColumnsOf(const InputFacts& facts, const Options& options) {
  DumpColumns columns = {.dump = facts.path,
                         .time_seconds = facts.time_seconds,
                         .program = facts.program,
                         .build_id = facts.build_id,
                         .thread = options.thread == "*" ? "" : options.thread,
                         .labels = options.labels};
  const auto name = ParseDumpName(facts.path);
  if (name) columns.pid = ParseNumber<uint64_t>(name->pid);
  if (columns.pid) columns.sequence = name->sequence;
  return columns;
}

MeasureOptions MeasuresOf(const Options& options) {
  MeasureOptions measures = {.granularity = options.granularity};
  if (options.is_metric_chosen)
    measures.metrics = {options.metric};
  else
    measures.metrics.assign(kMetrics.begin(), kMetrics.end());
  return measures;
}

}  // namespace

Result<void> MakeNdjsonReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  if (request.profile.is_comparison)
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: a difference, and --ndjson writes what dumps "
                            "hold",
                            request.inputs.first_dump));
  const MeasureOptions measured = MeasuresOf(options);
  const auto write = [&](const Profile& dump, const InputFacts& facts) {
    WriteNdjson(dump, MeasureStacks(dump, measured), ColumnsOf(facts, options),
                out);
  };
  const auto& facts = request.inputs.facts;
  if (facts.size() == 1 && options.thread != "*") {
    write(request.profile, facts.front());
    return {};
  }
  Profile profile = request.profile;
  if (options.thread == "*") SplitByThread(profile);
  if (facts.size() == 1) {
    write(profile, facts.front());
    return {};
  }
  size_t dump = 0;
  ForEachRun(std::move(profile), [&](const Profile& run) {
    Profile alone = run;
    DropUnusedNames(alone);
    write(alone, facts[dump++]);
  });
  return {};
}

}  // namespace heapprof
