// SPDX-License-Identifier: Apache-2.0
#include "transform/allocator_names.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(IsAllocatorSignatureTest, KnowsTheProfilersOfAllocators) {
  for (const char* name :
       {"prof_backtrace", "je_prof_backtrace", "_rjem_je_prof_backtrace",
        "DoSampledAllocation", "tcmalloc::ThreadCache::Allocate"})
    EXPECT_TRUE(IsAllocatorSignature(name)) << name;
  for (const char* name :
       {"malloc", "main", "__libc_malloc", "my_prof_backtrace"})
    EXPECT_FALSE(IsAllocatorSignature(name)) << name;
}

TEST(MayBeAllocatorSourceTest, RejectsSourcesOfOtherCode) {
  EXPECT_TRUE(MayBeAllocatorSource(""));
  EXPECT_TRUE(MayBeAllocatorSource("/build/jemalloc-5.3.0/src/prof.c"));
  EXPECT_FALSE(MayBeAllocatorSource("/src/app/server.cc"));
}

}  // namespace
}  // namespace heapprof
