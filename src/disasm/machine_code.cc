// SPDX-License-Identifier: Apache-2.0
#include "heapprof/disasm/machine_code.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/for_each.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/demangle/demangle.h"
#include "heapprof/process/disassemble.h"
#include "heapprof/process/disassembler.h"

namespace heapprof {
namespace {

using Instructions = std::vector<Instruction>;

// Returns the name that is shown for a function.
std::string CodeName(std::string_view demangled,
                     const MachineCodeOptions& options) {
  return options.names ? StyledName(demangled, *options.names)
                       : ShortName(demangled);
}

Result<Instructions> DisassembleRoutine(const Routine& routine,
                                        const std::string& tools) {
  const ElfImage& binary = routine.module->binary();
  if (binary.IsDebugFile())
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: a debug file has no code to disassemble; name "
                            "the binary",
                            binary.path()));
  const auto disassembler = DisassemblerFor(binary.machine(), tools);
  if (!disassembler) return std::unexpected(disassembler.error());
  return Disassemble(
      {.path = binary.path(), .start = routine.start, .end = routine.end},
      *disassembler);
}

// The address that an instruction refers to, and objdump's name for it. Both
// stand at the end of the instruction's text: "1149 <f+0x4>".
struct Target {
  size_t name_at = 0;  // where the name begins in the text
  uint64_t address = 0;
  std::string_view name = {};  // empty if there is none
};

std::optional<Target> TargetOf(std::string_view text) {
  Target target = {.name_at = text.size()};
  if (const size_t open = text.rfind(" <");
      text.ends_with('>') && open != text.npos) {
    target.name_at = open;
    target.name = text.substr(open + 2, text.size() - open - 3);
    text = text.substr(0, open);
  }
  const size_t blank = text.rfind(' ');
  if (blank == text.npos) return std::nullopt;
  std::string_view digits = text.substr(blank + 1);
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  const auto address = ParseNumber<uint64_t>(digits, 16);
  if (!address) return std::nullopt;
  target.address = *address;
  return target;
}

// The name of a target: a symbol of the binary, such as "malloc", and a suffix,
// such as "@plt+0x4". Only the symbol is demangled.
struct TargetName {
  size_t instruction = 0;
  std::string symbol = {};
  std::string suffix = {};
};

void Split(std::string_view name, std::string_view offset, TargetName& to) {
  const size_t version = std::min(name.find('@', 1), name.size());
  to.symbol = name.substr(0, version);
  to.suffix = fmt::format("{}{}", name.substr(version), offset);
}

// Returns the name of `target`; nothing if its address has no reliable name.
// Prefers the symbols of the module to objdump's name, because they have sizes
// and include those of the debug file. objdump's names are less reliable: it
// also uses symbols of data, and if an address has no symbol, it takes the
// nearest one, however far away, and adds an offset.
std::optional<TargetName> NameTarget(const Target& target,
                                     const Module& module) {
  TargetName name;
  if (const auto symbol = module.symbols().Find(target.address)) {
    const uint64_t offset = target.address - symbol->address;
    Split(symbol->name, offset == 0 ? "" : fmt::format("+0x{:x}", offset),
          name);
    return name;
  }
  if (target.name.empty() || target.name.contains("+0x") ||
      module.binary().IsExecutable(target.address))
    return std::nullopt;
  Split(target.name, "", name);
  return name;
}

// Replaces the names that objdump gives to addresses in operands by the names
// that the report uses.
void NameTargets(const Module& module, const MachineCodeOptions& options,
                 Instructions& instructions) {
  std::vector<TargetName> names;
  for (size_t i = 0; i < instructions.size(); ++i) {
    std::string& text = instructions[i].text;
    const auto target = TargetOf(text);
    if (!target) continue;
    auto name = NameTarget(*target, module);
    text.resize(target->name_at);
    if (!name) continue;
    name->instruction = i;
    names.push_back(std::move(*name));
  }
  std::vector<std::string_view> mangled;
  for (const TargetName& name : names) mangled.push_back(name.symbol);
  const std::vector<std::string> demangled = DemangleAll(mangled);
  for (size_t i = 0; i < names.size(); ++i)
    instructions[names[i].instruction].text += fmt::format(
        " <{}{}>", CodeName(demangled[i], options), names[i].suffix);
}

