// SPDX-License-Identifier: Apache-2.0
#include "heapprof/dwarf/symbol_resolver.h"

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/elf/elf_image.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

TEST(SymbolResolverTest, StoresAFunctionAndItsClonesOnceAndHasNoLines) {
  const Result<ElfImage> image = ElfImage::Open(FixturePath("gcc_dwarf5"));
  ASSERT_TRUE(image) << image.error().message;
  const SymbolTable symbols = SymbolTable::Load({&*image});
  const auto resolver = MakeSymbolResolver(symbols);
  const uint64_t whole = FindNm("gcc_dwarf5", "_ZN3app5SplitEi").address;
  const uint64_t cold = FindNm("gcc_dwarf5", "_ZN3app5SplitEi.cold").address;
  ASSERT_LT(cold, whole);
  const ResolvedAddresses answer =
      resolver->Resolve({{1, cold, whole, whole + 1}});

  ASSERT_EQ(answer.runs.size(), 4u);
  EXPECT_EQ(answer.runs[0].count, 0u);
  ASSERT_EQ(answer.functions.size(), 1u);
  EXPECT_EQ(answer.functions[0].linkage_name, "_ZN3app5SplitEi");
  EXPECT_EQ(answer.functions[0].scoped_name, "");
  EXPECT_EQ(answer.functions[0].start_address, cold);
  for (size_t i = 1; i < 4; ++i) {
    ASSERT_EQ(answer.runs[i].count, 1u);
    const SourceFrame& frame = answer.frames[answer.runs[i].first];
    EXPECT_EQ(frame.function, 0u);
    EXPECT_EQ(frame.line, 0u);
    EXPECT_EQ(answer.files[frame.file], "");
  }
  EXPECT_THAT(resolver->problems(), testing::IsEmpty());
}

}  // namespace
}  // namespace heapprof
