// SPDX-License-Identifier: Apache-2.0
//
// Which stacks have objects in slabs with free regions, and which of them keep
// these slabs. A slab stays as long as one object in it lives. A dump says
// which stacks have objects of the size, but many objects in full slabs keep
// nothing: so free regions are never charged by a single dump. What is said
// instead:
//
//   one dump     who has how many objects of the size, and bounds: an object
//                keeps at most the other regions of its slab
//   a log        of recent allocations: a replay of the sampled objects, if it
//                leaves as many regions free as there are
//   two dumps    who has more objects of the size than before
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "heapprof/explain/waterfall.h"
#include "heapprof/parse/recent_allocations.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Sampled live objects of a stack.
struct StackObjects {
  StackId stack = {};
  uint64_t size = 0;  // of the class
  uint64_t count = 0;
};

struct SampledObjectSizes {
  std::vector<StackObjects> stacks = {};
  // Stacks whose objects may be of several classes: their mean is in none.
  uint64_t mixed_stacks = 0;
  uint64_t mixed_objects = 0;
  uint64_t sampling_period = 0;  // bytes
};

// Finds the classes of the sampled objects of `profile`, a dump that no pass
// has changed yet. Objects that are too large for slabs are left out.
SampledObjectSizes FindSizes(const Profile& profile,
                             std::span<const SmallClass> classes);

// The names of a stack's functions, the innermost first. Stacks with equal
// names are one holder.
using StackNamer = std::function<std::vector<std::string>(StackId stack)>;

struct HolderSide {
  SampledObjectSizes sizes = {};
  StackNamer names = {};
};

struct HolderLog {
  std::span<const RecentAllocation> allocations = {};
  StackNamer names = {};
};

// True if a class of `waterfall` has so many free regions that stacks matter.
bool HasMuchFree(const Waterfall& waterfall);

// Sets the holders of the classes of `waterfall` that have much free, and adds
// the remarks about them. `base` and `log` are null if there are none.
void AddHolders(const HolderSide& now, const HolderSide* base,
                const HolderLog* log, Waterfall& waterfall);

}  // namespace heapprof
