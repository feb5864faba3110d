// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/module_locator.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/temporary_files.h"
#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The result of a locator for the first of `paths`. All of them are mapped, and
// the offsets follow calls in the fixture "plain".
std::vector<std::string> TextsOf(const std::vector<TriedFile>& files) {
  std::vector<std::string> texts;
  for (const TriedFile& file : files)
    texts.push_back(file.path + ": " + file.outcome);
  return texts;
}

struct Search {
  std::vector<std::string> paths;
  LocatorOptions options = {};
  std::vector<uint64_t> offsets = OffsetsOf("plain/app");

  struct Answer {
    std::string path;  // path of the found file
    MissReason miss = {};
    std::vector<std::string> rejected = {};
  };
  Answer Run() const {
    DumpBuilder dump;
    for (const std::string& path : paths) dump.AddFile(path);
    const Profile profile = std::move(dump).Finish();
    ModuleLocator locator(options);
    const ModuleLocator::Found found =
        locator.Find(profile, MappingId{1}, offsets);
    return {found.module == nullptr ? "" : found.module->binary().path(),
            found.miss, TextsOf(found.rejected)};
  }
};

// How many of plain's return addresses follow a call in `binary`.
size_t CountAfterCalls(std::string_view binary) {
  const std::vector<uint64_t> asked = OffsetsOf("plain/app");
  const std::vector<uint64_t> calls = OffsetsOf(binary);
  return static_cast<size_t>(
      std::ranges::count_if(asked, [&calls](uint64_t offset) {
        return std::ranges::find(calls, offset) != calls.end();
      }));
}

TEST(ModuleLocatorTest, FindsTheFileAtItsPath) {
  const auto answer = Search{{Fixture("plain/app")}}.Run();
  EXPECT_EQ(answer.path, Fixture("plain/app"));
  EXPECT_EQ(answer.miss.state, FileState::kFound);
  EXPECT_EQ(answer.miss.text, "");
  EXPECT_THAT(answer.rejected, IsEmpty());
}

TEST(ModuleLocatorTest, SaysThatAFileIsGone) {
  const auto answer = Search{{"/gone/app"}}.Run();
  EXPECT_EQ(answer.path, "");
  EXPECT_EQ(answer.miss.state, FileState::kNotFound);
  EXPECT_EQ(answer.miss.text, "/gone/app not found");
}

TEST(ModuleLocatorTest, PrefersTheFileOfTheUserByItsBaseName) {
  const auto answer =
      Search{{Fixture("stripped/app")}, {.binaries = {Fixture("plain/app")}}}
          .Run();
  EXPECT_EQ(answer.path, Fixture("plain/app"));
}

TEST(ModuleLocatorTest, PrefersTheSamePathToTheSameName) {
  const auto answer =
      Search{{Fixture("stripped/app")},
             {.binaries = {Fixture("plain/app"), Fixture("stripped/app")}}}
          .Run();
  EXPECT_EQ(answer.path, Fixture("stripped/app"));
}

TEST(ModuleLocatorTest, RecognisesAPathThroughALink) {
  const TemporaryFolder folder;
  fs::create_symlink(Fixture("plain/app"), folder.Path("link"));
  const auto answer =
      Search{{Fixture("plain/app")},
             {.binaries = {Fixture("stripped/app"), folder.Path("link")}}}
          .Run();
  EXPECT_EQ(answer.path, folder.Path("link"));
}

// As in two containers that share a binary.
TEST(ModuleLocatorTest, LooksForADebugFileAtEachPathOfABinary) {
  const TemporaryFolder debug;
  const std::string id = FixtureText("plain/app.id");
  fs::create_directory(debug.Path("second"));
  fs::copy_file(Fixture("by-id/.build-id/" + id.substr(0, 2) + "/" +
                        id.substr(2) + ".debug"),
                debug.Path("second/app.debug"));
  DumpBuilder dump;
  const MappingId first = dump.AddFile("/first/app");
  const MappingId second = dump.AddFile("/second/app");
  const Profile profile = std::move(dump).Finish();
  ModuleLocator locator({.binaries = {Fixture("stripped/app")},
                         .debug = {.dirs = {debug.path()}}});
  const auto has_debug_info = [&](MappingId mapping) {
    const auto found = locator.Find(profile, mapping, OffsetsOf("plain/app"));
    return found.module != nullptr && found.module->HasDebugInfo();
  };
  EXPECT_FALSE(has_debug_info(first));
  EXPECT_TRUE(has_debug_info(second));
}

