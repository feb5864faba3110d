// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/load.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/inputs/input_facts.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/profile/profile.h"
#include "support/gzip_text.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kDump =
    "heap_v2/524288\n"
    "  t*: 1: 1048576 [0: 0]\n"
    "@ 0x1001 0x1002\n"
    "  t*: 1: 1048576 [0: 0]\n"
    "\n"
    "MAPPED_LIBRARIES:\n"
    "00001000-00002000 r-xp 00000000 fe:00 12  /srv/app\n";

class LoadInputsTest : public testing::Test {
 protected:
  std::string Write(std::string_view name, std::string_view bytes) {
    return folder_.Write(name, bytes);
  }

  Result<LoadedInputs> Load(std::vector<std::string> files,
                            std::vector<std::string> bases = {},
                            const LoadRules& rules = {}) {
    Options options;
    options.outputs = {{.format = format_}};
    options.files = std::move(files);
    options.bases = std::move(bases);
    return LoadInputs(options, rules, diagnostics_);
  }

  std::string ErrorOf(std::vector<std::string> files,
                      std::vector<std::string> bases = {}) {
    const auto loaded = Load(std::move(files), std::move(bases));
    return loaded ? "no error" : loaded.error().message;
  }

  TemporaryFolder folder_;
  const OutputFormat* format_ = OutputNamed("text");
  Diagnostics diagnostics_;
};

TEST_F(LoadInputsTest, TellsBinariesFromDumpsByContent) {
  const std::string dump = Write("renamed.so", kDump);
  const auto loaded = Load({dump, "/proc/self/exe"});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->binaries, ElementsAre("/proc/self/exe"));
  ASSERT_EQ(loaded->profiles.size(), 1u);
  EXPECT_EQ(loaded->profiles[0].side, Side::kNew);
  EXPECT_EQ(loaded->profiles[0].profile.samples.size(), 1u);
  EXPECT_TRUE(diagnostics_.empty());
}

TEST_F(LoadInputsTest, ReadsTheBaseAfterTheNewSide) {
  const std::string old_dump = Write("old.heap", kDump);
  const std::string new_dump = Write("new.heap", kDump);
  const auto loaded = Load({new_dump}, {old_dump});
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->profiles.size(), 2u);
  EXPECT_EQ(loaded->profiles[0].side, Side::kNew);
  EXPECT_EQ(loaded->profiles[1].side, Side::kBase);
  ASSERT_EQ(loaded->facts.size(), 2u);
  EXPECT_EQ(loaded->facts[0].path, new_dump);
  EXPECT_EQ(loaded->facts[0].side, Side::kNew);
  EXPECT_EQ(loaded->facts[1].path, old_dump);
  EXPECT_EQ(loaded->facts[1].side, Side::kBase);
  EXPECT_EQ(loaded->facts[1].format, FormatName(*loaded->first_format));
}

