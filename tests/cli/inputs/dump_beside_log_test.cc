// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/dump_beside_log.h"

#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

TEST(DumpBesideLogTest, TakesTheLastOfTheProcess) {
  const TemporaryFolder folder;
  for (const char* name :
       {"app.12.9.i3.heap", "app.12.10.f.heap.gz", "app.12.2.u1.heap",
        "app.13.99.f.heap", "other.12.99.f.heap", "app.12.heap"})
    folder.Write(name, "");
  const auto beside = [&folder](const char* log) {
    return DumpBesideLog(folder.Path(log));
  };
  EXPECT_EQ(beside("app.12.0.json"), folder.Path("app.12.10.f.heap.gz"));
  EXPECT_EQ(beside("app.12.0.json.gz"), folder.Path("app.12.10.f.heap.gz"));
  EXPECT_EQ(beside("app.13.5.json"), folder.Path("app.13.99.f.heap"));
  for (const char* none : {"app.14.0.json", "app.12.json", "app.json",
                           "12.0.json", "app.12.0.heap", "json"})
    EXPECT_EQ(beside(none), "") << none;
}

TEST(DumpBesideLogTest, ComparesSequenceNumbersAsNumbers) {
  const TemporaryFolder folder;
  for (const char* name :
       {"app.12.100.f.heap", "app.12.99.i3.heap", "app.12.0999999.x1.heap"})
    folder.Write(name, "");
  EXPECT_EQ(DumpBesideLog(folder.Path("app.12.0.json")),
            folder.Path("app.12.100.f.heap"));
}

TEST(DumpBesideLogTest, TakesTheDumpOfARecordedLog) {
  const TemporaryFolder folder;
  for (const char* name : {"app.12.0.r0.heap", "app.12.1.r1.heap", "x.heap"})
    folder.Write(name, "");
  const auto beside = [&folder](const char* log) {
    return DumpBesideLog(folder.Path(log));
  };
  EXPECT_EQ(beside("app.12.0.r0.recent.json"), folder.Path("app.12.0.r0.heap"));
  EXPECT_EQ(beside("x.recent.json"), folder.Path("x.heap"));
  EXPECT_EQ(beside("app.12.2.r2.recent.json"), "");
}

TEST(DumpBesideLogTest, FindsNothingInOtherFolders) {
  const TemporaryFolder folder, other;
  other.Write("app.12.0.f.heap", "");
  EXPECT_EQ(DumpBesideLog(folder.Path("app.12.0.json")), "");
  EXPECT_EQ(DumpBesideLog(folder.Path("missing/app.12.0.json")), "");
}

}  // namespace
}  // namespace heapprof
