// SPDX-License-Identifier: Apache-2.0
#include "report/html_errors.h"

#include <algorithm>
#include <optional>

#include "heapprof/base/sides.h"
#include "heapprof/view/metric_words.h"

namespace heapprof {
namespace {

// Returns the index of the metric whose errors say whether values of metric
// `column` have changed. Object counts have no errors of their own, but they
// come from the samples of the bytes.
size_t JudgeOf(const std::vector<FlameGraph>& graphs, size_t column) {
  const auto found = std::ranges::find(graphs, BytesOf(graphs[column].metric),
                                       &FlameGraph::metric);
  return found == graphs.end() ? column
                               : static_cast<size_t>(found - graphs.begin());
}

Json ErrorModelObject(const std::optional<ErrorModel>& model) {
  if (!model) return {};
  const auto& [missed, dispersion] = *model;
  const auto number_or_null = [](const std::optional<double>& number) {
    return number ? Json(*number) : Json();
  };
  return {{"missed", {number_or_null(missed.now), number_or_null(missed.base)}},
          {"of_entries", dispersion.entries},
          {"of_total", dispersion.total}};
}

}  // namespace

Json MetricObject(const HtmlReport& report, size_t column) {
  const std::vector<FlameGraph>& graphs = report.graphs;
  const FlameGraph& graph = graphs[column];
  return {{"name", MetricName(graph.metric)},
          {"title", MetricWords(graph.metric)},
          {"state", MetricState(graph.metric)},
          {"is_bytes", !IsObjectCount(graph.metric)},
          {"has_errors", graph.exactness == Exactness::kSampled},
          {"errors", ErrorModelObject(report.error_models[column])},
          {"judge", JudgeOf(graphs, column)}};
}

Json SeedsArray(std::span<const HtmlSeeds> seeds) {
  Json array = Json::array();
  for (const HtmlSeeds& run : seeds)
    array.push_back({{"side", run.side == Side::kNew ? 0 : 1},
                     {"sharing", run.sharing},
                     {"in_all", run.is_in_all},
                     {"dump", run.dump ? Json(*run.dump) : Json()},
                     {"slices", run.are_threads ? "thread" : "seeds"},
                     {"first", run.first_slice},
                     {"count", run.slice_count}});
  return array;
}

}  // namespace heapprof
