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
#include <span>
#include <utility>
#include <vector>

namespace heapprof {

class ScopeTree {
 public:
  // The innermost scope around `entry`; nothing at the top of the unit. All
  // are offsets in .debug_info.
  std::optional<uint64_t> FindScope(uint64_t entry) const;

  // Adds the scopes of the entries that start at `start`, where this tree
  // ends. Those that begin in front of it are around them: see Resume().
  void Append(const ScopeTree& later, uint64_t start);

 private:
  friend class ScopeRecorder;
  static constexpr uint32_t kTop = UINT32_MAX;
  struct Scope {
    uint64_t entry = 0;
    uint64_t end = UINT64_MAX;  // of its children
    uint32_t parent = kTop;     // index into scopes_
    bool is_empty = false;      // there is only an end to be told
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
    if (scope.number != ScopeTree::kTop)
      tree_.scopes_[scope.number].end = end;
    else if (scope.is_resumed)
      tree_.scopes_.push_back(
          {.entry = scope.entry, .end = end, .is_empty = true});
  }

  // Goes on inside of the scopes `enclosing`, outermost first. Call before any
  // other.
  void Resume(std::span<const uint64_t> enclosing) {
    for (const uint64_t entry : enclosing) {
      RecordOpen();
      open_.push_back({.entry = entry, .is_resumed = true});
    }
  }

  ScopeTree Take() { return std::move(tree_); }

 private:
  struct Open {
    uint64_t entry = 0;
    uint32_t number = ScopeTree::kTop;  // in the tree, once it is there
    bool is_resumed = false;
  };

  void RecordOpen();

  ScopeTree tree_;
  std::vector<Open> open_;
};

}  // namespace heapprof
