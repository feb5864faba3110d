// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/symbolizer.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/diagnostics.h"
#include "heapprof/demangle/demangle.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/profile/profile.h"
#include "support/check_valid.h"
#include "support/temporary_files.h"
#include "support/test_profile.h"
#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::StartsWith;

Profile Symbolized(Profile profile, const SymbolizeOptions& options = {},
                   Diagnostics* diagnostics = nullptr) {
  Diagnostics ignored;
  if (diagnostics == nullptr) diagnostics = &ignored;
  Symbolizer symbolizer(options);
  symbolizer.FindModules(profile);
  symbolizer.Symbolize(profile, *diagnostics);
  EXPECT_EQ(CheckValid(profile), "");
  return profile;
}

Profile DumpOf(const std::string& path, const std::vector<uint64_t>& offsets) {
  DumpBuilder dump;
  dump.AddStack(dump.AddFile(path), offsets);
  return std::move(dump).Finish();
}

// Offset of the first return address in the function `symbol`.
uint64_t CallIn(std::string_view binary, std::string_view symbol) {
  const auto calls = CallsOf(binary);
  const auto it = std::ranges::find(calls, symbol, &CallSite::symbol);
  EXPECT_NE(it, calls.end()) << symbol;
  return it == calls.end() ? 0 : it->offset;
}

// "name1|name2" of a stack's frames, innermost inlined call first.
std::vector<std::string> NamesOf(const Profile& profile, StackId stack = {1}) {
  std::vector<std::string> names;
  for (LocationId frame : profile.StackFrames(stack)) {
    std::string text;
    for (const Line& line :
         profile.LocationLines(profile.locations[frame.index()])) {
      if (!text.empty()) text += '|';
      text += profile.String(profile.functions[line.function.index()].name);
    }
    names.push_back(text);
  }
  return names;
}

TEST(BindTest, TurnsOffsetsIntoTheFilesAddresses) {
  // lld makes file offsets and addresses differ.
  const std::vector<CallSite> calls = CallsOf("lld/app");
  ASSERT_NE(calls[0].offset, calls[0].address);
  Profile profile = DumpOf(Fixture("lld/app"), OffsetsOf("lld/app"));
  Symbolizer({}).FindModules(profile);
  for (size_t i = 0; i < calls.size(); ++i)
    EXPECT_EQ(profile.locations[i + 1].module_address, calls[i].address);
}

TEST(BindTest, StoresTheFileOfAMapping) {
  Profile profile = DumpOf("/gone/app", OffsetsOf("plain/app"));
  Symbolizer({.locator = {.binaries = {Fixture("plain/app")}}})
      .FindModules(profile);
  const Mapping& mapping = profile.mappings[1];
  EXPECT_EQ(profile.String(mapping.build_id), FixtureText("plain/app.id"));
  EXPECT_EQ(profile.String(mapping.elf_path), Fixture("plain/app"));
  EXPECT_EQ(profile.String(mapping.filename), "/gone/app");
  EXPECT_EQ(mapping.address_space, AddressSpace::kFileAddress);
}

TEST(BindTest, LeavesAMappingWithoutFileAlone) {
  Profile profile = DumpOf("/gone/app", OffsetsOf("plain/app"));
  Symbolizer symbolizer({});
  symbolizer.FindModules(profile);
  EXPECT_TRUE(profile.mappings[1].build_id.IsNone());
  EXPECT_EQ(profile.mappings[1].address_space, AddressSpace::kFileOffset);
  EXPECT_EQ(profile.locations[1].module_address, OffsetsOf("plain/app")[0]);
  EXPECT_EQ(symbolizer.MissReasonOf(profile, {1}).text, "/gone/app not found");
}

