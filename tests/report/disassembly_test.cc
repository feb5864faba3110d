// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/disassembly.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// The source of "/src/f.cc"; other files are not found.
const std::vector<std::string_view>& Source(const std::string& path) {
  static const std::vector<std::string_view> kLines = {
      "void f() {", "\tallocate();\x1b", "}"};
  static const std::vector<std::string_view> kNone;
  return path == "/src/f.cc" ? kLines : kNone;
}

// The function f, which calls allocate() and has two inlined calls of inner().
ListedRoutine RoutineF() {
  ListedRoutine routine = {.name = "f",
                           .binary = "",
                           .strings = {},
                           .flat = 0,
                           .cumulative = 300,
                           .percent = 75,
                           .blocks = {}};
  StringTable& strings = routine.strings;
  const StringId f = strings.Intern("f");
  const StringId f_cc = strings.Intern("/src/f.cc");
  const StringId inner = strings.Intern("inner");
  const StringId inner_h = strings.Intern("/src/inner.h");
  routine.blocks = {
      {.places = {{f, f_cc, 1}},
       .instructions = {{.address = 0x1000, .text = "push   %rbp"}}},
      {.places = {{f, f_cc, 2}},
       .cumulative = 300,
       .instructions = {{.address = 0x1001,
                         .text = "call   1100 <allocate>",
                         .cumulative = 300}}},
      {.places = {{inner, inner_h, 7}, {f, f_cc, 2}},
       .instructions = {{.address = 0x1006, .text = "nop"}}},
      {.places = {{inner, inner_h, 8}, {f, f_cc, 2}},
       .instructions = {{.address = 0x1007, .text = "nop"}}},
      {.places = {{inner, inner_h, 8}, {inner, inner_h, 9}, {f, f_cc, 3}},
       .instructions = {{.address = 0x1008, .text = "nop"}}},
      {.places = {{f, f_cc, 0}},
       .instructions = {{.address = 0x1009, .text = "ret\x1b"}}},
  };
  return routine;
}

TEST(WriteDisassemblyTest, InterleavesSourceAndInstructions) {
  EXPECT_EQ(WriteDisassembly(RoutineF(), Source, Unit::kBytes),
            "ROUTINE ====================== f\n"
            "     0    300 B (flat, cumulative) 75.0% of total\n"
            "-------------------- /src/f.cc\n"
            "     .      .     1: void f() {\n"
            "     .      .        1000: push   %rbp\n"
            "     .    300     2: allocate();?\n"
            "     .    300        1001: call   1100 <allocate>\n"
            "-------------------- /src/inner.h (inner inlined at f.cc:2)\n"
            "     .      .     7:\n"
            "     .      .        1006: nop\n"
            "     .      .     8:\n"
            "     .      .        1007: nop\n"
            "-------------------- /src/inner.h"
            " (inner inlined at inner.h:9, from f.cc:3)\n"
            "     .      .     8:\n"
            "     .      .        1008: nop\n"
            "-------------------- /src/f.cc\n"
            "     .      .        1009: ret?\n");
}

TEST(WriteDisassemblyTest, NeedsNoDebugInformation) {
  ListedRoutine routine = RoutineF();
  routine.binary = "/bin/app";
  routine.blocks = {{.places = {},
                     .flat = 2 << 20,
                     .cumulative = 2 << 20,
                     .instructions = {{.address = 0x123456789,
                                       .text = "call   1100",
                                       .flat = 2 << 20,
                                       .cumulative = 2 << 20}}}};
  EXPECT_EQ(WriteDisassembly(routine, Source, Unit::kMegabytes),
            "ROUTINE ====================== f in /bin/app\n"
            "   0.0    0.0 MB (flat, cumulative) 75.0% of total\n"
            "   2.0    2.0    123456789: call   1100\n");
}

TEST(WriteDisassemblyTest, CallsColumnsOnATerminalAsTablesDo) {
  ListedRoutine routine = RoutineF();
  routine.blocks.clear();
  EXPECT_EQ(WriteDisassembly(routine, Source, Unit::kMebibytes,
                             /*is_terminal=*/true),
            "ROUTINE ====================== f\n"
            "   0.0    0.0 MiB (self / with callees) 75.0% of total\n");
}

TEST(WriteDisassemblyTest, SaysThatAFileIsNotKnown) {
  ListedRoutine routine = RoutineF();
  routine.blocks.resize(1);
  routine.blocks[0].places[0].file = {};
  const std::string text = WriteDisassembly(routine, Source, Unit::kBytes);
  EXPECT_NE(text.find("-------------------- ??\n     .      .     1:\n"),
            text.npos)
      << text;
}

}  // namespace
}  // namespace heapprof
