// SPDX-License-Identifier: Apache-2.0
#include "heapprof/process/disassembler.h"

#include <elf.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

// "program (package)", or the error.
std::string Choice(uint16_t machine, const std::string& tools) {
  const auto disassembler = DisassemblerFor(machine, tools);
  if (!disassembler) return disassembler.error().message;
  return disassembler->program + " (" + disassembler->package + ")";
}

TEST(DisassemblerForTest, IsThatOfTheMachine) {
#if defined(__x86_64__)
  const uint16_t ours = EM_X86_64, other = EM_AARCH64;
  const std::string foreign =
      "aarch64-linux-gnu-objdump (binutils-aarch64-linux-gnu)";
#else
  const uint16_t ours = EM_AARCH64, other = EM_X86_64;
  const std::string foreign =
      "x86_64-linux-gnu-objdump (binutils-x86-64-linux-gnu)";
#endif
  EXPECT_EQ(Choice(ours, ""), "objdump (binutils)");
  EXPECT_EQ(Choice(other, ""), foreign);
  EXPECT_EQ(Choice(EM_RISCV, ""), "objdump (binutils)");
}

TEST(DisassemblerForTest, TakesTheFirstOfTheTools) {
  TemporaryFolder folder;
  const std::string path = folder.Write("objdump", "#!/bin/sh\n");
  const std::string prefix = folder.path() + "/";
  EXPECT_EQ(Choice(EM_X86_64, "nm:/bin/nm,objdump:/opt/objdump," + prefix),
            "/opt/objdump (binutils)");
  EXPECT_EQ(Choice(EM_X86_64, prefix),
            "--tools=" + prefix +
                " (or JEPROF_TOOLS): names no objdump; expected "
                "objdump:PATH or a prefix such "
                "as /usr/bin/");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  EXPECT_EQ(Choice(EM_AARCH64, "/nowhere/," + prefix), path + " (binutils)");
}

}  // namespace
}  // namespace heapprof
