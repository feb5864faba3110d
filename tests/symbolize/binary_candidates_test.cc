// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/binary_candidates.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Candidates(const std::string& path,
                                    const LocatorOptions& options) {
  DumpBuilder dump;
  const MappingId mapping = dump.AddFile(path);
  const Profile profile = std::move(dump).Finish();
  std::vector<std::string> paths;
  for (const auto& candidate : BinaryCandidates(profile, mapping, options))
    paths.push_back((candidate.is_named ? "!" : "") + candidate.path);
  return paths;
}

TEST(BinaryCandidatesTest, TriesTheUsersFilesBeforeThePathInTheMap) {
  EXPECT_THAT(
      Candidates(
          "/opt/app/server",
          {.binaries = {"/x/renamed", "/x/server"},
           .folder_files = {"/dir/libc.so.6", "/dir/other", "/dir/server"},
           .symbol_path = {"/s", "/t/"},
           .debug = {.files = {"/x/server.debug"},
                     .path_map = {{"/opt", "/srv/opt"},
                                  {"/opt/app/", "/build"}},
                     .sysroots = {"/proc/7/root", "/r/"}}}),
      ElementsAre("!/x/server", "!/x/renamed", "/dir/server", "/dir/other",
                  "/s/opt/app/server", "/t/opt/app/server", "/s/app/server",
                  "/t/app/server", "/s/server", "/t/server",
                  "/srv/opt/app/server", "/build/server",
                  "/proc/7/root/opt/app/server", "/r/opt/app/server",
                  "/opt/app/server", "/x/server.debug"));
}

TEST(BinaryCandidatesTest, KnowsTheNameOfAMemoryFile) {
  EXPECT_THAT(
      Candidates("/memfd:libx.so",
                 {.binaries = {"/x/renamed", "/x/libx.so.debug"}}),
      ElementsAre("!/x/libx.so.debug", "!/x/renamed", "/memfd:libx.so"));
}

TEST(BinaryCandidatesTest, ListsAPathOnce) {
  EXPECT_THAT(
      Candidates("/opt/server", {.binaries = {"/opt/server"},
                                 .debug = {.path_map = {{"/opt", "/opt"}}}}),
      ElementsAre("!/opt/server"));
}

TEST(PathMappingTest, ReplacesWholeComponents) {
  EXPECT_EQ((PathMapping{"/a", "/b"}.Apply("/a/c")), "/b/c");
  EXPECT_EQ((PathMapping{"/a/", "/b/"}.Apply("/a/c")), "/b/c");
  EXPECT_EQ((PathMapping{"/a/c", "/b"}.Apply("/a/c")), "/b");
  EXPECT_EQ((PathMapping{"/a", ""}.Apply("/a/c")), "/c");
  EXPECT_EQ((PathMapping{"/", "/b"}.Apply("/a/c")), "/b/a/c");
  EXPECT_EQ((PathMapping{"/a", "/b"}.Apply("/ac")), std::nullopt);
  EXPECT_EQ((PathMapping{"/a", "/b"}.Apply("/c/a")), std::nullopt);
}

}  // namespace
}  // namespace heapprof