TEST(ModuleLocatorTest, UsesARenamedBinaryForTheProgram) {
  const TemporaryFolder folder;
  fs::copy_file(Fixture("plain/app"), folder.Path("renamed"));
  const LocatorOptions options = {.binaries = {folder.Path("renamed")}};
  EXPECT_EQ((Search{{"/gone/app"}, options}.Run().path),
            folder.Path("renamed"));
  // Unless another mapping has its name.
  EXPECT_EQ((Search{{"/gone/app", "/gone/renamed"}, options}.Run().path), "");
}

TEST(ModuleLocatorTest, DoesNotUseARenamedBinaryForALibrary) {
  const TemporaryFolder folder;
  fs::copy_file(Fixture("plain/app"), folder.Path("renamed"));
  DumpBuilder dump;
  dump.AddFile("/gone/app");
  const MappingId library = dump.AddFile("/gone/libz.so.1");
  const Profile profile = std::move(dump).Finish();
  ModuleLocator locator({.binaries = {folder.Path("renamed")}});
  const auto found = locator.Find(profile, library, OffsetsOf("plain/app"));
  EXPECT_EQ(found.module, nullptr);
  EXPECT_EQ(found.miss.text, "/gone/libz.so.1 not found");
}

TEST(ModuleLocatorTest, SearchesTheSymbolPathByBaseName) {
  const auto answer =
      Search{{"/gone/app"},
             {.symbol_path = {"/nowhere", Fixture("plain"), Fixture("lld")}}}
          .Run();
  EXPECT_EQ(answer.path, Fixture("plain/app"));
}

TEST(ModuleLocatorTest, RejectsAnotherBuildAndCountsItsCalls) {
  ASSERT_EQ(CountAfterCalls("other/app"), 0u);
  const std::string reason = fmt::format(
      "not the program that wrote the dump: none of its {} return addresses "
      "follows a call instruction",
      OffsetsOf("plain/app").size());
  const auto answer =
      Search{{"/gone/app"}, {.binaries = {Fixture("other/app")}}}.Run();
  EXPECT_EQ(answer.path, "");
  EXPECT_EQ(answer.miss.state, FileState::kAnotherBuild);
  EXPECT_EQ(answer.miss.text, reason);
  EXPECT_THAT(answer.rejected,
              ElementsAre(Fixture("other/app") + ": " + reason));
}

TEST(ModuleLocatorTest, FallsBackToTheRecordedPathAndSaysSo) {
  const auto answer =
      Search{{Fixture("plain/app")}, {.binaries = {Fixture("other/app")}}}
          .Run();
  EXPECT_EQ(answer.path, Fixture("plain/app"));
  EXPECT_EQ(answer.miss.state, FileState::kFound);
  EXPECT_THAT(answer.rejected,
              ElementsAre(::testing::StartsWith(Fixture("other/app"))));
}

TEST(ModuleLocatorTest, DoesNotReportAnotherBuildAtTheRecordedPath) {
  const auto answer = Search{{Fixture("other/app")}}.Run();
  EXPECT_EQ(answer.miss.state, FileState::kAnotherBuild);
  EXPECT_THAT(answer.rejected, IsEmpty());
}

TEST(ModuleLocatorTest, UsesAnotherBuildIfForced) {
  const auto answer = Search{
      {"/gone/app"},
      {.binaries = {Fixture("other/app")},
       .force = true}}.Run();
  EXPECT_EQ(answer.path, Fixture("other/app"));
  EXPECT_THAT(answer.rejected, IsEmpty());
}

TEST(ModuleLocatorTest, AcceptsAFileThatAFewAddressesDoNotFit) {
  Search search = {{Fixture("other/app")}};
  search.offsets.resize(2);
  EXPECT_EQ(search.Run().path, Fixture("other/app"));
  search.offsets = {};
  EXPECT_EQ(search.Run().path, Fixture("other/app"));
}

TEST(ModuleLocatorTest, RejectsAFileThatMostAddressesDoNotFit) {
  const std::vector<uint64_t> calls = OffsetsOf("other/app");
  std::vector<uint64_t> wrong;
  for (const uint64_t offset : OffsetsOf("plain/app"))
    if (std::ranges::find(calls, offset) == calls.end())
      wrong.push_back(offset);
  ASSERT_GE(wrong.size(), 3u);
  Search search = {{Fixture("other/app")}};
  search.offsets = {wrong[0], wrong[1], wrong[2], calls[0], calls[1]};
  const auto answer = search.Run();
  EXPECT_EQ(answer.path, "");
  EXPECT_EQ(answer.miss.text,
            "not the program that wrote the dump: only 2 of its 5 return "
            "addresses follow a call instruction");
  search.offsets.push_back(calls[2]);
  EXPECT_EQ(search.Run().path, Fixture("other/app"));
}

