// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/module.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"
#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The debug file found for a binary.
std::string DebugFileOf(std::string_view binary,
                        const DebugSearch& search = {}) {
  const auto module = Module::Open(Fixture(binary), search);
  if (!module) return module.error().message;
  return (*module)->debug() == nullptr ? "none" : (*module)->debug()->path();
}

TEST(ModuleTest, UsesItsOwnDebugInformation) {
  EXPECT_EQ(DebugFileOf("plain/app"), Fixture("plain/app"));
}

TEST(ModuleTest, FindsADebugFileByBuildId) {
  EXPECT_EQ(DebugFileOf("stripped/app"), "none");
  const std::string id = FixtureText("plain/app.id");
  EXPECT_EQ(
      DebugFileOf("stripped/app", {.dirs = {"/nowhere", Fixture("by-id")}}),
      Fixture("by-id/.build-id/") + id.substr(0, 2) + "/" + id.substr(2) +
          ".debug");
}

TEST(ModuleTest, FindsADebugFileByItsLink) {
  EXPECT_EQ(DebugFileOf("by-link/app"), Fixture("by-link/app.debug"));
  EXPECT_EQ(DebugFileOf("dot-debug/app"),
            Fixture("dot-debug/.debug/app.debug"));
}

TEST(ModuleTest, SkipsALinkedFileWithAnotherChecksum) {
  EXPECT_EQ(DebugFileOf("bad-link/app"), "none");
  // The same program, with an intact debug file.
  EXPECT_EQ(DebugFileOf("bad-link/app", {.dirs = {Fixture("by-link")}}),
            Fixture("by-link/app.debug"));
}

TEST(ModuleTest, FindsALinkedFileInADebugDirectory) {
  const TemporaryFolder folder;
  fs::copy_file(Fixture("by-link/app"), folder.Path("app"));
  EXPECT_EQ((*Module::Open(folder.Path("app"), {}))->debug(), nullptr);
  const DebugSearch search = {.dirs = {Fixture("by-link")}};
  const auto module = Module::Open(folder.Path("app"), search);
  ASSERT_TRUE(module) << module.error().message;
  ASSERT_NE((*module)->debug(), nullptr);
  EXPECT_EQ((*module)->debug()->path(), Fixture("by-link/app.debug"));
}

TEST(ModuleTest, TakesADebugFileOfTheUserIfItBelongs) {
  const std::string by_link = Fixture("by-link/app.debug");
  EXPECT_EQ(DebugFileOf("by-link/app", {.files = {by_link}}), by_link);
  EXPECT_EQ(DebugFileOf("stripped/app", {.files = {by_link}}), "none");
}

TEST(ModuleTest, RemembersWhereItLookedForADebugFile) {
  const TemporaryFolder folder;
  fs::copy_file(Fixture("bad-link/app"), folder.Path("app"));
  fs::copy_file(Fixture("bad-link/app.debug"), folder.Path("app.debug"));
  fs::create_directory(folder.Path(".debug"));
  folder.Write(".debug/app.debug", "text");
  const auto module = Module::Open(folder.Path("app"), {});
  ASSERT_TRUE(module) << module.error().message;
  std::vector<std::string> tried;
  for (const TriedFile& file : (*module)->debug_tried())
    tried.push_back(file.path + ": " + file.outcome);
  const std::string path = fs::canonical(folder.path()).string();
  EXPECT_THAT(tried,
              ElementsAre(path + "/app.debug: belongs to another build",
                          path + "/.debug/app.debug: " + path +
                              "/.debug/app.debug: not an ELF file",
                          "/usr/lib/debug" + path + "/app.debug: not found"));
}

// The one debug file in the build-id tree.
std::string FileById() {
  const std::string id = FixtureText("plain/app.id");
  return Fixture("by-id/.build-id/") + id.substr(0, 2) + "/" + id.substr(2) +
         ".debug";
}

