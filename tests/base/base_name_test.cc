// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/base_name.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(BaseNameTest, DividesAPathAtItsLastSlash) {
  EXPECT_EQ(BaseName("/srv/app/server"), "server");
  EXPECT_EQ(FolderOf("/srv/app/server"), "/srv/app");
  EXPECT_EQ(BaseName("server"), "server");
  EXPECT_EQ(FolderOf("server"), "");
  EXPECT_EQ(FolderOf("/server"), "");
}

TEST(IsBelowTest, ComparesWholeParts) {
  EXPECT_TRUE(IsBelow("/srv/app/server", "/srv/app"));
  EXPECT_TRUE(IsBelow("/srv/app/server", "/srv/app//"));
  EXPECT_TRUE(IsBelow("/srv/app", "/srv/app"));
  EXPECT_TRUE(IsBelow("/srv", "/"));
  EXPECT_FALSE(IsBelow("/srv/app2", "/srv/app"));
  EXPECT_FALSE(IsBelow("/srv", "/srv/app"));
}

TEST(IsLibraryNameTest, KnowsVersions) {
  EXPECT_TRUE(IsLibraryName("libz.so"));
  EXPECT_TRUE(IsLibraryName("libz.so.1.2"));
  EXPECT_FALSE(IsLibraryName("server.sock"));
}

}  // namespace
}  // namespace heapprof
