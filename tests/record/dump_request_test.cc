// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/dump_request.h"

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::HasSubstr;

TEST(RequestDumpTest, TellsMissingFromNotRecorded) {
  const auto missing = RequestDump(0x7fffffff);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kIo);
  const auto other = RequestDump(getpid());
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::kNoData);
  EXPECT_THAT(other.error().message,
              HasSubstr("was not started by 'heapprof record'"));
}

TEST(DebuggerCommandTest, IsEmptyWithoutAProfiler) {
  EXPECT_EQ(DebuggerCommand(getpid()), "");
}

}  // namespace
}  // namespace heapprof
