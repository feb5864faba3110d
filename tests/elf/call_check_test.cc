// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/call_check.h"

#include <elf.h>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/fixture.h"

namespace heapprof {
namespace {

class CallCheckTest : public testing::TestWithParam<const char*> {};

// Each label says what precedes it. The return from a signal handler counts as
// following a call.
TEST_P(CallCheckTest, TellsCallsFromOtherInstructions) {
  Result<ElfImage> image = ElfImage::Open(FixturePath(GetParam()));
  ASSERT_TRUE(image) << image.error().message;
  int labels = 0;
  for (const auto& [name, symbol] : ReadNm(GetParam())) {
    const bool is_after = name.starts_with("after_");
    if (!is_after && !name.starts_with("not_after_")) continue;
    ++labels;
    const CallCheck check = CheckReturnAddresses(*image, {{symbol.address}});
    EXPECT_EQ(check.checked, 1u) << name;
    EXPECT_EQ(check.after_call, is_after ? 1u : 0u) << name;
  }
  EXPECT_GE(labels, 6);
}

INSTANTIATE_TEST_SUITE_P(Machines, CallCheckTest,
                         testing::Values("calls_x86_64", "calls_aarch64",
                                         "calls_i386"),
                         [](const auto& test) { return test.param; });

TEST(CallCheckTest, SumsUpAllAddresses) {
  Result<ElfImage> image = ElfImage::Open(FixturePath("calls_x86_64"));
  ASSERT_TRUE(image) << image.error().message;
  const std::vector<uint64_t> addresses = {
      FindNm("calls_x86_64", "after_direct").address,
      FindNm("calls_x86_64", "after_far").address,
      FindNm("calls_x86_64", "not_after_return").address,
      FindNm("calls_x86_64", "after_memory").address};
  const CallCheck check = CheckReturnAddresses(*image, addresses);
  EXPECT_EQ(check.checked, 4u);
  EXPECT_EQ(check.after_call, 3u);
  EXPECT_DOUBLE_EQ(check.Share(), 0.75);
}

// The list of an index gives the same counts as the bytes of the file.
TEST_P(CallCheckTest, ListsAllAddressesAfterCalls) {
  Result<ElfImage> image = ElfImage::Open(FixturePath(GetParam()));
  ASSERT_TRUE(image) << image.error().message;
  const std::vector<uint64_t> found = FindReturnAddresses(*image, 2);
  std::vector<uint64_t> expected;
  std::vector<uint64_t> all;
  for (const auto& [start, end] : image->code().all())
    for (uint64_t at = start + 1; at <= end; ++at) {
      all.push_back(at);
      if (CheckReturnAddresses(*image, {{at}}).after_call != 0)
        expected.push_back(at);
    }
  EXPECT_EQ(found, expected);
  EXPECT_GE(found.size(), 3u);
  const std::string encoded = ReturnAddressSet::Encode(found);
  const ElfImage listed = ElfImage::FromLayout(
      "index", image->layout(),
      ReturnAddressSet(
          {reinterpret_cast<const uint8_t*>(encoded.data()), encoded.size()}));
  all.push_back(0);
  all.push_back(UINT64_MAX);
  const CallCheck check = CheckReturnAddresses(listed, all);
  EXPECT_EQ(check.checked, all.size() - 2);
  EXPECT_EQ(check.after_call, found.size());
}

TEST(CallCheckTest, LeavesOutAddressesWithoutBytes) {
  Result<ElfImage> image = ElfImage::Open(FixturePath("pie"));
  ASSERT_TRUE(image) << image.error().message;
  const std::vector<uint64_t> addresses = {
      0, 0x7fff00000000, UINT64_MAX, FindNm("pie", "zeroed").address + 4096};
  const CallCheck check = CheckReturnAddresses(*image, addresses);
  EXPECT_EQ(check.checked, 0u);
  EXPECT_EQ(check.after_call, 0u);
  EXPECT_EQ(check.Share(), 0);
}

TEST(CallCheckTest, LeavesOutMisalignedAddressesOfFixedSizeInstructions) {
  Result<ElfImage> image = ElfImage::Open(FixturePath("calls_aarch64"));
  ASSERT_TRUE(image) << image.error().message;
  const uint64_t after = FindNm("calls_aarch64", "after_register").address;
  const CallCheck check =
      CheckReturnAddresses(*image, {{after + 1, after + 2, after + 3}});
  EXPECT_EQ(check.after_call, 0u);
}

TEST(CallCheckTest, ChecksNothingForUnknownMachines) {
  std::string bytes = ReadFile(FixturePath("pie"));
  constexpr size_t kMachineOffset = 18;
  PutNumber(bytes, kMachineOffset, 2, EM_RISCV);
  const TemporaryFile file(bytes);
  Result<ElfImage> image = ElfImage::Open(file.path());
  ASSERT_TRUE(image) << image.error().message;
  const uint64_t main = FindNm("pie", "main").address;
  EXPECT_EQ(CheckReturnAddresses(*image, {{main + 8}}).checked, 0u);
}

}  // namespace
}  // namespace heapprof
