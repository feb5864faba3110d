// SPDX-License-Identifier: Apache-2.0
//
// How much a dump of an older jemalloc may lack because it says only the mean
// size of the objects of a stack.
//
// Before 5.3.0, or with prof_unbias:false, a record has the number n of its
// samples and their bytes s. If the objects are of one size, s*f is right
// (stats/unbias.h). If small ones and large ones have one stack, it is too
// little: n samples of a period R with s bytes stand for up to n*R + s. Later
// versions write an n and an s for which the formula is right.
#pragma once

#include <cstdint>

#include "heapprof/stats/unbias.h"
#include "parse/dump_reader.h"

namespace heapprof {

class MixedSizes {
 public:
  // Adds the live objects of a record. `estimate` is that of their bytes.
  void Add(const Count& live, const Estimate& estimate, double period);
  void Add(const MixedSizes& other);

  // Returns how many bytes the records may lack beyond their error bounds. If
  // they do not add up to `header`, the dump is of a later version, and the
  // result is 0. It is also 0 if hardly anything is missing.
  double Missing(const Count& header) const;

 private:
  uint64_t objects_ = 0;
  uint64_t bytes_ = 0;
  double missing_ = 0;
};

}  // namespace heapprof
