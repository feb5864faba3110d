// SPDX-License-Identifier: Apache-2.0
//
// Visits the DIEs of one unit in preorder, each exactly once.
//
// dwarf_siblingof() on a DIE with children walks through its whole subtree
// unless the producer wrote DW_AT_sibling (clang does not). So a walk by
// dwarf_child() and dwarf_siblingof() would read a DIE once per level above it.
// This walker calls dwarf_siblingof() only for leaves. A null entry ends each
// list of siblings; the walk continues right after it, one level higher.
#pragma once

#include <cstddef>
#include <cstdint>

#include <elfutils/libdw.h>

namespace heapprof {

class DieWalker {
 public:
  // DIEs deeper than this are skipped with all their children.
  static constexpr size_t kMaxDepth = 512;

  // `root` is the DIE of a unit, `end` the first byte after that unit.
  DieWalker(const Dwarf_Die& root, const uint8_t* end);

  // Moves to the next DIE; the first call moves to the root. Returns false
  // after the last DIE, or if the rest of the unit cannot be read.
  bool Next();

  Dwarf_Die* die() { return &die_; }
  int tag() const { return tag_; }
  size_t depth() const { return depth_; }  // 0 is the root
  bool damaged() const { return damaged_; }
  bool too_deep() const { return too_deep_; }

 private:
  void Advance();
  void StepTo(const void* address, size_t depth);
  void StopAsDamaged();

  Dwarf_Die die_;
  const uint8_t* end_;
  const uint8_t* next_;  // nullptr at the end of the walk
  size_t depth_ = 0;
  size_t next_depth_ = 0;
  int tag_ = 0;
  bool started_ = false;
  bool damaged_ = false;
  bool too_deep_ = false;
};

}  // namespace heapprof
