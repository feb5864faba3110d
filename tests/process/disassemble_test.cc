// SPDX-License-Identifier: Apache-2.0
#include "heapprof/process/disassemble.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

const CodeRange kRange = {.path = "app", .start = 0x1000, .end = 0x1010};

// "address text" for each instruction, or the error.
std::vector<std::string> Shown(
    const Result<std::vector<Instruction>>& instructions) {
  if (!instructions) return {instructions.error().message};
  std::vector<std::string> shown;
  for (const Instruction& instruction : *instructions)
    shown.push_back(
        fmt::format("{:x} {}", instruction.address, instruction.text));
  return shown;
}

std::vector<std::string> Parsed(std::string_view output) {
  return Shown(ParseDisassembly(output, kRange));
}

TEST(ParseDisassemblyTest, ReadsInstructionsOnly) {
  EXPECT_THAT(Parsed("\n"
                     "app:     file format elf64-x86-64\n\n\n"
                     "Disassembly of section .text:\n\n"
                     "0000000000001000 <main>:\n"
                     "    1000:\tpush   %rbp\n"
                     "\t...\n"
                     "    1004:\tcall   11a0 <_ZN4demo4GrowEv>\n"
                     "    1009:\tret    \r\n"),
              ElementsAre("1000 push   %rbp",
                          "1004 call   11a0 <_ZN4demo4GrowEv>", "1009 ret"));
}

TEST(ParseDisassemblyTest, AlignsOperandsAfterTabs) {
  EXPECT_THAT(Parsed("    1000:\tstp\tx29, x30, [sp, #-32]!\n"
                     "    1004:      \tpushq\t%rbp\n"
                     "    1008:\tudf_long\t#0\t; undefined"),
              ElementsAre("1000 stp    x29, x30, [sp, #-32]!",
                          "1004 pushq  %rbp", "1008 udf_long #0 ; undefined"));
}

TEST(ParseDisassemblyTest, RejectsInstructionsOutOfRangeOrOrder) {
  const auto message = [](std::string_view found) {
    return fmt::format(
        "app: expected instructions from 0x1000 to 0x1010 in order, found one "
        "at 0x{} in objdump's output",
        found);
  };
  EXPECT_THAT(Parsed("    1010:\tret\n"), ElementsAre(message("1010")));
  EXPECT_THAT(Parsed("    fff:\tret\n"), ElementsAre(message("fff")));
  EXPECT_THAT(Parsed("    1004:\tret\n    1004:\tret\n"),
              ElementsAre(message("1004")));
}

TEST(ParseDisassemblyTest, RejectsOutputWithoutInstructions) {
  const std::string expected =
      "app: objdump found no instructions from 0x1000 to 0x1010";
  for (const std::string& output :
       {std::string(), std::string("hello"), std::string("    :\tret\n"),
        std::string("    10zz:\tret\n"),
        std::string(" 1ffffffffffffffff:\tret"), std::string(100, '\0'),
        std::string("   \n    \n")})
    EXPECT_THAT(Parsed(output), ElementsAre(expected)) << output;
}

// A shell script that replaces objdump.
class FakeObjdump {
 public:
  explicit FakeObjdump(const std::string& script)
      : path_(folder_.Write("objdump", "#!/bin/sh\n" + script)) {
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }

  std::vector<std::string> Run(std::chrono::milliseconds time_limit,
                               const CodeRange& range = kRange) const {
    return Shown(Disassemble(range, {.program = path_,
                                     .package = "binutils",
                                     .time_limit = time_limit,
                                     .output_limit = 1 << 20}));
  }
  const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

constexpr std::chrono::seconds kLong{60};

TEST(DisassembleTest, AsksForTheRangeOnly) {
  const FakeObjdump objdump(
      "for a in \"$@\"; do last=$a; echo \"$a\" >>\"$0.log\"; done\n"
      "printf '    1000:\\t%s\\n' \"$last\"\n");
  EXPECT_THAT(objdump.Run(kLong), ElementsAre("1000 app"));
  EXPECT_EQ(ReadFile(objdump.path() + ".log"),
            "--disassemble\n--wide\n--no-show-raw-insn\n"
            "--start-address=0x1000\n--stop-address=0x1010\napp\n");
}

TEST(DisassembleTest, DoesNotTakeAPathForAnOption) {
  const FakeObjdump objdump(
      "for a in \"$@\"; do last=$a; done\n"
      "printf '    1000:\\t%s\\n' \"$last\"\n");
  for (const std::string path : {"-x", "@x"})
    EXPECT_THAT(
        objdump.Run(kLong, {.path = path, .start = 0x1000, .end = 0x1001}),
        ElementsAre("1000 ./" + path));
}

TEST(DisassembleTest, StopsAProgramThatHangs) {
  const FakeObjdump objdump("exec sleep 1000\n");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(
      objdump.Run(std::chrono::milliseconds(100)),
      ElementsAre(
          objdump.path() +
          " of app from 0x1000 to 0x1010 did not end within 0.1 s: stopped"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, kLong);
}

TEST(DisassembleTest, StopsAProgramThatWritesWithoutEnd) {
  const FakeObjdump objdump("exec cat /dev/zero\n");
  EXPECT_THAT(
      objdump.Run(kLong),
      ElementsAre(objdump.path() + " of app from 0x1000 to 0x1010 wrote more "
                                   "than 1048576 bytes: stopped"));
}

TEST(DisassembleTest, RejectsTooMuchOutputOfAProgramThatHasEnded) {
  const FakeObjdump objdump("head -c 1048577 /dev/zero\n");
  EXPECT_THAT(
      objdump.Run(kLong),
      ElementsAre(objdump.path() + " of app from 0x1000 to 0x1010 wrote more "
                                   "than 1048576 bytes: stopped"));
}

TEST(DisassembleTest, SaysWhyTheProgramFailed) {
  const FakeObjdump objdump("echo 'app: truncated' >&2; exit 1\n");
  EXPECT_THAT(
      objdump.Run(kLong),
      ElementsAre(objdump.path() + " of app from 0x1000 to 0x1010 failed with "
                                   "status 1: app: truncated"));
}

TEST(DisassembleTest, NamesThePackageOfAMissingProgram) {
  EXPECT_THAT(Shown(Disassemble(kRange, {.program = "no-such-objdump"})),
              ElementsAre("cannot run no-such-objdump: it is not installed; "
                          "Debian's package is binutils"));
}

}  // namespace
}  // namespace heapprof
