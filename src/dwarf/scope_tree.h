// SPDX-License-Identifier: Apache-2.0
//
// Which namespace, type or function encloses an entry. DWARF has no links to
// parents, so they are recorded while a unit is walked. Only scopes that have
// scopes inside are kept, each with the bytes it takes: most are declarations
// of functions, which nothing is inside of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace heapprof {

class ScopeTree {
 public:
  // The innermost scope around `entry`; nothing at the top of the unit. All
  // are offsets in .debug_info.
  std::optional<uint64_t> FindScope(uint64_t entry) const;

 private:
  friend class ScopeRecorder;
  static constexpr uint32_t kTop = UINT32_MAX;
  struct Scope {
    uint64_t entry = 0;
    uint64_t end = UINT64_MAX;  // of its children
    uint32_t parent = kTop;     // index into scopes_
  };

  std::vector<Scope> scopes_;  // by entry
};

class ScopeRecorder {
 public:
  // Call for every scope, in the order of entries; if it has children also
  // Leave() behind them.
  void Enter(uint64_t entry, bool has_children) {
    if (!open_.empty() && open_.back().number == ScopeTree::kTop) RecordOpen();
    if (has_children) open_.push_back({entry});
  }
  void Leave(uint64_t end) {
    const Open scope = open_.back();
    open_.pop_back();
    if (scope.number != ScopeTree::kTop) tree_.scopes_[scope.number].end = end;
  }

  ScopeTree Take() { return std::move(tree_); }

 private:
  struct Open {
    uint64_t entry = 0;
    uint32_t number = ScopeTree::kTop;  // in the tree, once it is there
  };

  void RecordOpen();

  ScopeTree tree_;
  std::vector<Open> open_;
};

}  // namespace heapprof
