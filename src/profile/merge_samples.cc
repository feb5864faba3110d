// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/merge_samples.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace heapprof {
namespace {

auto KeyOf(const Sample& sample) {
  return std::tuple(sample.stack.value, sample.thread.value, sample.side,
                    sample.lifetime, sample.run);
}

// A stable sort, because the sum of floating-point numbers depends on their
// order. Most tables are already sorted by stack, and then only the few samples
// of each stack are sorted.
void SortByKey(std::vector<Sample>& samples) {
  if (!std::ranges::is_sorted(samples, {}, &Sample::stack))
    std::ranges::stable_sort(samples, {}, &Sample::stack);
  for (auto first = samples.begin(); first != samples.end();) {
    const auto last = std::find_if(
        first, samples.end(),
        [first](const Sample& sample) { return sample.stack != first->stack; });
    if (!std::ranges::is_sorted(first, last, {}, KeyOf))
      std::ranges::stable_sort(first, last, {}, KeyOf);
    first = last;
  }
}

}  // namespace

void MergeEqualSamples(std::vector<Sample>& samples) {
  // In most tables, each stack has one sample.
  if (std::ranges::adjacent_find(samples, std::ranges::greater_equal(),
                                 &Sample::stack) == samples.end())
    return;
  SortByKey(samples);
  size_t last = 0;
  for (size_t i = 1; i < samples.size(); ++i) {
    if (KeyOf(samples[i]) == KeyOf(samples[last])) {
      samples[last].values += samples[i].values;
      samples[last].one_size = false;
    } else {
      samples[++last] = samples[i];
    }
  }
  samples.resize(last + 1);
}

bool AreMerged(const std::vector<Sample>& samples) {
  return std::ranges::is_sorted(samples, std::ranges::less_equal(), KeyOf);
}

void SampleLimit::Merge(std::vector<Sample>& samples) {
  has_changed_ |= !AreMerged(samples);
  MergeEqualSamples(samples);
  limit_ = std::max(kAlways, 2 * samples.size());
}

}  // namespace heapprof
