// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/dump_name.h"

#include <optional>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

std::string_view ProcessOf(std::string_view path) {
  const auto name = ParseDumpName(path);
  return name ? name->process : "";
}

TEST(DumpNameTest, KnowsTheNamesThatJemallocGives) {
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
    EXPECT_EQ(ProcessOf(path), process) << path;
}

TEST(DumpNameTest, SequenceIsTheNumberAfterTheProcess) {
  const auto sequence = [](std::string_view path) {
    return ParseDumpName(path).value().sequence;
  };
  EXPECT_EQ(sequence("jeprof.1234.17.i12.heap"), 17u);
  EXPECT_EQ(sequence("dir.9/my.app.1.0.f.heap.gz"), 0u);
  EXPECT_EQ(sequence("jeprof.4026531836.17.3.i0.heap"), 3u);
}

TEST(DumpNameTest, PidIsTheNumberBeforeTheSequence) {
  const auto pid = [](std::string_view path) {
    return ParseDumpName(path).value().pid;
  };
  EXPECT_EQ(pid("dir.9/jeprof.1234.17.i12.heap.gz"), "1234");
  EXPECT_EQ(pid("jeprof.4026531836.17.3.i0.heap"), "17");
  EXPECT_EQ(pid("jeprof.99999999999999999999.7.i0.heap"),
            "99999999999999999999");
}

TEST(DumpNameTest, KindIsTheFirstLetter) {
  const auto kind = [](std::string_view path) {
    return ParseDumpName(path).value().kind;
  };
  EXPECT_EQ(kind("dir/jeprof.1234.0.f.heap"), 'f');
  EXPECT_EQ(kind("jeprof.1234.0.f.heap.gz"), 'f');
  EXPECT_EQ(kind("jeprof.1234.0.i0.heap"), 'i');
  EXPECT_EQ(kind("app.1234.0.r0.heap"), 'r');
}

TEST(DumpNameTest, LogsHaveNoKind) {
  EXPECT_EQ(ProcessOfLog("dir.1/app.12.0.json"), "dir.1/app.12");
  EXPECT_EQ(ProcessOfLog("app.12.0.json.gz"), "app.12");
  for (const char* other :
       {"app.12.json", "app.json", "12.0.json", "app.12.0.heap", "json", ""})
    EXPECT_EQ(ProcessOfLog(other), "") << other;
}

}  // namespace
}  // namespace heapprof