// The source lines of a module's instructions.
class Places {
 public:
  Places(const Module& module, std::vector<uint64_t> addresses,
         const Symbolizer& symbolizer, const MachineCodeOptions& options)
      : addresses_(std::move(addresses)), with_inlines_(options.with_inlines) {
    std::ranges::sort(addresses_);
    const auto [first, last] = std::ranges::unique(addresses_);
    addresses_.erase(first, last);
    answers_ = symbolizer.Resolve(module, addresses_);
    std::vector<std::string_view> mangled;
    for (const SourceFunction& function : answers_.functions)
      mangled.push_back(function.linkage_name);
    const std::vector<std::string> demangled = DemangleAll(mangled);
    for (size_t i = 0; i < demangled.size(); ++i)
      names_.push_back(CodeName(
          mangled[i].empty() ? answers_.functions[i].scoped_name : demangled[i],
          options));
  }

  std::vector<CodePlace> Of(uint64_t address, StringTable& strings) const {
    const auto it = std::ranges::lower_bound(addresses_, address);
    const FrameRun run =
        answers_.runs[static_cast<size_t>(it - addresses_.begin())];
    std::vector<CodePlace> places;
    for (uint32_t i = with_inlines_ || run.count == 0 ? 0 : run.count - 1;
         i < run.count; ++i) {
      const SourceFrame& frame = answers_.frames[run.first + i];
      places.push_back({.function = strings.Intern(names_[frame.function]),
                        .file = strings.Intern(answers_.files[frame.file]),
                        .line = frame.line});
    }
    // A single frame without file and line comes from the symbol table, not
    // from debug information, so its place in the source is unknown.
    if (places.size() == 1 && places[0].file.IsNone() && places[0].line == 0)
      places.clear();
    return places;
  }

 private:
  std::vector<uint64_t> addresses_;
  bool with_inlines_;
  ResolvedAddresses answers_;
  std::vector<std::string> names_;  // of answers_.functions
};

}  // namespace

Result<std::vector<CodeRoutine>> ReadMachineCode(
    std::span<const Routine> routines, const Symbolizer& symbolizer,
    const MachineCodeOptions& options) {
  std::vector<std::optional<Result<Instructions>>> code(routines.size());
  ForEach(routines.size(), options.jobs, [&](size_t i) {
    code[i] = DisassembleRoutine(routines[i], options.tools);
  });
  std::map<const Module*, std::vector<uint64_t>> addresses;
  for (size_t i = 0; i < routines.size(); ++i) {
    if (!*code[i]) return std::unexpected(code[i]->error());
    for (const Instruction& instruction : **code[i])
      addresses[routines[i].module].push_back(instruction.address);
  }
  std::map<const Module*, Places> places;
  for (auto& [module, list] : addresses)
    places.try_emplace(module, *module, std::move(list), symbolizer, options);

  std::vector<CodeRoutine> read;
  for (size_t i = 0; i < routines.size(); ++i) {
    const Module& module = *routines[i].module;
    CodeRoutine& routine = read.emplace_back();
    routine.name = CodeName(routines[i].name, options);
    routine.full_name = options.names ? routine.name : routines[i].name;
    routine.binary = module.binary().path();
    Instructions& instructions = **code[i];
    NameTargets(module, options, instructions);
    for (Instruction& instruction : instructions)
      routine.instructions.push_back(
          {.address = instruction.address,
           .text = std::move(instruction.text),
           .places =
               places.at(&module).Of(instruction.address, routine.strings)});
  }
  return read;
}

}  // namespace heapprof
