// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/elf/elf_image.h"
#include "heapprof/symbolize/module.h"
#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

ElfImage OpenFixture(const std::string& name) {
  auto image = ElfImage::Open(Fixture(name));
  EXPECT_TRUE(image) << image.error().message;
  return std::move(*image);
}

// "/root" + the folder of the fixture `name`.
std::string Mirrored(const std::string& root, const std::string& name) {
  return root + Fixture(name);
}

TEST(DebugFileCandidatesTest, GoFromTheUsersFilesToTheCaches) {
  const ElfImage binary = OpenFixture("stripped/app");
  const std::string id = FixtureText("plain/app.id");
  const std::string by_id =
      "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
  const DebugSearch search = {.files = {"/given.debug"},
                              .unstripped = {"/given"},
                              .dirs = {"/dir"},
                              .debuginfod_caches = {"/cache"}};
  EXPECT_THAT(
      DebugFileCandidates(binary, search),
      ElementsAre("/given.debug", "/given", Fixture("stripped/app.debug"),
                  Fixture("stripped/.debug/app.debug"),
                  Mirrored("/dir", "stripped/app.debug"),
                  Mirrored("/usr/lib/debug", "stripped/app.debug"),
                  "/dir/app.debug", "/dir" + by_id, "/usr/lib/debug" + by_id,
                  "/cache/" + id + "/debuginfo"));
}

TEST(DebugFileCandidatesTest, IncludeTheFolderThatTheProcessHad) {
  const ElfImage binary = OpenFixture("stripped/app");
  EXPECT_THAT(DebugFileCandidates(
                  binary, {.dirs = {"/dir"}, .mapped_path = "/opt/db/server"}),
              Contains("/dir/opt/db/server.debug"));
}

TEST(DebugFileCandidatesTest, HaveNoBuildIdIfTheBinaryHasNone) {
  const std::vector<std::string> candidates = DebugFileCandidates(
      OpenFixture("by-link/app"), {.debuginfod_caches = {"/c"}});
  EXPECT_THAT(candidates, Contains(Fixture("by-link/app.debug")));
  EXPECT_THAT(candidates, Not(Contains(HasSubstr(".build-id"))));
  EXPECT_THAT(candidates, Not(Contains(HasSubstr("/c/"))));
}

TEST(AlternateFileCandidatesTest, KnowADirectoryByItsTreeOfBuildIds) {
  const DebugSearch search = {.dirs = {"/dir/.build-id/", ".build-id"}};
  EXPECT_THAT(AlternateFileCandidates({.path = "x", .build_id = "abcdef"},
                                      "/nowhere/x.debug", search),
              IsSupersetOf({"/dir/.build-id/ab/cdef.debug",
                            "./.build-id/ab/cdef.debug"}));
}

TEST(AlternateFileCandidatesTest, GoFromTheLinkToTheCaches) {
  const AlternateLink link = {.path = "../.dwz/shared.debug",
                              .build_id = "abcdef"};
  const DebugSearch search = {.dirs = {"/dir"},
                              .path_map = {{"/nowhere", "/home"}},
                              .sysroots = {"/root"},
                              .debuginfod_caches = {"/cache"}};
  EXPECT_THAT(
      AlternateFileCandidates(link, "/nowhere/lib/x.debug", search),
      ElementsAre("/nowhere/.dwz/shared.debug", "/home/.dwz/shared.debug",
                  "/root/nowhere/.dwz/shared.debug",
                  "/dir/.build-id/ab/cdef.debug", "/dir/.dwz/shared.debug",
                  "/root/usr/lib/debug/.build-id/ab/cdef.debug",
                  "/root/usr/lib/debug/.dwz/shared.debug",
                  "/usr/lib/debug/.build-id/ab/cdef.debug",
                  "/usr/lib/debug/.dwz/shared.debug", "/dir/shared.debug",
                  "/cache/abcdef/debuginfo"));
}

}  // namespace
}  // namespace heapprof
