// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

#include "heapprof/stats/interval.h"

namespace heapprof {

// Returns "95 %". Help pages and descriptions of options have it as a word.
inline std::string ConfidenceText(double confidence = kConfidence) {
  return fmt::format("{:.4g} %", 100 * confidence);
}

}  // namespace heapprof
