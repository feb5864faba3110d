// SPDX-License-Identifier: Apache-2.0
//
// What a flame graph says about its frames. The script in the picture
// (assets/flamegraph/frame_text.js) must use the same words;
// tests/assets/agreement/flame_graph.mjs compares them.
#pragma once

#include <string>

#include "heapprof/base/sides.h"
#include "heapprof/view/flame_graph.h"
#include "heapprof/view/units.h"

namespace heapprof {

class FlameText {
 public:
  // `side` is the side whose values are the widths.
  FlameText(const FlameGraph& graph, Side side, Unit unit)
      : graph_(graph), side_(side), unit_(unit) {}

  // Returns "12.3 ± 1.1 MiB" or, in a comparison, "10.0 MiB → 12.3 MiB (+2.3 ±
  // 1.5 MiB)".
  std::string Amount(const FlameFrame& frame) const;

  // Returns what all frames hold: "12.3 ± 1.1 MiB live" or, if filters have
  // removed a part, "12.3 ± 1.1 MiB of 61.4 MiB live".
  std::string Total() const;

  // Returns the amount and more: "12.3 ± 1.1 MiB, 4.5%, 231 samples".
  std::string Details(const FlameFrame& frame) const;

 private:
  std::string ChangeText(const FlameFrame& frame) const;
  std::string Verdict(const FlameFrame& frame) const;

  const FlameGraph& graph_;
  const Side side_;
  const Unit unit_;
};

}  // namespace heapprof