TEST(ModuleLocatorTest, RejectsAFileThatEndsBeforeTheAddresses) {
  Search search = {{Fixture("plain/app")}};
  search.offsets = {OffsetsOf("plain/app")[0], 1 << 28, 2 << 28};
  EXPECT_EQ(search.Run().miss.text,
            "not the program that wrote the dump: 2 of its 3 return addresses "
            "are outside the file's code");
}

TEST(ModuleLocatorTest, TriesTheMappedPathIfTheNamedFileEndsTooEarly) {
  Search search = {{Fixture("plain/app")},
                   {.binaries = {Fixture("other/app")}}};
  search.offsets = {1 << 28};
  const auto neither = search.Run();
  EXPECT_EQ(neither.path, "");
  EXPECT_EQ(neither.miss.state, FileState::kAnotherBuild);
  EXPECT_THAT(neither.rejected,
              ElementsAre(HasSubstr("not the program that wrote the dump")));
  EXPECT_EQ(neither.miss.tried.size(), 2u);
  search.options.force = true;
  EXPECT_EQ(search.Run().path, Fixture("other/app"));
}

TEST(ModuleLocatorTest, SaysThatAFileIsNotElf) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("app", "#!/bin/sh\n");
  const auto answer = Search{{path}}.Run();
  EXPECT_EQ(answer.path, "");
  EXPECT_EQ(answer.miss.state, FileState::kUnreadable);
  EXPECT_THAT(answer.miss.text, HasSubstr(path));
}

// The result for a mapping with plain's build id whose file is missing.
Search::Answer FindByBuildId(const LocatorOptions& options) {
  DumpBuilder dump;
  const MappingId app = dump.AddFile("/gone/app");
  Profile profile = std::move(dump).Finish();
  profile.mappings[app.index()].build_id =
      profile.strings.Intern(FixtureText("plain/app.id"));
  ModuleLocator locator(options);
  const auto found = locator.Find(profile, app, OffsetsOf("plain/app"));
  return {found.module == nullptr ? "" : found.module->binary().path(),
          found.miss, TextsOf(found.rejected)};
}

TEST(ModuleLocatorTest, SearchesTheCachesOfTheDebuginfodClient) {
  const TemporaryFolder cache;
  const std::string id = FixtureText("plain/app.id");
  fs::create_directories(cache.Path(id));
  fs::copy_file(Fixture("stripped/app"), cache.Path(id + "/executable"));
  LocatorOptions options;
  options.debug.debuginfod_caches = {cache.path()};
  EXPECT_EQ(FindByBuildId(options).path, cache.Path(id + "/executable"));
}

TEST(ModuleLocatorTest, SearchesTheDebugDirectoryOfAContainer) {
  const TemporaryFolder root;
  const std::string id = FixtureText("plain/app.id");
  const std::string file = root.Path("usr/lib/debug/.build-id/" +
                                     id.substr(0, 2) + "/" + id.substr(2));
  fs::create_directories(fs::path(file).parent_path());
  fs::copy_file(Fixture("plain/app"), file);
  EXPECT_EQ(FindByBuildId({.debug = {.sysroots = {root.path()}}}).path, file);
}

TEST(ModuleLocatorTest, AsksTheServersForAFileWhoseBuildIdIsKnown) {
  const std::string id = FixtureText("plain/app.id");
  LocatorOptions options;
  FakeServers servers(BuildIdFile::kExecutable, Fixture("plain/app"));
  options.debug.servers = &servers;
  EXPECT_EQ(FindByBuildId(options).path, Fixture("plain/app"));
  EXPECT_THAT(servers.asked(), ElementsAre("executable " + id));

  FakeServers empty;
  options.debug.servers = &empty;
  const auto answer = FindByBuildId(options);
  EXPECT_EQ(answer.miss.state, FileState::kNotFound);
  EXPECT_EQ(answer.miss.tried.back().path, "the servers in DEBUGINFOD_URLS");
  EXPECT_THAT(empty.asked(),
              ElementsAre("executable " + id, "debuginfo " + id));
}

TEST(ModuleLocatorTest, SearchesNoFileForASpecialRegion) {
  DumpBuilder dump;
  const MappingId vdso = dump.AddRegion("[vdso]");
  const Profile profile = std::move(dump).Finish();
  const auto found = ModuleLocator({}).Find(profile, vdso, {});
  EXPECT_EQ(found.module, nullptr);
  EXPECT_EQ(found.miss.state, FileState::kKernelCode);
  EXPECT_EQ(found.miss.text, "not a file");
  DumpBuilder other;
  const MappingId anonymous = other.AddRegion("[anon]");
  const MissReason miss =
      ModuleLocator({}).Find(std::move(other).Finish(), anonymous, {}).miss;
  EXPECT_EQ(miss.state, FileState::kGenerated);
  EXPECT_EQ(miss.text,
            "not a file: code made at run time, which a perf map can name: "
            "'jcmd PID Compiler.perfmap' of a JVM, --perf-basic-prof of Node; "
            "see --perf-map");
}

