// SPDX-License-Identifier: Apache-2.0
#include "cli/args/nearest_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace heapprof {
namespace {

// Returns the least number of insertions, deletions and substitutions that turn
// `a` into `b`.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

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
