// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "cli/outputs/compared_dumps.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "heapprof/report/flamegraph.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/flame_graph.h"
#include "heapprof/view/frame_changes.h"
#include "heapprof/view/frame_tree.h"

namespace heapprof {
namespace {

// The metric that is shown, and the one that decides what has changed.
std::vector<Metric> MetricsOf(const ReportRequest& request) {
  const Metric shown = request.options.metric;
  const Metric judge = JudgingMetric(request.profile, shown);
  if (judge == shown) return {shown};
  return {shown, judge};
}

FrameTree TreeOf(const ReportRequest& request) {
  const Options& options = request.options;
  return MakeFrameTree(
      request.profile,
      {.metrics = MetricsOf(request),
       .granularity = options.granularity,
       .order = options.flame.reverse ? StackOrder::kLeafFirst
                                      : StackOrder::kRootFirst,
       .own_lines = OwnLines(request.profile, *request.own_code),
       .counts_samples = true});
}

FlamegraphOptions DrawingOf(const ReportRequest& request) {
  const Options& options = request.options;
  const FlameOptions& flame = options.flame;
  const auto& facts = request.inputs.facts;
  FlamegraphOptions drawing = {
      .title = flame.title,
      .dumps = {.now = DumpsTitle(facts, Side::kNew, false),
                .base = DumpsTitle(facts, Side::kBase, false)},
      .unit = UnitOf(options),
      .is_width_fixed = flame.width.has_value(),
      .is_inverted = flame.inverted};
  if (flame.palette) drawing.palette = *flame.palette;
  if (flame.width) drawing.width = static_cast<uint32_t>(*flame.width);
  if (flame.min_width) drawing.boxes.min_width = *flame.min_width;
  return drawing;
}

}  // namespace

Result<void> MakeFlamegraphReport(const ReportRequest& request, ByteSink& out) {
  const FrameTree tree = TreeOf(request);
  const ErrorBars errors(request.profile, tree.columns.front().metric);
  const ErrorBars judges(request.profile, tree.columns.back().metric);
  const FlameGraph graph = MakeFlameGraph(
      tree, 0, errors, FrameChanges(tree, tree.columns.size() - 1, judges), {});
  const auto& [now, before] = graph.frames.front().total;
  if (now == 0 && before == 0)
    return Fail(ErrorKind::kNoData,
                "nothing to draw: no function holds anything");
  WriteFlamegraph(tree, graph, DrawingOf(request), out);
  return {};
}

}  // namespace heapprof
