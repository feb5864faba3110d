// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/metric_words.h"

namespace heapprof {

const char* MetricName(Metric metric) {
  switch (metric) {
    case Metric::kInuseObjects:
      return "inuse_objects";
    case Metric::kInuseSpace:
      return "inuse_space";
    case Metric::kAllocObjects:
      return "alloc_objects";
    case Metric::kAllocSpace:
      return "alloc_space";
  }
  return "";
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
