// SPDX-License-Identifier: Apache-2.0
//
// Whether dumps are of one process, by their memory maps.
#pragma once

#include <cstdint>
#include <string>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Returns an address that the kernel has chosen at random for the process; 0 if
// the profile has none, as without a memory map.
uint64_t RandomAddress(const Profile& profile);

// The process of a dump, and how it was sampled at that time.
struct SampledProcess {
  uint64_t period = 0;   // Profile::sampling_period
  uint64_t address = 0;  // RandomAddress()
  std::string program = {};
};
SampledProcess SampledProcessOf(const Profile& profile);

// True if both are one process, sampled at different rates. Only prof.reset
// changes the rate of a process, and it drops what was sampled before: the
// later dump lacks that memory, which may be live.
bool IsResetBetween(const SampledProcess& a, const SampledProcess& b);

}  // namespace heapprof
