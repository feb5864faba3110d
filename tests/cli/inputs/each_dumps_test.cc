// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/each_dumps.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

using testing::ElementsAre;

// Returns where the outputs of a dump with this path go.
std::vector<std::string> OutputsFor(const std::string& dump,
                                    const std::string& pattern) {
  Options options;
  options.outputs = {{.path = pattern}};
  SeriesArguments arguments;
  arguments.dumps = {dump};
  const auto planned = PlanEachDump(arguments, options);
  return planned ? planned->front().outputs : std::vector<std::string>();
}

TEST(PlanEachDumpTest, NamesOutputsAfterDumpsWithoutTheirExtensions) {
  for (const std::string extension :
       {".heap", ".heap.gz", ".pb", ".pb.zst", ".pprof", ".raw.xz", ".folded",
        ".folded.bz2", ".collapsed"})
    EXPECT_THAT(OutputsFor("dumps/server.1" + extension, "named/{name}.txt"),
                ElementsAre("named/server.1.txt"))
        << extension;
}

TEST(PlanEachDumpTest, KeepsNamesThatAreOnlyAnExtension) {
  EXPECT_THAT(OutputsFor("dumps/.heap", "named/{name}.txt"),
              ElementsAre("named/.heap.txt"));
}

TEST(PlanEachDumpTest, NamesOutputsAfterTheFolders) {
  const std::string pattern = "named/{folder}/{name}.txt";
  EXPECT_THAT(OutputsFor("pods/a/x.1.heap", pattern),
              ElementsAre("named/a/x.1.txt"));
  EXPECT_THAT(OutputsFor("pods/a/b/../x.1.heap", pattern),
              ElementsAre("named/a/x.1.txt"));
  EXPECT_THAT(OutputsFor("/x.1.heap", pattern), ElementsAre("named/./x.1.txt"));
}

TEST(PlanEachDumpTest, SaysHowToTellFoldersApart) {
  Options options;
  options.outputs = {{.path = "named/{name}.txt"}};
  SeriesArguments arguments;
  arguments.dumps = {"a/x.1.heap", "b/x.1.heap"};
  const auto planned = PlanEachDump(arguments, options);
  ASSERT_FALSE(planned);
  EXPECT_THAT(planned.error().message,
              testing::EndsWith("would both be written to named/x.1.txt; "
                                "nothing has been written; {folder} after -o "
                                "stands for their folders"));
}

TEST(PlanEachDumpTest, TakesADumpByTwoPathsOnce) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.Path("dumps"));
  std::filesystem::create_directory_symlink("dumps", folder.Path("link"));
  SeriesArguments arguments;
  arguments.dumps = {folder.Write("dumps/a.heap", ""),
                     folder.Path("link/a.heap")};
  Options options;
  options.outputs = {{.path = "named/{name}.txt"}};
  const auto planned = PlanEachDump(arguments, options);
  ASSERT_TRUE(planned) << planned.error().message;
  ASSERT_EQ(planned->size(), 1);
  EXPECT_EQ(planned->front().path, arguments.dumps.front());
}

}  // namespace
}  // namespace heapprof
