// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/jemalloc_facts.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Returns what a file with these strings contains.
std::string FileWith(std::initializer_list<const char*> strings) {
  std::string bytes(1, '\0');
  for (const char* text : strings) bytes += text + std::string(1, '\0');
  return bytes;
}

TEST(FindJemallocInTest, ReadsTheVariableWithItsPrefix) {
  const auto facts = FindJemallocIn(FileWith(
      {"<jemalloc>: x", "_RJEM_MALLOC_CONF", "heap_v2/%lu",
       "<jemalloc>: Leak approximation summary: ~%lu", "prof_sys_thread_name",
       "prof_recent_alloc_max", "_rjem_mallctl"}));
  ASSERT_TRUE(facts);
  EXPECT_THAT(facts->variables, ElementsAre("_RJEM_MALLOC_CONF"));
  EXPECT_TRUE(facts->has_profiler);
  EXPECT_TRUE(facts->names_threads);
  EXPECT_TRUE(facts->keeps_recent);
  EXPECT_TRUE(facts->has_symbols);
}

TEST(FindJemallocInTest, SeesWhatIsMissing) {
  const auto facts =
      FindJemallocIn(FileWith({"<jemalloc>: x", "MALLOC_CONF", "heap_v2/%lu"}));
  ASSERT_TRUE(facts);
  EXPECT_THAT(facts->variables, ElementsAre("MALLOC_CONF"));
  EXPECT_FALSE(facts->has_profiler);
  EXPECT_FALSE(facts->names_threads);
  EXPECT_FALSE(facts->keeps_recent);
  EXPECT_FALSE(facts->has_symbols);
}

TEST(FindJemallocInTest, ReadsVersionAndUnwinder) {
  const std::string hash(40, 'a');
  const auto facts = [](const std::string& version, const char* unwinder) {
    return *FindJemallocIn(FileWith({"<jemalloc>: x", "MALLOC_CONF", "x-gaaaa",
                                     version.c_str(), unwinder}));
  };
  const JemallocFacts libgcc = facts("5.3.0-7-g" + hash, "_Unwind_Backtrace");
  EXPECT_EQ(libgcc.version, "5.3.0");
  EXPECT_EQ(libgcc.unwinder, Unwinder::kLibgcc);
  const JemallocFacts other = facts("0.0.0-0-g" + hash, "unw_backtrace");
  EXPECT_EQ(other.version, "");
  EXPECT_EQ(other.unwinder, Unwinder::kLibunwind);
  EXPECT_EQ(facts("libx-g" + hash, "").version, "");
  EXPECT_EQ(facts("", "").unwinder, Unwinder::kUnknown);
}

TEST(NamePrefixTest, IsThatOfTheVariable) {
  EXPECT_EQ(NamePrefix(JemallocFacts{.variables = {"MALLOC_CONF"}}), "");
  EXPECT_EQ(NamePrefix(JemallocFacts{.variables = {"_RJEM_MALLOC_CONF"}}),
            "_rjem_");
}

TEST(FindJemallocInTest, IgnoresTextsThatMentionTheVariable) {
  EXPECT_FALSE(FindJemallocIn(FileWith({"<jemalloc>", "set MALLOC_CONF"})));
  EXPECT_FALSE(FindJemallocIn(FileWith({"MALLOC_CONF"})));
  // As in a program that searches for jemalloc.
  EXPECT_FALSE(FindJemallocIn(FileWith({"MALLOC_CONF", "<jemalloc>: "})));
  EXPECT_FALSE(FindJemallocIn(""));
  // Without a byte before it, it may be the end of another string.
  EXPECT_FALSE(FindJemallocIn("MALLOC_CONF"));
}

TEST(ReadJemallocLibraryTest, SaysWhyAFileDoesNotFit) {
  const TemporaryFolder folder;
  folder.Write("text", "text");
  const auto library = ReadJemallocLibrary(folder.Path("text"));
  ASSERT_FALSE(library);
  EXPECT_THAT(library.error().message,
              HasSubstr("text: expected a jemalloc library"));
  EXPECT_FALSE(ReadJemallocLibrary(folder.Path("missing")));
}

TEST(FindJemallocLibraryTest, SaysWhatToInstall) {
  const TemporaryFolder folder;
  folder.Write("libjemalloc.so.2", FileWith({"<jemalloc>: x", "MALLOC_CONF"}));
  const auto library =
      FindJemallocLibrary(std::vector<std::string>{folder.Path("")});
  ASSERT_FALSE(library);
  EXPECT_THAT(library.error().message, HasSubstr("another kind of processor"));
  EXPECT_THAT(library.error().message, HasSubstr("package libjemalloc2"));
}

TEST(LibraryFoldersTest, BeginsWithThoseOfTheUser) {
  const auto folders = LibraryFolders("/a::/b");
  EXPECT_EQ(folders[0], "/a");
  EXPECT_EQ(folders[1], "/b");
  EXPECT_EQ(folders[2], "/usr/local/lib");
}

}  // namespace
}  // namespace heapprof