TEST_F(LoadInputsTest, TakesTheTimeOfTheFile) {
  const std::string dump = Write("a.heap", kDump);
  const auto time = std::filesystem::file_time_type::clock::from_sys(
      std::chrono::sys_seconds(std::chrono::seconds(1'000'000'000)));
  std::filesystem::last_write_time(dump, time);
  const auto loaded = Load({dump});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->profiles[0].profile.time_seconds, 1'000'000'000);
}

TEST_F(LoadInputsTest, WarnsOfSeveralDumpsOfOneProcess) {
  const std::string first = Write("app.7.0.i0.heap", kDump);
  const std::string second = Write("app.7.1.i1.heap", kDump);
  const std::string other = Write("app.8.0.i0.heap", kDump);
  ASSERT_TRUE(Load({first, other}));
  EXPECT_TRUE(diagnostics_.empty());
  ASSERT_TRUE(Load({first, second}));
  ASSERT_EQ(diagnostics_.warnings().size(), 1u);
  EXPECT_THAT(diagnostics_.warnings()[0].messages,
              ElementsAre("2 dumps of " + folder_.Path("app.7") +
                          " are added up, though each is a full snapshot; "
                          "'heapprof trend' shows what grew"));
}

// As after a rename. Workers that a server has forked have its map, too.
TEST_F(LoadInputsTest, WarnsOfDumpsWithOneMemoryMap) {
  std::string dump(kDump);
  const auto at = [&dump](std::string_view start) {
    std::string moved = dump;
    return moved.replace(moved.rfind("00001000-00002000"), 17,
                         fmt::format("{}000-{}fff", start, start));
  };
  const std::string one = Write("one.heap", at("5581a1b2c"));
  const std::string two = Write("two.heap", at("5581a1b2c"));
  const std::string run = Write("run.heap", at("55d0e3f4a"));
  const std::string fixed = Write("fixed.heap", at("555555554"));
  const std::string same = Write("same.heap", at("555555554"));
  const std::string worker = Write("app.7.0.r0.heap", at("5581a1b2c"));
  const std::string other = Write("app.8.0.r0.heap", at("5581a1b2c"));
  const std::string what =
      one +
      " and 1 more share one memory map: of snapshots of one process, the ";
  const std::string trend = " means nothing; 'heapprof trend' shows what grew";
  const auto warnings = [this](const std::vector<std::string>& files,
                               const std::vector<std::string>& bases) {
    diagnostics_ = {};
    EXPECT_TRUE(Load(files, bases));
    return diagnostics_.warnings().empty()
               ? std::vector<std::string>()
               : diagnostics_.warnings()[0].messages;
  };
  EXPECT_THAT(warnings({one, two, run}, {}), ElementsAre(what + "sum" + trend));
  EXPECT_THAT(warnings({run}, {two, one}), ElementsAre(what + "mean" + trend));
  EXPECT_THAT(warnings({two}, {one}), ElementsAre());
  EXPECT_THAT(warnings({one, one}, {}),
              ElementsAre(one + " repeats a dump, and is added up, too"));
  EXPECT_THAT(warnings({worker, other}, {fixed, same}), ElementsAre());
}

TEST_F(LoadInputsTest, CountsADumpAndItsCompressedCopyAsOneRun) {
  const std::string dump = Write("run1.heap", kDump);
  const std::string copy = Write("run1.heap.gz", Gzip(kDump));
  std::filesystem::last_write_time(copy,
                                   std::filesystem::last_write_time(dump));
  const auto loaded = Load({Write("new.heap", kDump)}, {dump, copy});
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->profiles.size(), 2u);
  EXPECT_EQ(diagnostics_.warnings().front().messages.front(),
            copy + " repeats a dump of the base, and counts once");
}

TEST_F(LoadInputsTest, RefusesSnapshotsOfOneProcessOnASide) {
  const std::string first = Write("app.7.0.i0.heap", kDump);
  const std::string second = Write("app.7.1.i1.heap", kDump);
  const std::string other = Write("app.8.0.i0.heap", kDump);
  const auto error = [this](const std::vector<std::string>& files,
                            const std::vector<std::string>& bases) {
    const auto loaded = Load(files, bases);
    return loaded ? "" : loaded.error().message;
  };
  const std::string snapshots =
      first +
      " and 1 more are snapshots of one process, so their "
      "mean is no state of it: name one of them as the ";
  const std::string trend =
      ", or use 'heapprof trend', which shows how they grew";
  EXPECT_EQ(error({other}, {first, second}), snapshots + "base" + trend);
  EXPECT_EQ(error({first, second}, {other}), snapshots + "new side" + trend);
  EXPECT_EQ(error({second, other}, {first, first}), "");
}

TEST_F(LoadInputsTest, ComparesDumpsOfOneProcessWithoutWarning) {
  const std::string first = Write("app.7.0.i0.heap", kDump);
  const std::string second = Write("app.7.1.i1.heap", kDump);
  ASSERT_TRUE(Load({second}, {first}));
  EXPECT_TRUE(diagnostics_.empty());
}

TEST_F(LoadInputsTest, WarnsOfATruncatedGzipFile) {
  std::string packed = Gzip(kDump);
  packed.resize(packed.size() - 4);  // a part of the checksum
  const std::string dump = Write("cut.heap.gz", packed);
  const auto loaded = Load({dump});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->profiles[0].profile.samples.size(), 1u);
  ASSERT_EQ(diagnostics_.Count(WarningKind::kCutCompression), 1u);
  EXPECT_THAT(diagnostics_.warnings()[0].messages[0], StartsWith(dump + ": "));
}

TEST_F(LoadInputsTest, SaysWhatATruncatedGzipFileLacks) {
  std::string packed = Gzip(kDump.substr(0, kDump.size() - 3));
  packed.resize(packed.size() - 4);
  ASSERT_TRUE(Load({Write("cut.heap.gz", packed)}));
  // Each kind has a line of its own.
  EXPECT_EQ(diagnostics_.Count(WarningKind::kCutCompression), 1u);
  EXPECT_EQ(diagnostics_.Count(WarningKind::kCutMemoryMap), 1u);
}

TEST_F(LoadInputsTest, NeedsAProfile) {
  EXPECT_EQ(ErrorOf({}),
            "no profile given, not even '-' for standard input; see heapprof "
            "--help");
  EXPECT_EQ(ErrorOf({"/proc/self/exe"}),
            "no profile given, only a binary (/proc/self/exe); name a dump, "
            "too, or make one with 'heapprof record'");
  EXPECT_EQ(ErrorOf({}, {"a.heap"}),
            "no profile given, only a base (a.heap); name the one to compare "
            "with it, too");
}

TEST_F(LoadInputsTest, NamesTheFileThatCannotBeUsed) {
  const std::string dump = Write("a.heap", kDump);
  const std::string garbage = Write("garbage", "what is this?\n");
  for (const std::string& path : {folder_.Path("none"), garbage}) {
    EXPECT_THAT(ErrorOf({dump, path}), StartsWith(path + ": "));
    EXPECT_THAT(ErrorOf({dump}, {path}), StartsWith(path + ": "));
  }
}

TEST_F(LoadInputsTest, SaysHowToWriteAFileThatIsNamedLikeTheOutput) {
  const std::string dump = Write("a.heap", kDump);
  const std::string page = folder_.Path("page.html");
  EXPECT_THAT(ErrorOf({page, dump}), Not(HasSubstr("writes it")));
  format_ = OutputNamed("html");
  EXPECT_THAT(ErrorOf({page, dump}), EndsWith("; -o " + page + " writes it"));
  Write("page.html", "<!DOCTYPE html>\n");
  EXPECT_THAT(ErrorOf({page, dump}), EndsWith("; -o " + page + " writes it"));
  EXPECT_THAT(ErrorOf({folder_.Path("none"), dump}),
              Not(HasSubstr("writes it")));
}

TEST_F(LoadInputsTest, RefusesABinaryAsBase) {
  const std::string dump = Write("a.heap", kDump);
  EXPECT_THAT(ErrorOf({dump}, {"/proc/self/exe"}),
              StartsWith("/proc/self/exe: "));
}

TEST_F(LoadInputsTest, TakesABinaryAsBaseByRule) {
  const std::string dump = Write("a.heap", kDump);
  const auto loaded =
      Load({dump}, {"/proc/self/exe"}, {.takes_binary_as_base = true});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->binaries, ElementsAre("/proc/self/exe"));
  EXPECT_EQ(loaded->profiles.size(), 1u);
}

