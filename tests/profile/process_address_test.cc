// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/process_address.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr uint64_t kRandom = 0x563401c35000, kVdso = 0x7f8c0750a000;

Profile ProcessAt(uint64_t program, uint64_t vdso, uint64_t period = 1024) {
  Profile profile;
  profile.sampling_period = period;
  profile.main_binary = profile.strings.Intern("/srv/app");
  profile.mappings.push_back(
      {.start = program, .filename = profile.main_binary});
  profile.mappings.push_back(
      {.start = vdso, .filename = profile.strings.Intern("[vdso]")});
  return profile;
}

TEST(RandomAddressTest, IsThatOfTheProgramUnlessItIsFixed) {
  EXPECT_EQ(RandomAddress(ProcessAt(kRandom, kVdso)), kRandom);
  EXPECT_EQ(RandomAddress(ProcessAt(0x401000, kVdso)), kVdso);
  EXPECT_EQ(RandomAddress(Profile()), 0);
}

// As under gdb, or setarch -R.
TEST(RandomAddressTest, IsUnknownWithoutRandomAddresses) {
  EXPECT_EQ(RandomAddress(ProcessAt(0x555555556000, kVdso)), 0);
  EXPECT_EQ(RandomAddress(ProcessAt(0xaaaaaaaa1000, kVdso)), 0);
  EXPECT_EQ(RandomAddress(ProcessAt(0x401000, 0x7ffff7fc1000)), 0);
}

bool IsReset(const Profile& a, const Profile& b) {
  return IsResetBetween(SampledProcessOf(a), SampledProcessOf(b));
}

TEST(IsResetBetweenTest, NeedsOneProcessAndTwoRates) {
  const Profile before = ProcessAt(kRandom, kVdso);
  EXPECT_TRUE(IsReset(before, ProcessAt(kRandom, kVdso, 512)));
  EXPECT_FALSE(IsReset(before, ProcessAt(kRandom, kVdso)));
  EXPECT_FALSE(IsReset(before, ProcessAt(kRandom, kVdso, 0)));
  EXPECT_FALSE(IsReset(before, ProcessAt(kRandom + 4096, kVdso, 512)));
  Profile other = ProcessAt(kRandom, kVdso, 512);
  other.main_binary = other.strings.Intern("/srv/other");
  other.mappings[1].filename = other.main_binary;
  EXPECT_FALSE(IsReset(before, other));
  EXPECT_FALSE(IsReset(ProcessAt(0, 0), ProcessAt(0, 0, 512)));
}

}  // namespace
}  // namespace heapprof