TEST(ModuleLocatorTest, NamesTheBuildIdWhoseDebugFileIsMissing) {
  const auto answer = Search{{Fixture("stripped/app")}}.Run();
  EXPECT_EQ(answer.path, Fixture("stripped/app"));
  EXPECT_EQ(answer.miss.state, FileState::kNoDebugInfo);
  EXPECT_EQ(answer.miss.text,
            "no debug information for build id " + FixtureText("plain/app.id"));
}

TEST(ModuleLocatorTest, SaysThatAFileWithoutBuildIdHasNoDebugInformation) {
  const auto answer = Search{{Fixture("bad-link/app")}}.Run();
  EXPECT_EQ(answer.miss.text, "no debug information");
}

TEST(ModuleLocatorTest, RemembersWhereItLooked) {
  const TemporaryFolder folder;
  const std::string text = folder.Write("app", "text");
  const auto answer =
      Search{{"/gone/app"},
             {.symbol_path = {folder.path()}, .debug = {.sysroots = {"/r"}}}}
          .Run();
  std::vector<std::string> tried;
  for (const TriedFile& file : answer.miss.tried)
    tried.push_back(file.path + ": " + file.outcome);
  EXPECT_THAT(tried,
              ElementsAre(folder.path() + "/gone/app: not found",
                          text + ": " + text + ": not an ELF file",
                          "/r/gone/app: not found", "/gone/app: not found"));
  EXPECT_EQ(answer.miss.state, FileState::kUnreadable);
}

TEST(ModuleLocatorTest, FindsTheFilesOfAContainer) {
  const TemporaryFolder root;
  fs::create_directories(root.Path("opt/app"));
  fs::copy_file(Fixture("plain/app"), root.Path("opt/app/server"));
  const std::string server = root.Path("opt/app/server");
  EXPECT_EQ((Search{{"/opt/app/server"}, {.debug = {.sysroots = {root.path()}}}}
                 .Run()
                 .path),
            server);
  EXPECT_EQ((Search{{"/srv/server"},
                    {.debug = {.path_map = {{"/srv", root.Path("opt/app")}}}}}
                 .Run()
                 .path),
            server);
}

TEST(ModuleLocatorTest, UsesADebugFileOfTheUserForAnExistingBinary) {
  const TemporaryFolder folder;
  fs::copy_file(Fixture("by-link/app"), folder.Path("app"));
  const auto answer = Search{
      {folder.Path("app")},
      {.binaries = {Fixture("by-link/app.debug")}},
      {}}.Run();
  EXPECT_EQ(answer.path, folder.Path("app"));
  EXPECT_EQ(answer.miss.state, FileState::kFound);
}

TEST(ModuleLocatorTest, NamesAStrippedBinaryWithItsUnstrippedOne) {
  const std::string stripped = Fixture("stripped/app");
  const std::string unstripped = Fixture("plain/app");
  for (const auto& files :
       {std::vector{stripped, unstripped}, std::vector{unstripped, stripped}}) {
    const auto answer = Search{{stripped}, {.folder_files = files}}.Run();
    EXPECT_EQ(answer.path, stripped);
    EXPECT_EQ(answer.miss.state, FileState::kFound);
  }
  const auto other =
      Search{{stripped}, {.folder_files = {Fixture("other/app")}}}.Run();
  EXPECT_EQ(other.miss.state, FileState::kNoDebugInfo);
}

TEST(ModuleLocatorTest, UsesADebugFileForAMissingBinary) {
  const auto answer =
      Search{{"/gone/app"}, {.binaries = {Fixture("by-link/app.debug")}}}.Run();
  EXPECT_EQ(answer.path, Fixture("by-link/app.debug"));
  EXPECT_EQ(answer.miss.state, FileState::kFound);
}

TEST(ModuleLocatorTest, OpensAFileOnce) {
  DumpBuilder dump;
  dump.AddFile(Fixture("plain/app"));
  dump.AddFile(Fixture("plain/app"));
  const Profile profile = std::move(dump).Finish();
  ModuleLocator locator({});
  const auto* first = locator.Find(profile, MappingId{1}, {}).module;
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(locator.Find(profile, MappingId{2}, {}).module, first);
}

}  // namespace
}  // namespace heapprof