// A comparison gives the modules of both sides one path.
TEST(BindTest, KnowsModulesWithoutFilesByTheirNamesInOtherFolders) {
  DumpBuilder dump;
  dump.AddStack(dump.AddFile("/old/app"), {0x1235});
  const MappingId library = dump.AddFile("/old/libshop.so");
  dump.AddStack(library, {0x1235});
  Profile profile = std::move(dump).Finish();
  Symbolizer symbolizer{SymbolizeOptions()};
  symbolizer.FindModules(profile);
  profile.mappings[library.index()].filename =
      profile.strings.Intern("/new/libshop.so");
  EXPECT_EQ(symbolizer.MissReasonOf(profile, library).text,
            "/old/libshop.so not found");
}

TEST(BindTest, WarnsOfAFileOfTheUserThatDoesNotFit) {
  Profile profile = DumpOf("/gone/app", OffsetsOf("plain/app"));
  Diagnostics diagnostics;
  Symbolizer symbolizer({.locator = {.binaries = {Fixture("other/app")}}});
  symbolizer.FindModules(profile);
  symbolizer.NoteUnfitFiles(diagnostics);
  symbolizer.NoteUnfitFiles(diagnostics);  // says nothing twice
  ASSERT_EQ(diagnostics.Count(WarningKind::kUnfitFile), 1u);
  EXPECT_THAT(
      diagnostics.warnings()[0].messages,
      ElementsAre(::testing::AllOf(
          StartsWith(Fixture("other/app") + ": "),
          EndsWith("return addresses follows a call instruction; --force "
                   "uses it anyway"))));
}

TEST(BindTest, DoesNotWarnOfAFileThatFitsAnotherProfile) {
  Symbolizer symbolizer(
      {.locator = {.binaries = {Fixture("plain/app"), Fixture("other/app")}}});
  for (const char* app : {"plain/app", "other/app"}) {
    Profile profile = DumpOf("/gone/app", OffsetsOf(app));
    symbolizer.FindModules(profile);
    EXPECT_EQ(profile.String(profile.mappings[1].elf_path), Fixture(app));
  }
  Diagnostics diagnostics;
  symbolizer.NoteUnfitFiles(diagnostics);
  EXPECT_TRUE(diagnostics.empty());
}

TEST(BindTest, KeepsTheReasonsOfTwoProfilesApart) {
  Profile found = DumpOf(Fixture("plain/app"), OffsetsOf("plain/app"));
  Profile refused = DumpOf(Fixture("plain/app"), OffsetsOf("other/app"));
  Symbolizer symbolizer({});
  symbolizer.FindModules(found);
  symbolizer.FindModules(refused);
  EXPECT_EQ(symbolizer.MissReasonOf(found, {1}).state, FileState::kFound);
  EXPECT_EQ(symbolizer.MissReasonOf(refused, {1}).state,
            FileState::kAnotherBuild);
}

TEST(SymbolizeTest, NamesEveryCallByTheFunctionItIsIn) {
  for (const char* binary : {"plain/app", "lld/app"}) {
    const Profile profile =
        Symbolized(DumpOf(Fixture(binary), OffsetsOf(binary)));
    const std::vector<CallSite> calls = CallsOf(binary);
    for (size_t i = 0; i < calls.size(); ++i) {
      const auto lines = profile.LocationLines(profile.locations[i + 1]);
      ASSERT_FALSE(lines.empty()) << binary << ' ' << i;
      const Function& function =
          profile.functions[lines.back().function.index()];
      const std::string_view symbol =
          function.system_name.IsNone() ? profile.String(function.name)
                                        : profile.String(function.system_name);
      EXPECT_EQ(symbol, calls[i].symbol) << binary << ' ' << i;
      EXPECT_FALSE(function.unresolved);
    }
  }
}

