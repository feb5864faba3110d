// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/symbol_version.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(CutSymbolVersionTest, CutsVersions) {
  EXPECT_EQ(CutSymbolVersion("foo@@GLIBC_2.2.5"), "foo");
  EXPECT_EQ(CutSymbolVersion("_Znwm@@GLIBCXX_3.4"), "_Znwm");
  EXPECT_EQ(CutSymbolVersion("f(int) const@V1"), "f(int) const");
}

TEST(CutSymbolVersionTest, KeepsWhatIsNoVersion) {
  for (const char* name : {"", "@", "@V1", "foo", "foo@", "malloc@plt",
                           "..@4.loop", "crc@4.loop", "load /app/lib@next"})
    EXPECT_EQ(CutSymbolVersion(name), name);
}

}  // namespace
}  // namespace heapprof
