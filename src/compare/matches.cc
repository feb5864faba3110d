// SPDX-License-Identifier: Apache-2.0
#include "compare/matches.h"

#include <set>

namespace heapprof {

std::vector<size_t> Matches::Leftovers(const std::vector<size_t>& names) {
  const size_t all = BuildsOfAll(names).size();
  std::set<size_t> roots;
  for (const size_t name : names)
    if (const size_t root = Root(name); builds_[root].size() < all)
      roots.insert(root);
  return {roots.begin(), roots.end()};
}

bool Matches::UniteIfUnique(const std::vector<size_t>& roots) {
  BuildSet seen;
  for (const size_t root : roots) {
    if (seen.Intersects(builds_[root])) return false;
    seen |= builds_[root];
  }
  UniteAll(roots);
  return true;
}

}  // namespace heapprof
