// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/dump_request.h"

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::HasSubstr;

TEST(RequestDumpTest, TellsMissingFromNotRecorded) {
  const auto missing = RequestDump(0x7fffffff, DumpFiles::kDump);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kIo);
  const auto other = RequestDump(getpid(), DumpFiles::kDump);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::kNoData);
  EXPECT_THAT(other.error().message,
              HasSubstr("was not started by 'heapprof record'"));
}

TEST(DebuggerCommandTest, IsEmptyWithoutAProfiler) {
  EXPECT_EQ(DebuggerCommand(getpid()), "");
}

TEST(RequestStateTest, NeedsARecordedProcess) {
  const auto state = RequestState(getpid());
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().kind, ErrorKind::kNoData);
}

TEST(DumpCommandTest, IsForEitherDebugger) {
  EXPECT_EQ(DumpCommand(7, "_rjem_", Debugger::kGdb),
            "gdb -p 7 -batch -ex 'call (int)_rjem_mallctl(\"prof.dump\","
            "(void*)0,(void*)0,(void*)0,(long)0)'");
  EXPECT_EQ(DumpCommand(7, "", Debugger::kLldb),
            "lldb -p 7 --batch -o 'expr (int)mallctl(\"prof.dump\",(void*)0,"
            "(unsigned long*)0,(void*)0,(unsigned long)0)' -o detach");
}

TEST(ActiveCommandTest, IsForEitherDebugger) {
  EXPECT_EQ(ActiveCommand(7, "je_", Debugger::kGdb),
            "gdb -p 7 -batch -ex 'set $p=(char*)\"0000000000000000\"' -ex 'set "
            "*(long*)($p+8)=1' -ex 'call (int)je_mallctl(\"prof.active\",$p,"
            "$p+8,(void*)0,(long)0)' -ex 'print (int)*$p'");
  EXPECT_EQ(ActiveCommand(7, "", Debugger::kLldb),
            "lldb -p 7 --batch -o 'expr bool b=0; unsigned long n=1; (int)"
            "mallctl(\"prof.active\",(void*)&b,&n,(void*)0,(unsigned long)0); "
            "b' -o detach");
}

}  // namespace
}  // namespace heapprof
