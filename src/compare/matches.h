// SPDX-License-Identifier: Apache-2.0
//
// Finds out which of the names that builds use stand for the same thing.
#pragma once

#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "compare/build_sets.h"

namespace heapprof {

// Disjoint sets of names, each with the builds that have one of its names. A
// set is known by one of its names, its root.
class Matches {
 public:
  explicit Matches(std::vector<BuildSet> builds)
      : parents_(builds.size()), builds_(std::move(builds)) {
    std::iota(parents_.begin(), parents_.end(), size_t{0});
  }

  size_t Root(size_t name) {
    while (parents_[name] != name)
      name = parents_[name] = parents_[parents_[name]];
    return name;
  }
  const BuildSet& BuildsOf(size_t root) const { return builds_[root]; }

  void Unite(size_t a, size_t b) {
    a = Root(a);
    b = Root(b);
    if (a == b) return;
    if (b < a) std::swap(a, b);
    parents_[b] = a;
    builds_[a] |= builds_[b];
  }
  void UniteAll(const std::vector<size_t>& names) {
    for (const size_t name : names) Unite(names.front(), name);
  }

  BuildSet BuildsOfAll(const std::vector<size_t>& names) {
    BuildSet builds;
    for (const size_t name : names) builds |= builds_[Root(name)];
    return builds;
  }

  // Returns the roots of those `names` that not all of their builds have.
  std::vector<size_t> Leftovers(const std::vector<size_t>& names);

  // Unites `roots` if no build has two of them. Returns whether it did.
  bool UniteIfUnique(const std::vector<size_t>& roots);

 private:
  std::vector<size_t> parents_;
  std::vector<BuildSet> builds_;  // right only for roots
};

// Names by something that they have in common.
using NameGroups = std::map<std::string, std::vector<size_t>>;

}  // namespace heapprof
