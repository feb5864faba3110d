// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/suggestions.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

constexpr const char* kServer = "https://debug.example.org/";

// Texts, each followed by its command.
std::vector<std::string> LinesFor(const MissingModule& module) {
  std::vector<std::string> lines;
  for (const auto& [text, command, argument, is_alternative] :
       SuggestionsFor(module, kServer)) {
    lines.push_back((is_alternative ? "or " : "") + text);
    if (!command.empty())
      lines.push_back(command + (argument.empty() ? "" : ' ' + argument));
  }
  return lines;
}

constexpr const char* kBuildIt =
    "give its debug file, an unstripped copy of it or a folder with one of "
    "them as BINARY (see 'heapprof help stripped'), or build it with -g and do "
    "not strip it";
constexpr const char* kCopyIt =
    "copy the file from where the program ran and give it as BINARY, or name "
    "its folder with --symbol-path, or the root of its file system with "
    "--sysroot; or name a folder with its index with --index-dir";

TEST(SuggestionsForTest, NamesThePackageAndTheDownloadOfALibrarysDebugFile) {
  EXPECT_THAT(
      LinesFor({FileState::kNoDebugInfo, "/usr/lib/libz.so.1", "289ee39f"}),
      ElementsAre(
          "install NAME-dbgsym or NAME-dbg, where NAME is the package that "
          "owns the file:",
          "dpkg -S '*/lib/libz.so.1'",
          "let heapprof download it: use --debuginfod, and set",
          "export DEBUGINFOD_URLS=https://debug.example.org/",
          "or download its debug file, then use --debug-dir debug:",
          "curl -fL --create-dirs -o debug/.build-id/28/9ee39f.debug "
          "https://debug.example.org/buildid/289ee39f/debuginfo",
          kBuildIt));
}

TEST(SuggestionsForTest, HasOneCommandForSeveralModules) {
  for (const FileState state :
       {FileState::kNoDebugInfo, FileState::kNotFound}) {
    const auto a = SuggestionsFor({state, "/usr/lib/a", "aaaa"}, kServer);
    const auto b = SuggestionsFor({state, "/usr/lib/b", "bbbb"}, kServer);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].text, b[i].text);
      EXPECT_EQ(a[i].command, b[i].command);
    }
  }
}

TEST(SuggestionsForTest, NamesNoPackageOfAProgramThatIsInNone) {
  EXPECT_THAT(LinesFor({FileState::kNoDebugInfo, "/srv/app", ""}),
              ElementsAre(kBuildIt));
}

TEST(SuggestionsForTest, ExpectsNoProgramOfYoursOnThePublicServer) {
  const auto count = [](const char* path, std::string_view urls) {
    return SuggestionsFor({FileState::kNoDebugInfo, path, "abcd12"}, urls)
        .size();
  };
  EXPECT_EQ(count("/srv/app", ""), 1u);
  EXPECT_EQ(count("/srv/app", kServer), 3u);
  EXPECT_EQ(count("/usr/bin/app", ""), 4u);
}

TEST(SuggestionsForTest, PutsOnlySafeTextIntoCommands) {
  for (const char* path :
       {"/usr/lib/a;b", "/usr/lib/$(x)", "/usr/a b", "/usr/`x`", "/usr/lib/\n"})
    EXPECT_THAT(LinesFor({FileState::kNoDebugInfo, path, "12;rm"}),
                ElementsAre(kBuildIt))
        << path;
  EXPECT_THAT(LinesFor({FileState::kNotFound, "/x", "$(x)"}),
              ElementsAre(kCopyIt));
}

TEST(SuggestionsForTest, DownloadsAFileWhoseBuildIdIsKnown) {
  EXPECT_THAT(LinesFor({FileState::kNotFound, "/gone/app", "abcd12"}),
              ElementsAre("let heapprof download it: use --debuginfod, and set",
                          "export DEBUGINFOD_URLS=https://debug.example.org/",
                          "or download it, then give the file, which is named "
                          "after its build id, as BINARY:",
                          "curl -fL -o abcd12 "
                          "https://debug.example.org/buildid/abcd12/executable",
                          kCopyIt));
}

TEST(SuggestionsForTest, DownloadsNothingThatTheServersDoNotHave) {
  EXPECT_THAT(LinesFor({FileState::kNotFound, "/gone/app", "abcd12",
                        /*servers_asked=*/true}),
              ElementsAre(kCopyIt));
  EXPECT_THAT(LinesFor({FileState::kNoDebugInfo, "/srv/app", "abcd12",
                        /*servers_asked=*/true}),
              ElementsAre(kBuildIt));
}

TEST(SuggestionsForTest, DoesNotSuggestTheFolderOfIndexesThatWasGiven) {
  const std::vector<std::string> lines =
      LinesFor({FileState::kNotFound, "/x", "", false, /*lacks_index=*/true});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines.front(),
              EndsWith("--sysroot; --index-dir has no index of this build"));
}

TEST(SuggestionsForTest, SuggestsAnotherFileIfOneDoesNotFit) {
  EXPECT_THAT(LinesFor({FileState::kAnotherBuild, "/x", "abcd"}),
              ElementsAre("give the file that ran as BINARY, or name its "
                          "folder with --symbol-path; --force uses this one, "
                          "but its names are probably wrong"));
  EXPECT_THAT(LinesFor({FileState::kUnreadable, "/x", "abcd"}),
              ElementsAre("give a readable copy as BINARY, or name its folder "
                          "with --symbol-path"));
}

TEST(SuggestionsForTest, SuggestsSayingWhatAddressesMean) {
  EXPECT_THAT(
      LinesFor({FileState::kNoAddresses, "/x", ""}),
      ElementsAre(
          "say with --pprof-addr what the addresses mean, or record the "
          "profile with another version of the program that wrote it"));
}

TEST(SuggestionsForTest, AreEmptyIfNothingHelps) {
  EXPECT_THAT(LinesFor({FileState::kFound, "/x", "abcd"}), IsEmpty());
  EXPECT_THAT(LinesFor({FileState::kKernelCode, "[vdso]", ""}), IsEmpty());
  EXPECT_THAT(LinesFor({FileState::kGenerated, "//anon", ""}), IsEmpty());
}

TEST(DebuginfodServerTest, TakesTheFirstOfTheUsersServers) {
  EXPECT_EQ(DebuginfodServer(" http://a:8002  http://b"), "http://a:8002");
  EXPECT_EQ(DebuginfodServer("http://a"), "http://a");
  EXPECT_EQ(DebuginfodServer(""), "https://debuginfod.elfutils.org");
  EXPECT_EQ(DebuginfodServer("  "), "https://debuginfod.elfutils.org");
}

}  // namespace
}  // namespace heapprof