TEST_F(LoadInputsTest, TakesDumpsAsRunsByRule) {
  const std::string first = Write("app.7.0.i0.heap", kDump);
  const std::string second = Write("app.8.0.i0.heap", kDump);
  ASSERT_TRUE(Load({first, second}, {}, {.are_runs = true}));
  EXPECT_TRUE(diagnostics_.empty());
  const std::string later = Write("app.7.1.i1.heap", kDump);
  const auto snapshots = Load({first, later}, {}, {.are_runs = true});
  ASSERT_FALSE(snapshots);
  EXPECT_THAT(snapshots.error().message,
              StartsWith(first + " and 1 more are snapshots of one process"));
}

TEST_F(LoadInputsTest, MergesManyDumpsEarly) {
  std::vector<std::string> binaries, seen;
  const LoadRules rules = {
      .find_binaries = [&](const LoadedInputs& inputs,
                           Profile& profile) -> Result<void> {
        binaries = inputs.binaries;
        seen.emplace_back(profile.String(profile.main_binary));
        return {};
      }};
  const std::string one = Write("1.heap", kDump), two = Write("2.heap", kDump);
  ASSERT_TRUE(Load({one, two, "/proc/self/exe"}, {}, rules));
  EXPECT_TRUE(seen.empty());
  const std::string three = Write("3.heap.gz", Gzip(kDump));
  auto loaded = Load({one, two, three, "/proc/self/exe"}, {}, rules);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(seen, ElementsAre("/srv/app", "/srv/app", "/srv/app"));
  EXPECT_THAT(binaries, ElementsAre("/proc/self/exe"));
  for (const MergeInput& input : loaded->profiles) EXPECT_TRUE(input.is_taken);
  const Profile sum =
      std::move(loaded->merger).Finish(std::move(loaded->profiles));
  EXPECT_EQ(sum.stacks.size(), 2u);
  EXPECT_EQ(sum.samples.size(), 3u);
}

TEST_F(LoadInputsTest, MergesNoDumpEarlyThatOthersMayChange) {
  size_t taken = 0;
  const LoadRules rules = {
      .find_binaries = [&](const LoadedInputs&, Profile&) -> Result<void> {
        ++taken;
        return {};
      }};
  const auto taken_of = [&](const std::vector<std::string>& files) {
    taken = 0;
    (void)Load(files, {}, rules);
    return taken;
  };
  const std::string one = Write("1.heap", kDump), two = Write("2.heap", kDump);
  EXPECT_EQ(taken_of({one, two, one}), 3u);
  // Code of a library that its process may have unloaded.
  std::string text(kDump);
  text.replace(text.find("0x1002"), 6, "0x9002");
  const std::string outside = Write("3.heap", text);
  EXPECT_EQ(taken_of({one, outside, two}), 1u);
  // Names that the dump of another process may need.
  const std::string named = Write(
      "4.heap", "--- symbol\nbinary=/srv/app\n0x1000 main\n---\n--- heap\n" +
                    std::string(kDump));
  EXPECT_EQ(taken_of({one, named, two}), 1u);
  // A log needs the memory map of a dump, whose samples it replaces.
  EXPECT_EQ(taken_of({one, two, outside, Write("5.json", "{}")}), 0u);
  EXPECT_EQ(taken_of({one, two, outside, Write("6.json.gz", Gzip("{}"))}), 0u);
}

}  // namespace
}  // namespace heapprof
