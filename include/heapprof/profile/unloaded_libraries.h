// SPDX-License-Identifier: Apache-2.0
//
// A library that its process has unloaded, by dlclose(), is not in the memory
// map of later dumps, but what it allocated may still be live, as after a leak.
// Earlier dumps of the process tell whose code was at these addresses.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "heapprof/profile/profile.h"

namespace heapprof {

// The libraries of one process.
class UnloadedLibraries {
 public:
  // Remembers where the files of a dump are mapped. Of files that were at the
  // same addresses, the last one counts.
  void Learn(const Profile& dump);

  // Gives addresses outside the memory map of `dump` the mappings of the files
  // that were there.
  void Restore(Profile& dump) const;

 private:
  struct Library {
    Mapping mapping = {};  // its strings are those below
    std::string filename = {};
    std::string build_id = {};
  };
  using ByStart = std::map<uint64_t, Library>;

  // Returns the library that has code at `address`; nullptr if none has.
  const Library* Find(uint64_t address) const;

  ByStart libraries_;  // whose addresses do not overlap
};

}  // namespace heapprof
