// SPDX-License-Identifier: Apache-2.0
//
// Finds the scope (namespace, type or function) around another scope. DWARF has
// no links from a DIE to its parent, so the scopes are recorded while a unit is
// scanned. The tree keeps only scopes that enclose other scopes, each with the
// range of the DIEs inside of it. This saves memory, because most scopes are
// declarations of functions, which enclose none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heapprof {

class ScopeTree {
 public:
  // Returns the innermost scope around the scope at `die`; nothing if no other
  // scope encloses it. `die` and the result are offsets in .debug_info.
  std::optional<uint64_t> FindScope(uint64_t die) const;

  // Appends `later`, the tree of the next chunk of the unit, which starts at
  // the offset `start`. Scopes of `later` with offsets before `start` are those
  // that are still open at `start` (see ScopeRecorder::Resume()). This tree may
  // have them too.
  void Append(const ScopeTree& later, uint64_t start);

 private:
  friend class ScopeRecorder;
  static constexpr uint32_t kTop = UINT32_MAX;
  struct Scope {
    uint64_t die = 0;
    uint64_t end = UINT64_MAX;  // where its children end
    uint32_t parent = kTop;     // index into scopes_
    // True if this scope encloses no scope of its chunk. It is then recorded
    // only to tell Append() where it ends.
    bool is_empty = false;
  };

  std::vector<Scope> scopes_;  // by DIE
};

class ScopeRecorder {
 public:
  // Records the scope at `die`. Call this for every scope, in the order of
  // DIEs. If the scope has children, call Leave() after the last child, with
  // the offset of the null entry that ends the children.
  void Enter(uint64_t die, bool has_children) {
    if (!open_.empty() && open_.back().number == ScopeTree::kTop) RecordOpen();
    if (has_children) open_.push_back({die});
  }
  // Returns the innermost scope that is open.
  std::optional<uint64_t> Innermost() const {
    if (open_.empty()) return std::nullopt;
    return open_.back().die;
  }
  void Leave(uint64_t end) {
    const Open scope = open_.back();
    open_.pop_back();
    if (scope.number != ScopeTree::kTop)
      tree_.scopes_[scope.number].end = end;
    else if (scope.is_resumed)
      tree_.scopes_.push_back({.die = scope.die, .end = end, .is_empty = true});
  }

  // Starts inside of scopes that are already open, because the recorded chunk
  // starts in the middle of a unit. `enclosing` are the offsets of these
  // scopes, outermost first. Call before Enter() and Leave().
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
    uint32_t number = ScopeTree::kTop;  // index in the tree, once it is there
    bool is_resumed = false;
  };

  void RecordOpen();

  ScopeTree tree_;
  std::vector<Open> open_;
};

}  // namespace heapprof
