// SPDX-License-Identifier: Apache-2.0
#include "elf/plt_stubs.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "heapprof/elf/symbol_table.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

class PltStubsTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Linkers, PltStubsTest,
                         testing::Values("plt_x86_64", "plt_x86_64_endbr",
                                         "plt_x86_64_now", "plt_x86_64_lld",
                                         "plt_aarch64", "plt_aarch64_bti"));

TEST_P(PltStubsTest, FindsThoseThatObjdumpKnows) {
  const auto image = ElfImage::Open(FixturePath(GetParam()));
  ASSERT_TRUE(image) << image.error().message;
  const SymbolTable table = SymbolTable::Load({&*image});
  std::ifstream listing(FixturePath(GetParam()) + ".stubs");
  uint64_t address = 0;
  std::string name;
  int stubs = 0;
  for (; listing >> std::hex >> address >> name; ++stubs) {
    for (const uint64_t inside : {address, address + 7}) {
      const auto symbol = table.Find(inside);
      ASSERT_TRUE(symbol) << name;
      EXPECT_EQ(symbol->name, name);
      EXPECT_EQ(symbol->address, address) << name;
    }
  }
  EXPECT_GE(stubs, 3);
  // Calls to addresses without a relocation have no name.
  EXPECT_TRUE(std::ranges::all_of(
      ReadPltStubs(*image),
      [](const PltStub& stub) { return stub.name != "@plt"; }));
}

TEST(ReadPltStubsTest, HasNoneWithoutCodeOrForOtherMachines) {
  for (const char* fixture : {"pie.debug", "calls_i386"}) {
    const auto image = ElfImage::Open(FixturePath(fixture));
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_TRUE(ReadPltStubs(*image).empty()) << fixture;
  }
}

}  // namespace
}  // namespace heapprof
