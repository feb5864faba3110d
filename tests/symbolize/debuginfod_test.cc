// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/debuginfod.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DebuginfodCachesTest, ListsThoseOfAllVersionsOfTheClient) {
  EXPECT_THAT(
      DebuginfodCaches({"/c", "/x/", "/home/a"}),
      ElementsAre("/c", "/home/a/.debuginfod_client_cache",
                  "/x/debuginfod_client", "/home/a/.cache/debuginfod_client"));
  EXPECT_THAT(DebuginfodCaches({"", "/home/a/.cache", "/home/a"}),
              ElementsAre("/home/a/.debuginfod_client_cache",
                          "/home/a/.cache/debuginfod_client"));
  EXPECT_THAT(DebuginfodCaches({}), IsEmpty());
}

TEST(CachedFileTest, IsInAFolderOfItsBuildId) {
  EXPECT_EQ(CachedFile("/c", "abcd", BuildIdFile::kExecutable),
            "/c/abcd/executable");
  EXPECT_EQ(CachedFile("/c/", "abcd", BuildIdFile::kDebugInfo),
            "/c/abcd/debuginfo");
}

TEST(OpenDebuginfodTest, NeedsAServer) {
  for (const char* urls : {"", "  "}) {
    const auto servers = OpenDebuginfod(urls);
    ASSERT_FALSE(servers);
    EXPECT_EQ(servers.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(servers.error().message,
              "--debuginfod needs the list of servers in DEBUGINFOD_URLS, "
              "which is not set");
  }
}

}  // namespace
}  // namespace heapprof
