// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/process_address.h"

#include <algorithm>

#include "heapprof/profile/program.h"

namespace heapprof {
namespace {

// Below, a program is always mapped at the same address.
constexpr uint64_t kLowestRandom = uint64_t{1} << 32;

// If random addresses are switched off, programs are near the first of these on
// x86-64, near the second one on aarch64, and what the kernel adds is near the
// third.
constexpr uint64_t kFixed[] = {0x555555554000, 0xaaaaaaaa0000, 0x7ffff7000000};
constexpr uint64_t kNear = uint64_t{1} << 30;

bool IsFixed(uint64_t address) {
  return std::ranges::any_of(kFixed, [address](uint64_t fixed) {
    return address >= fixed && address - fixed < kNear;
  });
}

uint64_t StartOfVdso(const Profile& profile) {
  const auto vdso =
      std::ranges::find_if(profile.mappings, [&](const Mapping& mapping) {
        return profile.String(mapping.filename) == "[vdso]";
      });
  return vdso == profile.mappings.end() ? 0 : vdso->start;
}

}  // namespace

uint64_t RandomAddress(const Profile& profile) {
  uint64_t address =
      profile.mappings[FirstProgramMapping(profile).index()].start;
  if (address < kLowestRandom) address = StartOfVdso(profile);
  return IsFixed(address) ? 0 : address;
}

SampledProcess SampledProcessOf(const Profile& profile) {
  return {.period = profile.sampling_period,
          .address = RandomAddress(profile),
          .program = std::string(profile.String(profile.main_binary))};
}

bool IsResetBetween(const SampledProcess& a, const SampledProcess& b) {
  return a.period != 0 && b.period != 0 && a.period != b.period &&
         a.address != 0 && a.address == b.address && a.program == b.program;
}

}  // namespace heapprof
