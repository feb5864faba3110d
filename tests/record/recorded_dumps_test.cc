// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/recorded_dumps.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(DumpPrefixTest, TakesAFolderOrAPrefix) {
  const TemporaryFolder folder;
  EXPECT_EQ(DumpPrefix(folder.Path(""), "/bin/app"), folder.Path("app"));
  EXPECT_EQ(DumpPrefix(folder.Path("new/"), "app"), folder.Path("new/app"));
  EXPECT_TRUE(std::filesystem::is_directory(folder.Path("new")));
  EXPECT_EQ(DumpPrefix(folder.Path("run.1"), "app"), folder.Path("run.1"));
  EXPECT_EQ(DumpPrefix(folder.Path("a/b/run"), "app"), folder.Path("a/b/run"));
  EXPECT_TRUE(std::filesystem::is_directory(folder.Path("a/b")));
  EXPECT_EQ(DumpPrefix("", "bin/app"),
            std::filesystem::current_path().native() + "/app");
}

TEST(DumpPrefixTest, FailsIfNothingCanBeWrittenThere) {
  const TemporaryFolder folder;
  folder.Write("file", "");
  for (const char* path : {"file/app", "file/", "file/a/b"}) {
    const auto prefix = DumpPrefix(folder.Path(path), "app");
    ASSERT_FALSE(prefix) << path;
    EXPECT_THAT(prefix.error().message, HasSubstr("cannot write dumps to "));
  }
  EXPECT_FALSE(DumpPrefix(folder.Path(std::string(5000, 'x')), "app"));
}

TEST(FindDumpsTest, FindsThoseOfTheProcess) {
  const TemporaryFolder folder;
  for (const char* name :
       {"app.12.0.r0.heap", "app.12.10.r10.heap", "app.12.9.f.heap",
        "app.13.0.r0.heap", "app.12.1.r1.heap.part", "app.x.0.r0.heap",
        "app.12.heap", "other.12.0.r0.heap", "app.7.12.0.r0.heap",
        "app.12.2.r2.heap.gz"})
    folder.Write(name, "");
  const auto paths = [&folder](std::initializer_list<const char*> names) {
    std::vector<std::string> all;
    for (const char* name : names) all.push_back(folder.Path(name));
    return all;
  };
  EXPECT_THAT(
      FindDumps(folder.Path("app"), 12),
      testing::UnorderedElementsAreArray(paths(
          {"app.12.0.r0.heap", "app.12.9.f.heap", "app.12.10.r10.heap"})));
  EXPECT_EQ(FindDumps(folder.Path("app"), 0).size(), 4u);
  EXPECT_TRUE(FindDumps(folder.Path("none/app"), 0).empty());
}

TEST(FindDumpsTest, PutsTheLastOneLast) {
  const TemporaryFolder folder;
  const auto now = std::filesystem::file_time_type::clock::now();
  int age = 0;
  for (const char* name :
       {"app.1.2.r2.heap", "app.1.10.r10.heap", "app.1.3.r3.heap"}) {
    folder.Write(name, "");
    std::filesystem::last_write_time(folder.Path(name),
                                     now - std::chrono::seconds(age++));
  }
  EXPECT_THAT(FindDumps(folder.Path("app"), 1),
              ElementsAre(folder.Path("app.1.3.r3.heap"),
                          folder.Path("app.1.10.r10.heap"),
                          folder.Path("app.1.2.r2.heap")));
}

TEST(RemoveUnfinishedDumpsTest, RemovesThoseOfTheProcess) {
  const TemporaryFolder folder;
  const std::vector<std::string> removed = {
      "app.12.3.r3.heap.part", "app.12.3.r3.stats.json", "app.12.3.r3.smaps",
      "app.12.3.r3.status.part", "app.12.4.r4.heap.part"};
  const std::vector<std::string> kept = {
      "app.12.2.r2.heap",        "app.12.2.r2.smaps", "app.13.3.r3.heap.part",
      "app.7.12.3.r3.heap.part", "app.12.part",       "app.12.notes.part",
      "other.12.3.r3.heap.part"};
  for (const auto& names : {removed, kept})
    for (const std::string& name : names) folder.Write(name, "");
  RemoveUnfinishedDumps(folder.Path("app"), 12);
  for (const std::string& name : removed)
    EXPECT_FALSE(std::filesystem::exists(folder.Path(name))) << name;
  for (const std::string& name : kept)
    EXPECT_TRUE(std::filesystem::exists(folder.Path(name))) << name;
}

}  // namespace
}  // namespace heapprof
