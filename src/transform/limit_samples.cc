// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/limit_samples.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <queue>
#include <ranges>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heapprof/base/hash.h"
#include "heapprof/base/no_index.h"
#include "heapprof/profile/profile_builder.h"
#include "transform/location_parts.h"

namespace heapprof {
namespace {

// A call, identified by all its callers; or the end of a stack, which is the
// child of its leaf. The parent of the outermost calls stands for what labels
// say about a sample: samples with different labels are never joined.
struct Node {
  uint32_t parent = kNoIndex;
  uint32_t depth = 0;
  double value = 0;  // sum of the absolute values of its stacks
  std::vector<uint32_t> children = {};
  size_t joined = 0;  // number of children that are not kept
  bool is_end = false;
  bool is_kept = false;
};

// The calls of all samples. A call is kept only if its caller is. The children
// of a kept node that are not kept become one sample.
class CallForest {
 public:
  CallForest(const Profile& profile, Metric metric) : metric_(metric) {
    for (const Sample& sample : profile.samples)
      ends_.push_back(Add(sample, profile.StackFrames(sample.stack)));
  }

  // Keeps the largest nodes for which there is room.
  void Keep(size_t limit) {
    const auto is_smaller = [this](uint32_t a, uint32_t b) {
      return std::tuple(nodes_[a].value, b) < std::tuple(nodes_[b].value, a);
    };
    std::priority_queue<uint32_t, std::vector<uint32_t>, decltype(is_smaller)>
        candidates(is_smaller);
    const auto keep = [&](Node& node) {
      node.is_kept = true;
      node.joined = node.children.size();
      for (const uint32_t child : node.children) candidates.push(child);
    };
    size_t samples = 0;
    for (const auto& [labels, root] : roots_) {
      keep(nodes_[root]);
      ++samples;
    }
    while (!candidates.empty()) {
      Node& node = nodes_[candidates.top()];
      candidates.pop();
      // The last child takes the place of its siblings' common sample.
      size_t& siblings = nodes_[node.parent].joined;
      if (siblings > 1 && samples >= limit) continue;
      if (siblings > 1) ++samples;
      --siblings;
      keep(node);
    }
  }

  // Returns the last kept node on the way to the end of a sample.
  uint32_t KeptOf(size_t sample) const {
    uint32_t node = ends_[sample];
    while (!nodes_[node].is_kept) node = nodes_[node].parent;
    return node;
  }
  // Returns the number of calls on the way to a node.
  uint32_t Depth(uint32_t node) const { return nodes_[node].depth; }
  bool IsEnd(uint32_t node) const { return nodes_[node].is_end; }

 private:
  using Labels = std::tuple<Side, ThreadId, Lifetime>;

  // Adds the calls of a sample and returns its end.
  uint32_t Add(const Sample& sample, std::span<const LocationId> frames) {
    const double size = std::abs(sample.values[metric_].value);
    const auto [it, added] =
        roots_.try_emplace(Labels(sample.side, sample.thread, sample.lifetime),
                           static_cast<uint32_t>(nodes_.size()));
    if (added) nodes_.emplace_back();
    uint32_t node = it->second;
    for (const LocationId frame : frames | std::views::reverse)
      node = Child(node, frame, size);
    node = Child(node, {}, size);
    nodes_[node].is_end = true;
    return node;
  }

  uint32_t Child(uint32_t parent, LocationId frame, double size) {
    const auto [it, added] =
        index_.try_emplace(uint64_t{parent} << 32 | frame.value,
                           static_cast<uint32_t>(nodes_.size()));
    if (added) {
      nodes_.push_back({.parent = parent, .depth = nodes_[parent].depth + 1});
      nodes_[parent].children.push_back(it->second);
    }
    nodes_[it->second].value += size;
    return it->second;
  }

  const Metric metric_;
  std::vector<Node> nodes_;
  std::map<Labels, uint32_t> roots_;
  std::unordered_map<uint64_t, uint32_t, RandomHash>
      index_;                   // by parent and frame
  std::vector<uint32_t> ends_;  // by sample
};

}  // namespace

LimitedSamples LimitSamples(Profile& profile, Metric metric, size_t limit) {
  std::erase_if(profile.samples,
                [](const Sample& sample) { return sample.values.AllZero(); });
  LimitedSamples limited;
  if (profile.samples.size() <= limit) return limited;
  CallForest forest(profile, metric);
  forest.Keep(limit);
  ProfileBuilder builder(std::move(profile));
  Profile& made = builder.profile();
  LocationId small;
  std::unordered_map<uint32_t, StackId> stacks;  // by last kept node
  for (size_t i = 0; i < made.samples.size(); ++i) {
    Sample& sample = made.samples[i];
    const uint32_t node = forest.KeptOf(i);
    if (forest.IsEnd(node)) continue;
    ++limited.samples;
    limited.value += std::abs(sample.values[metric].value);
    StackId& stack = stacks[node];
    if (stack.IsNone()) {
      if (small.IsNone())
        small = AddSyntheticLocation("[small stacks]", builder);
      const auto frames = made.StackFrames(sample.stack);
      std::vector<LocationId> kept = {small};
      kept.insert(kept.end(), frames.end() - forest.Depth(node), frames.end());
      stack = builder.AddStack(kept);
    }
    sample.stack = stack;
  }
  profile = std::move(builder).Finish();
  return limited;
}

}  // namespace heapprof
