// SPDX-License-Identifier: Apache-2.0
#include "view/story_parts.h"

#include <algorithm>
#include <string>

namespace heapprof {
namespace {

// Returns the index of the first node in which the parts differ.
size_t ForkOf(const StoryPart& a, const StoryPart& b) {
  const auto fork = std::ranges::mismatch(a.nodes, b.nodes, {},
                                          &PathNode::label, &PathNode::label);
  return static_cast<size_t>(fork.in1 - a.nodes.begin());
}

class Namer {
 public:
  Namer(const std::vector<StoryPart>& parts, const FrameLabels& labels,
        double total)
      : parts_(parts), labels_(labels), total_(total) {}

  std::vector<std::vector<bool>> NamesOfAll() const {
    std::vector<std::vector<bool>> named;
    for (const StoryPart& part : parts_) named.push_back(NamesOf(part));
    // Parts that would look the same also name where they differ.
    for (size_t i = 0; i < parts_.size(); ++i)
      for (size_t k = i + 1; k < parts_.size(); ++k) {
        if (LabelsOf(i, named[i]) != LabelsOf(k, named[k])) continue;
        const size_t fork = ForkOf(parts_[i], parts_[k]);
        if (fork < named[i].size()) named[i][fork] = true;
        if (fork < named[k].size()) named[k][fork] = true;
      }
    for (size_t i = 0; i < parts_.size(); ++i)
      std::fill_n(named[i].begin(), parts_[i].depth_of_whole, false);
    return named;
  }

 private:
  std::vector<bool> NamesOf(const StoryPart& part) const {
    const size_t last = part.nodes.size() - 1;
    std::vector<bool> is_named(part.nodes.size());
    is_named[last] = true;
    size_t first_fork = last;  // with another part
    size_t last_fork = 0;
    for (const StoryPart& other : parts_) {
      if (&other == &part) continue;
      first_fork = std::min(first_fork, ForkOf(part, other));
      last_fork = std::max(last_fork, ForkOf(part, other));
    }
    if (parts_.size() == 1) first_fork = part.shared_depth;
    const size_t who = WhoOf(part, first_fork);
    is_named[who] = true;
    const size_t branch = FirstNamed(part, std::max(last_fork, who));
    is_named[branch] = true;
    size_t own = last;
    while (own > who && !IsOwn(part.nodes[own])) --own;
    if (own < last && IsOwn(part.nodes[own])) is_named[own + 1] = true;
    return is_named;
  }

  // Returns the first function of own code that says who holds a part. The
  // first `shared` functions are those of all parts, and left out if they hold
  // most of the heap. Without own code, returns the first function.
  size_t WhoOf(const StoryPart& part, size_t shared) const {
    const size_t last = part.nodes.size() - 1;
    size_t trunk = 0;
    while (trunk < std::min(shared, last) &&
           part.nodes[trunk].value >= kMostOfTheHeap * total_)
      ++trunk;
    for (size_t i = trunk; i < last; ++i)
      if (IsOwn(part.nodes[i]) && SaysWho(part.nodes[i])) return i;
    return IsOwn(part.nodes[last]) ? last : FirstNamed(part, trunk);
  }

  // Returns the index of the first function at or after `from` that has a name
  // of its own.
  size_t FirstNamed(const StoryPart& part, size_t from) const {
    const size_t last = part.nodes.size() - 1;
    while (from < last && !SaysWho(part.nodes[from])) ++from;
    return std::min(from, last);
  }

  static bool IsOwn(const PathNode& node) {
    return node.role == StoryRole::kOwn ||
           node.role == StoryRole::kOwnAllocator;
  }

  bool SaysWho(const PathNode& node) const {
    return heapprof::SaysWho(labels_.Text(node.label));
  }

  std::vector<uint32_t> LabelsOf(size_t part,
                                 const std::vector<bool>& is_named) const {
    std::vector<uint32_t> named;
    for (size_t i = 0; i < is_named.size(); ++i)
      if (is_named[i]) named.push_back(parts_[part].nodes[i].label);
    return named;
  }

  const std::vector<StoryPart>& parts_;
  const FrameLabels& labels_;
  const double total_;
};

}  // namespace

bool SaysWho(std::string_view name) {
  return name != "main" && !name.ends_with("operator()") &&
         !name.ends_with("{{closure}}");
}

std::vector<std::vector<bool>> NamedNodes(const std::vector<StoryPart>& parts,
                                          const FrameLabels& labels,
                                          double total) {
  return Namer(parts, labels, total).NamesOfAll();
}

}  // namespace heapprof
