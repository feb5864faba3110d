// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/runtime_library.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(IsRuntimeLibraryTest, GoesByTheFileName) {
  for (const char* path :
       {"/lib/libc.so.6", "libstdc++.so.6", "/lib64/ld-linux-x86-64.so.2"})
    EXPECT_TRUE(IsRuntimeLibrary(path)) << path;
  for (const char* path : {"/lib/libcrypto.so", "/libc.so.6/app", ""})
    EXPECT_FALSE(IsRuntimeLibrary(path)) << path;
}

}  // namespace
}  // namespace heapprof
