// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/remedy.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = MissReason::Kind;

constexpr const char* kServer = "https://debug.example.org/";

// Texts, each followed by its command.
std::vector<std::string> LinesFor(const MissingModule& module) {
  std::vector<std::string> lines;
  for (const auto& [text, command] : RemediesFor(module, kServer)) {
    lines.push_back(text);
    if (!command.empty()) lines.push_back(command);
  }
  return lines;
}

constexpr const char* kBuildIt =
    "name the folder of its debug file with --debug-dir, or build it with -g "
    "and do not strip it";
constexpr const char* kCopyIt =
    "copy the file from where the program ran and give it as BINARY, or name "
    "its folder with --symbol-path, or the root of its file system with "
    "--sysroot";

TEST(RemediesForTest, NamesThePackageAndTheDownloadOfALibrarysDebugFile) {
  EXPECT_THAT(
      LinesFor({Kind::kNoDebugInfo, "/usr/lib/libz.so.1", "289ee39f"}),
      ElementsAre(
          "install NAME-dbgsym or NAME-dbg, NAME being the package that owns "
          "the file:",
          "dpkg -S '*/lib/libz.so.1'",
          "let heapprof download it, with the option --debuginfod and",
          "export DEBUGINFOD_URLS=https://debug.example.org/",
          "download its debug file, then use --debug-dir debug:",
          "curl -fL --create-dirs -o debug/.build-id/28/9ee39f.debug "
          "https://debug.example.org/buildid/289ee39f/debuginfo",
          kBuildIt));
}

TEST(RemediesForTest, NamesNoPackageOfAProgramThatIsInNone) {
  EXPECT_THAT(LinesFor({Kind::kNoDebugInfo, "/srv/app", ""}),
              ElementsAre(kBuildIt));
}

TEST(RemediesForTest, PutsNothingIntoACommandThatAShellInterprets) {
  for (const char* path :
       {"/usr/lib/a;b", "/usr/lib/$(x)", "/usr/a b", "/usr/`x`", "/usr/lib/\n"})
    EXPECT_THAT(LinesFor({Kind::kNoDebugInfo, path, "12;rm"}),
                ElementsAre(kBuildIt))
        << path;
  EXPECT_THAT(LinesFor({Kind::kNotFound, "/x", "$(x)"}), ElementsAre(kCopyIt));
}

TEST(RemediesForTest, DownloadsAFileWhoseBuildIdIsKnown) {
  EXPECT_THAT(LinesFor({Kind::kNotFound, "/gone/app", "abcd12"}),
              ElementsAre("let heapprof download it, with the option "
                          "--debuginfod and",
                          "export DEBUGINFOD_URLS=https://debug.example.org/",
                          "download it, then give abcd12 as BINARY:",
                          "curl -fL -o abcd12 "
                          "https://debug.example.org/buildid/abcd12/executable",
                          kCopyIt));
}

TEST(RemediesForTest, DownloadsNothingThatTheServersDoNotHave) {
  EXPECT_THAT(LinesFor({Kind::kNotFound, "/gone/app", "abcd12",
                        /*servers_asked=*/true}),
              ElementsAre(kCopyIt));
  EXPECT_THAT(LinesFor({Kind::kNoDebugInfo, "/srv/app", "abcd12",
                        /*servers_asked=*/true}),
              ElementsAre(kBuildIt));
}

TEST(RemediesForTest, SaysWhatToGiveInsteadOfAFileThatDoesNotFit) {
  EXPECT_THAT(LinesFor({Kind::kAnotherBuild, "/x", "abcd"}),
              ElementsAre("give the file that ran as BINARY, or name its "
                          "folder with --symbol-path; --force uses this one, "
                          "whose names are then likely to be wrong"));
  EXPECT_THAT(LinesFor({Kind::kUnreadable, "/x", "abcd"}),
              ElementsAre("give a readable copy as BINARY, or name its folder "
                          "with --symbol-path"));
}

TEST(RemediesForTest, SaysHowToTellWhatAddressesAre) {
  EXPECT_THAT(LinesFor({Kind::kNoAddresses, "/x", ""}),
              ElementsAre("say with --pprof-addr what the addresses are, or "
                          "take the profile with another version of the "
                          "program that wrote it"));
}

TEST(RemediesForTest, HasNoneWhereNothingHelps) {
  EXPECT_THAT(LinesFor({Kind::kNone, "/x", "abcd"}), IsEmpty());
  EXPECT_THAT(LinesFor({Kind::kNotAFile, "[vdso]", ""}), IsEmpty());
}

TEST(DebuginfodServerTest, TakesTheFirstOfTheUsersServers) {
  EXPECT_EQ(DebuginfodServer(" http://a:8002  http://b"), "http://a:8002");
  EXPECT_EQ(DebuginfodServer("http://a"), "http://a");
  EXPECT_EQ(DebuginfodServer(""), "https://debuginfod.elfutils.org");
  EXPECT_EQ(DebuginfodServer("  "), "https://debuginfod.elfutils.org");
}

}  // namespace
}  // namespace heapprof