TEST(ModuleTest, SearchesTheCachesOfTheDebuginfodClient) {
  const TemporaryFolder cache;
  const std::string id = FixtureText("plain/app.id");
  fs::create_directories(cache.Path(id));
  const DebugSearch search = {.debuginfod_caches = {"/gone", cache.path()}};
  cache.Write(id + "/debuginfo", "");  // the client notes: not on the servers
  EXPECT_EQ(DebugFileOf("stripped/app", search), "none");
  fs::copy_file(FileById(), cache.Path(id + "/debuginfo"),
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(DebugFileOf("stripped/app", search), cache.Path(id + "/debuginfo"));
}

TEST(ModuleTest, AsksTheServersForFilesThatAreNowhereElse) {
  FakeServers servers(BuildIdFile::kDebugInfo, FileById());
  EXPECT_EQ(DebugFileOf("plain/app", {.servers = &servers}),
            Fixture("plain/app"));
  EXPECT_EQ(DebugFileOf("by-link/app", {.servers = &servers}),
            Fixture("by-link/app.debug"));
  EXPECT_THAT(servers.asked(), IsEmpty());
  EXPECT_EQ(DebugFileOf("stripped/app", {.servers = &servers}), FileById());
  EXPECT_THAT(servers.asked(),
              ElementsAre("debuginfo " + FixtureText("plain/app.id")));
}

TEST(ModuleTest, RemembersThatTheServersDoNotHaveIt) {
  FakeServers servers;
  const auto module =
      Module::Open(Fixture("stripped/app"), {.servers = &servers});
  ASSERT_TRUE(module) << module.error().message;
  const TriedFile& last = (*module)->debug_tried().back();
  EXPECT_EQ(last.path + ": " + last.outcome,
            "the servers in DEBUGINFOD_URLS: not found");
}

TEST(ModuleTest, TakesNamesFromTheDebugFilesSymbols) {
  const auto stripped = Module::Open(Fixture("stripped/app"), {});
  ASSERT_TRUE(stripped) << stripped.error().message;
  const uint64_t address = CallsOf("plain/app").front().address;
  EXPECT_FALSE((*stripped)->symbols().Find(address - 1));
  const DebugSearch search = {.dirs = {Fixture("by-id")}};
  const auto module = Module::Open(Fixture("stripped/app"), search);
  ASSERT_TRUE(module) << module.error().message;
  const auto symbol = (*module)->symbols().Find(address - 1);
  ASSERT_TRUE(symbol);
  EXPECT_EQ(symbol->name, CallsOf("plain/app").front().symbol);
}

TEST(DebugFileCandidatesTest, TriesTheLinkNearTheBinaryThenBuildIds) {
  const auto image = ElfImage::Open(Fixture("by-link/app"));
  ASSERT_TRUE(image) << image.error().message;
  const std::string folder =
      fs::canonical(Fixture("by-link")).string();  // it has no build id
  const DebugSearch search = {.dirs = {"/d"}};
  EXPECT_THAT(
      DebugFileCandidates(*image, search),
      ElementsAre(folder + "/app.debug", folder + "/.debug/app.debug",
                  "/d" + folder + "/app.debug",
                  "/usr/lib/debug" + folder + "/app.debug", "/d/app.debug"));
  const auto with_id = ElfImage::Open(Fixture("plain/app"));
  ASSERT_TRUE(with_id) << with_id.error().message;
  const std::string id = FixtureText("plain/app.id");
  const std::string tail =
      "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
  const std::string plain =
      fs::canonical(Fixture("plain")).string();  // and it has no link
  EXPECT_THAT(
      DebugFileCandidates(*with_id, search),
      ElementsAre(plain + "/app.debug", plain + "/.debug/app.debug",
                  "/d" + plain + "/app.debug",
                  "/usr/lib/debug" + plain + "/app.debug", "/d/app.debug",
                  "/d" + tail, "/usr/lib/debug" + tail));
}

TEST(DebugFileCandidatesTest, SearchesTheDebugFolderOfASysroot) {
  const auto image = ElfImage::Open(Fixture("by-link/app"));
  ASSERT_TRUE(image) << image.error().message;
  const std::string folder = fs::canonical(Fixture("by-link")).string();
  EXPECT_THAT(
      DebugFileCandidates(
          *image,
          {.files = {"/f"}, .sysroots = {"/r"}, .mapped_path = "/opt/server"}),
      ElementsAre("/f", folder + "/app.debug", folder + "/.debug/app.debug",
                  "/r/usr/lib/debug" + folder + "/app.debug",
                  "/r/usr/lib/debug/opt/app.debug",
                  "/usr/lib/debug" + folder + "/app.debug",
                  "/usr/lib/debug/opt/app.debug"));
}

TEST(DebugFileCandidatesTest, ListsNothingForABinaryWithoutBuildIdAndLink) {
  const TemporaryFolder folder;
  fs::copy_file(Fixture("by-link/app.debug"), folder.Path("app"));
  const auto image = ElfImage::Open(folder.Path("app"));
  ASSERT_TRUE(image) << image.error().message;
  ASSERT_EQ(image->build_id(), "");
  EXPECT_THAT(DebugFileCandidates(*image, {}), IsEmpty());
}

}  // namespace
}  // namespace heapprof
