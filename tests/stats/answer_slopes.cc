// SPDX-License-Identifier: Apache-2.0
//
// Answers the questions of compare_slopes.py, one on each line of the standard
// input: what one missed sample stands for, the number of points, and the
// place, value and variance of each. The answer is the slope, its variance, and
// its bounds at the level 0.025.
#include <cstddef>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "heapprof/stats/slope.h"

int main() {
  std::cout.precision(std::numeric_limits<double>::max_digits10);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    double missed = 0;
    size_t count = 0;
    in >> missed >> count;
    std::vector<heapprof::SeriesPoint> points(count);
    for (auto& point : points) {
      in >> point.at >> point.bytes.value >> point.bytes.variance;
      point.missed = missed;
    }
    const heapprof::Slope slope = heapprof::FitSlope(points);
    constexpr double kTail = 0.025;
    std::cout << slope.value << ' ' << slope.variance << ' '
              << LowerBound(slope, kTail) << ' ' << UpperBound(slope, kTail)
              << '\n';
  }
}
