// SPDX-License-Identifier: Apache-2.0
#include "heapprof/process/disassemble.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <ranges>

#include <fmt/core.h>

#include "heapprof/process/run_process.h"

namespace heapprof {
namespace {

std::string_view TrimLeft(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

std::string_view TrimRight(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r");
  return text.substr(0, last == text.npos ? 0 : last + 1);
}

// Replaces the tab after the mnemonic by blanks, and all other tabs. objdump
// writes a tab after the mnemonic for some machines, and blanks for others.
std::string WithoutTabs(std::string_view text) {
  constexpr size_t kMnemonicWidth = 7;
  const size_t tab = text.find('\t');
  std::string plain(text.substr(0, tab));
  if (tab == text.npos) return plain;
  plain.resize(std::max(plain.size() + 1, kMnemonicWidth), ' ');
  plain += TrimLeft(text.substr(tab));
  std::ranges::replace(plain, '\t', ' ');
  return plain;
}

// Parses a line such as `1189:\tcall   1149 <f>`. Returns nothing for a line
// without an instruction, which is a title or the "..." that stands for zero
// bytes.
std::optional<Instruction> ParseLine(std::string_view line) {
  if (!line.starts_with(' ')) return std::nullopt;
  line = TrimRight(TrimLeft(line));
  Instruction instruction;
  const char* end = line.data() + line.size();
  const auto [after, error] =
      std::from_chars(line.data(), end, instruction.address, 16);
  if (error != std::errc() || after == end || *after != ':')
    return std::nullopt;
  instruction.text = WithoutTabs(TrimLeft({after + 1, end}));
  return instruction;
}

}  // namespace

Result<std::vector<Instruction>> ParseDisassembly(std::string_view output,
                                                  const CodeRange& range) {
  std::vector<Instruction> instructions;
  for (const auto part : std::views::split(output, '\n')) {
    auto instruction = ParseLine({part.begin(), part.end()});
    if (!instruction) continue;
    const uint64_t address = instruction->address;
    const bool is_inside = address >= range.start && address < range.end;
    const bool is_behind =
        instructions.empty() || address > instructions.back().address;
    if (!is_inside || !is_behind)
      return Fail(
          ErrorKind::kBadFormat,
          fmt::format("{}: expected instructions from 0x{:x} to 0x{:x} in "
                      "order, found one at 0x{:x} in objdump's output",
                      range.path, range.start, range.end, address));
    instructions.push_back(std::move(*instruction));
  }
  if (instructions.empty())
    return Fail(
        ErrorKind::kBadFormat,
        fmt::format("{}: objdump found no instructions from 0x{:x} to 0x{:x}",
                    range.path, range.start, range.end));
  return instructions;
}

namespace {

// Returns the path in a form that is neither an option nor "@FILE", which would
// make objdump read options from that file. LLVM's objdump does not know "--",
// which would end the options.
std::string PlainArgument(const std::string& path) {
  return path.starts_with('-') || path.starts_with('@') ? "./" + path : path;
}

}  // namespace

Result<std::vector<Instruction>> Disassemble(const CodeRange& range,
                                             const Disassembler& disassembler) {
  const auto output = RunProcess(
      {.program = disassembler.program,
       .package = disassembler.package,
       .arguments = {"--disassemble", "--wide", "--no-show-raw-insn",
                     fmt::format("--start-address=0x{:x}", range.start),
                     fmt::format("--stop-address=0x{:x}", range.end),
                     PlainArgument(range.path)},
       .subject = fmt::format("{} from 0x{:x} to 0x{:x}", range.path,
                              range.start, range.end),
       .time_limit = disassembler.time_limit,
       .output_limit = disassembler.output_limit},
      "");
  if (!output) return std::unexpected(output.error());
  return ParseDisassembly(*output, range);
}

}  // namespace heapprof
