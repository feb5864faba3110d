// SPDX-License-Identifier: Apache-2.0
#include "report/html_errors.h"

#include <optional>

#include "heapprof/base/sides.h"
#include "heapprof/view/metric_words.h"

namespace heapprof {
namespace {

Json VariationObject(const VariationOfSums& variation,
                     std::optional<double> widening_of_changes) {
  const auto& [sampling, relative, widening] = variation;
  Json object = {{"sampling", sampling},
                 {"relative", {relative.now, relative.base}},
                 {"widening", widening}};
  if (widening_of_changes) object["widening_of_changes"] = *widening_of_changes;
  return object;
}

Json ErrorsObject(const HtmlErrors& errors) {
  if (!errors.model) return {};
  const auto& [missed, entries, total] = *errors.model;
  const auto number_or_null = [](const std::optional<double>& number) {
    return number ? Json(*number) : Json();
  };
  const std::optional<ChangeLevel>& level = errors.level_of_changes;
  const auto for_level = [&level](double ChangeLevel::* widening) {
    return level ? std::optional((*level).*widening) : std::nullopt;
  };
  Json object = {
      {"missed", {number_or_null(missed.now), number_or_null(missed.base)}},
      {"of_entries",
       VariationObject(entries, for_level(&ChangeLevel::widening_of_entries))},
      {"of_total",
       VariationObject(total, for_level(&ChangeLevel::widening_of_total))}};
  if (level)
    object["changes"] = {{"tail", level->tail},
                         {"deviations", level->deviations}};
  return object;
}

}  // namespace

Json MetricObject(const HtmlReport& report, size_t column) {
  const FlameGraph& graph = report.graphs[column];
  return {{"name", MetricName(graph.metric)},
          {"title", MetricWords(graph.metric)},
          {"state", MetricState(graph.metric)},
          {"is_bytes", !IsObjectCount(graph.metric)},
          {"has_errors", graph.exactness == Exactness::kEstimated},
          {"errors", ErrorsObject(report.errors[column])},
          {"judge", report.errors[column].judge}};
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
