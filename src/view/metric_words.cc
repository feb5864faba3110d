// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/metric_words.h"

#include "heapprof/base/split.h"

namespace heapprof {

std::string_view MetricName(Metric metric) {
  return ChoiceAt(kMetricChoices, static_cast<size_t>(metric));
}

const char* MetricWords(Metric metric) {
  switch (metric) {
    case Metric::kInuseSpace:
      return "live bytes";
    case Metric::kInuseObjects:
      return "live objects";
    case Metric::kAllocSpace:
      return "allocated bytes";
    case Metric::kAllocObjects:
      return "allocated objects";
  }
  return "";
}

std::string_view MetricState(Metric metric) {
  return IsAccumulated(metric) ? "allocated since the start" : "live";
}

}  // namespace heapprof