TEST(SymbolizeTest, ListsInlinedCallsInnermostFirst) {
  const Profile profile = Symbolized(DumpOf(
      Fixture("plain/app"),
      {CallIn("plain/app", "_ZN3app5OuterEi"), CallIn("plain/app", "main")}));
  EXPECT_THAT(
      NamesOf(profile),
      ElementsAre("app::Inner(int)|app::Middle(int)|app::Outer(int)", "main"));
  // Lines of program.cc, counted by hand.
  const auto lines = profile.LocationLines(profile.locations[1]);
  EXPECT_EQ(lines[0].line, 8u);
  EXPECT_EQ(lines[1].line, 10u);
  EXPECT_EQ(lines[2].line, 22u);
  for (const Line& line : lines)
    EXPECT_THAT(std::string(profile.String(
                    profile.functions[line.function.index()].filename)),
                EndsWith("/program.cc"));
}

TEST(SymbolizeTest, UsesTheSameNamesWhereverDebugInformationIs) {
  for (const char* folder : {"stripped", "by-link", "dot-debug"}) {
    const Profile profile =
        Symbolized(DumpOf(Fixture(std::string(folder) + "/app"),
                          {CallIn("plain/app", "_ZN3app5OuterEi")}),
                   {.locator = {.debug = {.dirs = {Fixture("by-id")}}}});
    EXPECT_THAT(NamesOf(profile),
                ElementsAre("app::Inner(int)|app::Middle(int)|app::Outer(int)"))
        << folder;
  }
}

TEST(SymbolizeTest, NamesUnknownCodeByModuleAndAddress) {
  const uint64_t offset = CallIn("plain/app", "main");
  const Profile named = Symbolized(DumpOf(Fixture("plain/app"), {offset}));
  const Line main = named.LocationLines(named.locations[1]).back();
  DumpBuilder dump;
  dump.AddStack(dump.AddFile(Fixture("stripped/app")), {offset});
  dump.AddStack(dump.AddFile("/gone/libz.so.1"), {0x1235});
  dump.AddStack(dump.AddRegion("[vdso]"), {0x77});
  dump.AddStack(MappingId{}, {0x42});
  const Profile profile = Symbolized(std::move(dump).Finish());
  EXPECT_THAT(
      StacksOf(profile),
      ElementsAre(
          "0x00007f0000000041 1", "[vdso]+0x76 1",
          fmt::format("app+0x{:x} 1",
                      named.functions[main.function.index()].start_address),
          "libz.so.1+0x1234 1"));
  for (const Location& location : profile.locations | std::views::drop(1)) {
    const auto lines = profile.LocationLines(location);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_TRUE(profile.functions[lines[0].function.index()].unresolved);
  }
}

TEST(SymbolizeTest, KeepsNamesThatCameWithTheInput) {
  Profile profile = ProfileOf(Fixture("plain/app") + "!given_name 1\n");
  profile.locations[1].module_address = CallIn("plain/app", "main");
  EXPECT_THAT(StacksOf(Symbolized(std::move(profile))),
              ElementsAre("given_name 1"));
}

TEST(SymbolizeTest, UsesACallSiteUnchanged) {
  // The first instruction of the function: one byte earlier is another
  // function.
  const Profile names =
      Symbolized(DumpOf(Fixture("plain/app"), {CallIn("plain/app", "main")}));
  const auto lines = names.LocationLines(names.locations[1]);
  const uint64_t start =
      names.functions[lines.back().function.index()].start_address;
  ASSERT_NE(start, 0u);
  DumpBuilder dump;
  dump.AddStack(dump.AddFile(Fixture("plain/app")), {start, start});
  Profile at_start = std::move(dump).Finish();
  at_start.locations[1].is_return_address = false;
  const std::vector<std::string> found =
      NamesOf(Symbolized(std::move(at_start)));
  EXPECT_EQ(found[0], "main");
  EXPECT_NE(found[1], "main");
}

