// SPDX-License-Identifier: Apache-2.0
//
// Which namespace, type or function encloses a DIE. DWARF has no links to
// parents, so they are recorded while a unit is scanned. Only scopes that
// enclose other scopes are kept, each with the range of its DIEs: most scopes
// are declarations of functions, which enclose none.
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
  // The innermost scope around the DIE at `die`; nothing at the top of the
  // unit. `die` and the result are offsets in .debug_info.
  std::optional<uint64_t> FindScope(uint64_t die) const;

  // Appends `later`, the scopes from `start` on, where this tree ends. Scopes
  // of `later` before `start` enclose the others: see Resume().
  void Append(const ScopeTree& later, uint64_t start);

 private:
  friend class ScopeRecorder;
  static constexpr uint32_t kTop = UINT32_MAX;
  struct Scope {
    uint64_t die = 0;
    uint64_t end = UINT64_MAX;  // of its children
    uint32_t parent = kTop;     // index into scopes_
    bool is_empty = false;      // encloses no scope: only its end is known
  };

  std::vector<Scope> scopes_;  // by DIE
};

class ScopeRecorder {
 public:
  // Call for every scope, in the order of DIEs. If it has children, call
  // Leave() after them.
  void Enter(uint64_t die, bool has_children) {
    if (!open_.empty() && open_.back().number == ScopeTree::kTop) RecordOpen();
    if (has_children) open_.push_back({die});
  }
  void Leave(uint64_t end) {
    const Open scope = open_.back();
    open_.pop_back();
    if (scope.number != ScopeTree::kTop)
      tree_.scopes_[scope.number].end = end;
    else if (scope.is_resumed)
      tree_.scopes_.push_back({.die = scope.die, .end = end, .is_empty = true});
  }

  // Continues inside of the scopes `enclosing`, outermost first. Call before
  // Enter() and Leave().
  void Resume(std::span<const uint64_t> enclosing) {
    for (const uint64_t die : enclosing) {
      RecordOpen();
      open_.push_back({.die = die, .is_resumed = true});
    }
  }

  ScopeTree Take() { return std::move(tree_); }

 private:
  struct Open {
    uint64_t die = 0;
    uint32_t number = ScopeTree::kTop;  // in the tree, once it is there
    bool is_resumed = false;
  };

  void RecordOpen();

  ScopeTree tree_;
  std::vector<Open> open_;
};

}  // namespace heapprof
