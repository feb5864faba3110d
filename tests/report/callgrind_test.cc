// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/callgrind.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(WriteCallgrindTest, WritesLinesAndCallsOfEachFunction) {
  CallCosts costs;
  costs.functions = {{"/bin/a", "", "main"},
                     {"/bin/a", "a.cc", "f(int) (inline)", 3},
                     {"/lib/b", "a.cc", "g\n", 7}};
  costs.selves = {{1, 4, 10}, {1, 5, 20}};
  costs.calls = {
      {.caller = 0, .line = 9, .callee = 1, .stacks = 2, .value = 30},
      {.caller = 2, .line = 8, .callee = 1, .stacks = 1, .value = 1}};
  costs.total = 31;
  EXPECT_EQ(WriteCallgrind(costs, {.creator = "heapprof 1",
                                   .command = "/bin/a",
                                   .event = "inuse_space"}),
            R"(# callgrind format
version: 1
creator: heapprof 1
cmd: /bin/a
positions: line
events: inuse_space
summary: 31

ob=(1) /bin/a
fl=(1) ???
fn=(1) main
cob=(1)
cfi=(2) a.cc
cfn=(2) f(int) (inline)
calls=2 3
9 30

ob=(1)
fl=(2)
fn=(2)
4 10
5 20

ob=(2) /lib/b
fl=(2)
fn=(3) g?
cob=(1)
cfi=(2)
cfn=(2)
calls=1 3
8 1
)");
}

}  // namespace
}  // namespace heapprof