// All results of symbolization, as text.
std::string Everything(const Profile& profile) {
  std::string text;
  for (const Location& location : profile.locations) {
    for (const Line& line : profile.LocationLines(location)) {
      const Function& f = profile.functions[line.function.index()];
      text += fmt::format("{} {} {} {} {:x} {} {} {}\n", line.function.value,
                          profile.String(f.name), profile.String(f.system_name),
                          profile.String(f.filename), f.start_address,
                          f.start_line, line.line, line.column);
    }
    text += fmt::format("{:x}\n", location.module_address);
  }
  return text;
}

TEST(SymbolizeTest, GivesTheSameWithAnyNumberOfJobs) {
  const auto with_jobs = [](unsigned jobs) {
    DumpBuilder dump;
    for (const char* folder :
         {"plain", "lld", "stripped", "by-link", "dot-debug", "bad-link"}) {
      const std::string binary = std::string(folder) + "/app";
      dump.AddStack(dump.AddFile(Fixture(binary)),
                    OffsetsOf(binary == "lld/app" ? "lld/app" : "plain/app"));
    }
    return Everything(
        Symbolized(std::move(dump).Finish(), {.locator = {}, .jobs = jobs}));
  };
  const std::string expected = with_jobs(1);
  EXPECT_THAT(expected, ::testing::HasSubstr("app::ManyCalls(int)"));
  for (unsigned jobs : {0u, 2u, 4u, 64u}) EXPECT_EQ(with_jobs(jobs), expected);
}

// A pprof profile of the lld fixture, which records call sites.
Profile CallSites(AddressSpace space, bool as_offsets) {
  DumpBuilder dump;
  const MappingId mapping = dump.AddFile(Fixture("lld/app"));
  std::vector<uint64_t> sites;
  for (const CallSite& call : CallsOf("lld/app"))
    sites.push_back((as_offsets ? call.offset : call.address) - 1);
  dump.AddStack(mapping, sites);
  Profile profile = std::move(dump).Finish();
  profile.mappings[1].address_space = space;
  for (Location& location : profile.locations)
    location.is_return_address = false;
  return profile;
}

TEST(BindTest, ConvertsCallSitesOfEverySpaceToFileAddresses) {
  struct Case {
    AddressSpace space;
    bool as_offsets;
  };
  const std::vector<CallSite> calls = CallsOf("lld/app");
  for (const Case& c : {Case{AddressSpace::kFileOffset, true},
                        Case{AddressSpace::kFileAddress, false},
                        Case{AddressSpace::kUnknown, true},
                        Case{AddressSpace::kUnknown, false}}) {
    Profile profile = CallSites(c.space, c.as_offsets);
    EXPECT_TRUE(Symbolizer({}).FindModules(profile));
    EXPECT_EQ(profile.mappings[1].address_space, AddressSpace::kFileAddress);
    for (size_t i = 0; i < calls.size(); ++i)
      EXPECT_EQ(profile.locations[i + 1].module_address, calls[i].address - 1);
  }
}

TEST(BindTest, AsksWhatAddressesMeanIfTheFileDoesNotTell) {
  const auto bind = [](std::optional<AddressSpace> space) {
    DumpBuilder dump;
    dump.AddStack(dump.AddFile(Fixture("lld/app")), {0x7f0000001000});
    Profile profile = std::move(dump).Finish();
    profile.mappings[1].address_space = AddressSpace::kUnknown;
    Symbolizer symbolizer({.unknown_addresses = space});
    EXPECT_TRUE(symbolizer.FindModules(profile));
    return symbolizer.MissReasonOf(profile, {1}).text;
  };
  EXPECT_EQ(bind(std::nullopt),
            "its addresses may be file offsets or file addresses; say which "
            "with --pprof-addr=fileoff or --pprof-addr=vaddr");
  EXPECT_EQ(bind(AddressSpace::kRuntime),
            "the profile does not say where the file was mapped");
  EXPECT_EQ(bind(AddressSpace::kFileAddress), "");
}

