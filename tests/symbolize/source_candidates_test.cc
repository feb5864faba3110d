// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/source_candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(SourceCandidatesTest, GoFromTheUsersFoldersToThePathItself) {
  const SourceSearch search = {.folders = {"/x", "/y"},
                               .path_map = {{"/build", "/home/me"}},
                               .sysroots = {"/root"}};
  EXPECT_THAT(
      SourceCandidates("/build/src/a.cc", search),
      ElementsAre("/x/build/src/a.cc", "/y/build/src/a.cc", "/x/src/a.cc",
                  "/y/src/a.cc", "/x/a.cc", "/y/a.cc", "/home/me/src/a.cc",
                  "/root/build/src/a.cc", "/build/src/a.cc"));
  EXPECT_THAT(SourceCandidates("/other/a.cc", {}), ElementsAre("/other/a.cc"));
}

TEST(SourceCandidatesTest, RelativePathsAreBelowTheFolders) {
  EXPECT_THAT(
      SourceCandidates("./src/a.cc", {.folders = {"/x"}}),
      ElementsAre("/x/./src/a.cc", "/x/src/a.cc", "/x/a.cc", "./src/a.cc"));
}

}  // namespace
}  // namespace heapprof
