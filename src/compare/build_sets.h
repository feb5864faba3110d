// SPDX-License-Identifier: Apache-2.0
//
// Which builds of a comparison use a module, a location or a function.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// A set of builds, which are numbered from 0.
class BuildSet {
 public:
  void Add(size_t build) {
    if (build / kBits >= words_.size()) words_.resize(build / kBits + 1);
    words_[build / kBits] |= uint64_t{1} << build % kBits;
  }

  BuildSet& operator|=(const BuildSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (size_t i = 0; i < other.words_.size(); ++i)
      words_[i] |= other.words_[i];
    return *this;
  }

  bool Intersects(const BuildSet& other) const {
    for (size_t i = 0; i < words_.size() && i < other.words_.size(); ++i)
      if ((words_[i] & other.words_[i]) != 0) return true;
    return false;
  }

  size_t size() const {
    size_t size = 0;
    for (const uint64_t word : words_)
      size += static_cast<size_t>(std::popcount(word));
    return size;
  }
  bool empty() const { return size() == 0; }
  std::vector<size_t> Members() const {
    std::vector<size_t> members;
    for (size_t i = 0; i < words_.size() * kBits; ++i)
      if ((words_[i / kBits] >> i % kBits & 1) != 0) members.push_back(i);
    return members;
  }

 private:
  static constexpr size_t kBits = 64;

  std::vector<uint64_t> words_;
};

// Two inputs are of one build if their samples are in the same mappings, apart
// from those that have no counterpart in any other input.
struct Builds {
  size_t count = 0;
  std::vector<BuildSet> of_mappings;  // by MappingId: the builds that use it
  Sides<BuildSet> of_sides;           // those of its inputs
};
Builds FindBuilds(const Profile& profile);

// Returns which builds have each function, by FunctionId: those that use a
// mapping with the function. Functions without samples are in none.
std::vector<BuildSet> BuildsOfFunctions(const Profile& profile,
                                        const std::vector<BuildSet>& mappings);

}  // namespace heapprof
