// SPDX-License-Identifier: Apache-2.0
#include "heapprof/process/disassembler.h"

#include <elf.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "heapprof/base/split.h"

namespace heapprof {
namespace {

struct Machine {
  uint16_t machine;
  std::string_view kernel_name;  // as in uname()
  std::string_view program;
  std::string_view package;
};

constexpr Machine kMachines[] = {
    {EM_X86_64, "x86_64", "x86_64-linux-gnu-objdump",
     "binutils-x86-64-linux-gnu"},
    {EM_AARCH64, "aarch64", "aarch64-linux-gnu-objdump",
     "binutils-aarch64-linux-gnu"},
};

std::string ThisMachine() {
  utsname names = {};
  return uname(&names) == 0 ? names.machine : "";
}

// Returns the objdump that the first suitable item of `tools` names. An item is
// suitable if it is "objdump:PATH", or if it becomes the path of a program when
// "objdump" is appended to it.
std::optional<std::string> ProgramOfTools(const std::string& tools) {
  constexpr std::string_view kTool = "objdump";
  for (const std::string_view part : Split(tools, ',')) {
    std::string item(part);
    if (item.starts_with(std::string(kTool) + ":"))
      return item.substr(kTool.size() + 1);
    item += kTool;
    if (access(item.c_str(), X_OK) == 0) return item;
  }
  return std::nullopt;
}

}  // namespace

Result<Disassembler> DisassemblerFor(uint16_t machine,
                                     const std::string& tools) {
  Disassembler disassembler;
  if (!tools.empty()) {
    auto program = ProgramOfTools(tools);
    if (!program)
      return Fail(
          ErrorKind::kUsage,
          fmt::format(
              "--tools={0} (or JEPROF_TOOLS): names no objdump; expected "
              "objdump:PATH or a prefix such as /usr/bin/",
              tools));
    disassembler.program = std::move(*program);
    return disassembler;
  }
  const auto known = std::ranges::find(kMachines, machine, &Machine::machine);
  if (known != std::end(kMachines) && known->kernel_name != ThisMachine()) {
    disassembler.program = known->program;
    disassembler.package = known->package;
  }
  return disassembler;
}

}  // namespace heapprof
