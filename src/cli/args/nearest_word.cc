// SPDX-License-Identifier: Apache-2.0
#include "cli/args/nearest_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace heapprof {

size_t EditDistance(std::string_view a, std::string_view b) {
  // row[j] is the distance of the first i letters of `a` from the first j of
  // `b`; `above` and `two_above` are the rows of fewer letters.
  std::vector<size_t> two_above, above, row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    two_above = std::exchange(above, std::move(row));
    row.assign(b.size() + 1, i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1),
                         above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row.back();
}

std::optional<std::string> NearestWord(std::string_view word,
                                       std::span<const std::string> known) {
  if (word.size() < 3) return std::nullopt;
  std::optional<std::string> nearest;
  size_t limit = word.size() < 6 ? 2 : 3;  // the distance must be less
  for (const std::string& candidate : known) {
    if (candidate.starts_with(word)) return candidate;
    // If `word` is much longer, they cannot be similar. This test keeps a huge
    // argument from costing time.
    if (word.size() > candidate.size() + limit) continue;
    const size_t distance = EditDistance(word, candidate);
    if (distance >= limit) continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest;
}

}  // namespace heapprof