TEST(BindTest, FailsIfAFileOfTheUserHasAnotherBuildId) {
  Profile profile = CallSites(AddressSpace::kFileAddress, false);
  profile.mappings[1].filename = profile.strings.Intern("/gone/app");
  profile.mappings[1].build_id = profile.strings.Intern("c0ffee");
  const LocatorOptions plain = {.binaries = {Fixture("plain/app")}};
  Profile forced = CallSites(AddressSpace::kFileAddress, false);
  const auto bound = Symbolizer({.locator = plain}).FindModules(profile);
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().message,
            Fixture("plain/app") +
                ": another build: expected build id c0ffee, found " +
                FixtureText("plain/app.id") + "; --force uses it anyway");
  LocatorOptions force = plain;
  force.force = true;
  EXPECT_TRUE(Symbolizer({.locator = force}).FindModules(profile));
  EXPECT_EQ(profile.String(profile.mappings[1].elf_path), Fixture("plain/app"));
}

TEST(BindTest, FindsAFileOfTheUserByItsBuildIdWhateverItsName) {
  Profile profile = CallSites(AddressSpace::kFileAddress, false);
  profile.main_binary = {};
  profile.mappings[1].filename = profile.strings.Intern("/gone/libz.so");
  profile.mappings[1].build_id =
      profile.strings.Intern(FixtureText("plain/app.id"));
  const LocatorOptions plain = {.binaries = {Fixture("plain/app")}};
  EXPECT_TRUE(Symbolizer({.locator = plain}).FindModules(profile));
  EXPECT_EQ(profile.String(profile.mappings[1].elf_path), Fixture("plain/app"));
}

TEST(SymbolizeTest, ReplacesNamesOnlyIfAsked) {
  const auto names = [](bool resymbolize) {
    Profile profile = ProfileOf(Fixture("plain/app") + "!given_name 1\n");
    profile.mappings[1].is_file = true;
    profile.locations[1].module_address = CallIn("plain/app", "main");
    return StacksOf(Symbolized(std::move(profile),
                               SymbolizeOptions{.resymbolize = resymbolize}));
  };
  EXPECT_THAT(names(false), ElementsAre("given_name 1"));
  EXPECT_THAT(names(true), ElementsAre("main 1"));
}

TEST(SymbolizeTest, NamesFunctionsThatSeveralFilesHave) {
  std::vector<std::string> symbols = {"_ZN3app5OuterEi", "main",
                                      "_ZN3app9ManyCallsEi"};
  DumpBuilder dump;
  for (const char* file : {"plain/app", "lld/app", "other/app"}) {
    std::vector<uint64_t> offsets;
    for (const std::string& symbol : symbols)
      offsets.push_back(CallIn(file, symbol));
    dump.AddStack(dump.AddFile(Fixture(file)), offsets);
    // The next file has the symbols in another order.
    std::ranges::rotate(symbols, symbols.begin() + 1);
  }
  const Profile profile = Symbolized(std::move(dump).Finish());
  const std::string outer = "app::Inner(int)|app::Middle(int)|app::Outer(int)";
  EXPECT_THAT(NamesOf(profile, {1}),
              ElementsAre(outer, "main", "app::ManyCalls(int)"));
  EXPECT_THAT(NamesOf(profile, {2}),
              ElementsAre("main", "app::ManyCalls(int)", outer));
  // Its first call is to another function, which is not inlined.
  EXPECT_THAT(NamesOf(profile, {3}),
              ElementsAre("app::ManyCalls(int)", "app::Outer(int)", "main"));
}

// Builds the index that a first run leaves in the cache.
void BuildIndexFor(Profile dump, const SymbolizeOptions& options) {
  Diagnostics diagnostics;
  Symbolizer symbolizer(options);
  symbolizer.FindModules(dump);
  symbolizer.Symbolize(dump, diagnostics);
  symbolizer.BuildIndexes(diagnostics);
  EXPECT_TRUE(diagnostics.warnings().empty());
  EXPECT_EQ(diagnostics.notes().size(), 1u);
}

