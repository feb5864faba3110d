// SPDX-License-Identifier: Apache-2.0
#include "report/text_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace heapprof {

std::string TextBar(double value, double largest, size_t width) {
  constexpr std::array<std::string_view, 8> kEighths = {"",  "▏", "▎", "▍",
                                                        "▌", "▋", "▊", "▉"};
  std::string bar;
  if (value > 0 && largest > 0) {
    const double part = std::min(value / largest, 1.0);
    const auto eighths =
        static_cast<size_t>(std::lround(part * static_cast<double>(8 * width)));
    for (size_t i = 0; i < eighths / 8; ++i) bar += "█";
    bar += kEighths[eighths % 8];
    width -= (eighths + 7) / 8;
  }
  return bar.append(width, ' ');
}

}  // namespace heapprof
