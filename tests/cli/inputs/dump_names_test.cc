// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/dump_names.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

TEST(ProcessOfDumpTest, KnowsTheNamesThatJemallocGives) {
  struct Case {
    const char* path;
    const char* process;
  };
  for (const auto& [path, process] :
       {Case{"jeprof.1234.0.f.heap", "jeprof.1234"},
        Case{"jeprof.1234.17.i12.heap", "jeprof.1234"},
        Case{"jeprof.1234.17.u3.heap", "jeprof.1234"},
        Case{"jeprof.1234.17.m4.heap.gz", "jeprof.1234"},
        Case{"jeprof.1234.17.m4.heap.zst", "jeprof.1234"},
        Case{"jeprof.1234.17.m4.heap.xz", "jeprof.1234"},
        Case{"jeprof.1234.17.m4.heap.bz2", "jeprof.1234"},
        Case{"server.1234.2.r2.heap", "server.1234"},
        Case{"/var/dumps/my.app-2.99.3.i0.heap", "/var/dumps/my.app-2.99"},
        // jemalloc 5.3.1 with prof_pid_namespace: the namespace and the
        // process.
        Case{"jeprof.4026531836.17.3.i0.heap", "jeprof.4026531836.17"},
        // No sequence number, kind, process or prefix.
        Case{"jeprof.f.heap", ""}, Case{"jeprof.1234.0.heap", ""},
        Case{"jeprof.0.f.heap", ""}, Case{"1234.0.f.heap", ""},
        Case{".1234.0.f.heap", ""},
        // Other names.
        Case{"", ""}, Case{".", ""}, Case{"app.heap", ""}, Case{"heap", ""},
        Case{"jeprof.1234.0.x5.heap", ""}, Case{"jeprof.1234.0.i.heap", ""},
        Case{"jeprof.1234.0.f1.heap", ""}, Case{"jeprof.1234.0.f.heap.7z", ""},
        Case{"jeprof.12a4.0.f.heap", ""}, Case{"jeprof.1234.x.f.heap", ""},
        Case{"dir.1234.0/f.heap", ""}})
    EXPECT_EQ(ProcessOfDump(path), process) << path;
}

TEST(SequenceOfDumpTest, IsTheNumberAfterTheProcess) {
  EXPECT_EQ(SequenceOfDump("jeprof.1234.17.i12.heap"), 17u);
  EXPECT_EQ(SequenceOfDump("dir.9/my.app.1.0.f.heap.gz"), 0u);
  EXPECT_EQ(SequenceOfDump("jeprof.4026531836.17.3.i0.heap"), 3u);
  EXPECT_EQ(SequenceOfDump("jeprof.99999999999999999999.7.i0.heap"), 7u);
  EXPECT_EQ(SequenceOfDump("5.heap"), 0u);
  EXPECT_EQ(SequenceOfDump(""), 0u);
}

TEST(ProcessIdOfDumpTest, IsTheNumberBeforeTheSequence) {
  EXPECT_EQ(ProcessIdOfDump("dir.9/jeprof.1234.17.i12.heap.gz"), 1234u);
  EXPECT_EQ(ProcessIdOfDump("jeprof.4026531836.17.3.i0.heap"), 17u);
  EXPECT_EQ(ProcessIdOfDump("jeprof.99999999999999999999.7.i0.heap"),
            std::nullopt);
  EXPECT_EQ(ProcessIdOfDump("app.1234.heap"), std::nullopt);
  EXPECT_EQ(ProcessIdOfDump("-"), std::nullopt);
}

TEST(DumpKindTest, GoesByTheName) {
  EXPECT_EQ(DumpKind("dir/jeprof.1234.0.f.heap"), 'f');
  EXPECT_EQ(DumpKind("jeprof.1234.0.f.heap.gz"), 'f');
  EXPECT_EQ(DumpKind("jeprof.1234.0.i0.heap"), 'i');
  EXPECT_EQ(DumpKind("app.1234.0.r0.heap"), 'r');
  EXPECT_EQ(DumpKind("app.f.heap"), 0);
}

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

TEST(DumpBesideLogTest, FindsNothingInOtherFolders) {
  const TemporaryFolder folder, other;
  other.Write("app.12.0.f.heap", "");
  EXPECT_EQ(DumpBesideLog(folder.Path("app.12.0.json")), "");
  EXPECT_EQ(DumpBesideLog(folder.Path("missing/app.12.0.json")), "");
}

}  // namespace
}  // namespace heapprof