// An index contains the names that were demangled when it was built.
TEST(SymbolizeTest, TakesDemangledNamesFromTheIndex) {
  const Profile all = DumpOf(Fixture("plain/app"), OffsetsOf("plain/app"));
  const std::vector<uint64_t> in_outer = {
      CallIn("plain/app", "_ZN3app5OuterEi")};
  const std::vector<std::string> outer_names = {
      "app::Inner(int)", "app::Middle(int)", "app::Outer(int)"};
  for (const bool shows_all : {true, false}) {
    const TemporaryFolder folder;
    const IndexCache cache(folder.Path("cache"));
    const SymbolizeOptions options = {.cache = &cache};
    BuildIndexFor(shows_all ? all : DumpOf(Fixture("plain/app"), in_outer),
                  options);

    Profile again = all;
    Diagnostics diagnostics;
    Symbolizer user(options);
    user.FindModules(again);
    user.Symbolize(again, diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    EXPECT_EQ(NamesOf(again), NamesOf(Symbolized(all)));
    const Module* module = user.ModuleOf(again, {1});
    ASSERT_NE(module, nullptr);
    std::vector<uint64_t> calls;
    for (const CallSite& call : CallsOf("plain/app"))
      if (call.symbol != "main") calls.push_back(call.address - 1);
    std::ranges::sort(calls);
    const ResolvedAddresses answers = user.Resolve(*module, calls);
    ASSERT_GT(answers.functions.size(), outer_names.size());
    for (const SourceFunction& function : answers.functions) {
      const std::string name = DemangleAll({{function.linkage_name}})[0];
      const bool was_shown =
          shows_all ||
          std::ranges::find(outer_names, name) != outer_names.end();
      EXPECT_EQ(function.demangled_name, was_shown ? name : "") << name;
    }
  }
}

// Siblings name each profile as a symbolizer of its own does, whatever the
// others have named.
TEST(SiblingTest, DoesNotChangeTheAnswers) {
  const std::vector<uint64_t> outer = {CallIn("plain/app", "_ZN3app5OuterEi")};
  const std::vector<Profile> dumps = {
      DumpOf(Fixture("plain/app"), outer),
      DumpOf(Fixture("plain/app"), OffsetsOf("plain/app")),
      DumpOf(Fixture("lld/app"), OffsetsOf("lld/app")),
      DumpOf("/gone/app", OffsetsOf("plain/app")),
      DumpOf(Fixture("plain/app"), OffsetsOf("other/app"))};
  Symbolizer first({});
  for (const Profile& dump : dumps) {
    Profile shared = dump, alone = dump;
    Diagnostics of_shared, of_alone;
    Symbolizer sibling = first.Sibling(1);
    EXPECT_TRUE(sibling.FindModules(shared));
    sibling.Symbolize(shared, of_shared);
    Symbolizer own({});
    EXPECT_TRUE(own.FindModules(alone));
    own.Symbolize(alone, of_alone);
    EXPECT_EQ(NamesOf(shared), NamesOf(alone));
    EXPECT_EQ(sibling.MissReasonOf(shared, {1}).text,
              own.MissReasonOf(alone, {1}).text);
    EXPECT_EQ(of_shared.notes(), of_alone.notes());
    EXPECT_EQ(of_shared.warnings().size(), of_alone.warnings().size());
    ASSERT_EQ(shared.functions.size(), alone.functions.size());
    for (size_t i = 0; i < shared.functions.size(); ++i)
      EXPECT_EQ(shared.functions[i].start_address,
                alone.functions[i].start_address);
  }
}

TEST(SymbolizeTest, OfAnEmptyProfileDoesNothing) {
  const Profile profile = Symbolized(Profile());
  EXPECT_EQ(profile.functions.size(), 1u);
}

}  // namespace
}  // namespace heapprof
