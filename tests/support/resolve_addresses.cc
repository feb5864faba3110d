// SPDX-License-Identifier: Apache-2.0
//
// resolve_addresses dwarf|libdw BINARY [DEBUGFILE] < addresses
//
// Resolves the file addresses on standard input (hexadecimal, one per line)
// and prints, per address in the order given, one line per frame, innermost
// first: name, tab, file:line. An empty line ends each address. Findings and
// the CPU time go to standard error. For comparing engines, not for users.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/dwarf/libdw_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {
namespace {

std::vector<uint64_t> ReadAddresses() {
  std::vector<uint64_t> addresses;
  std::string line;
  while (std::getline(std::cin, line))
    if (!line.empty())
      addresses.push_back(std::strtoull(line.c_str(), nullptr, 16));
  return addresses;
}

void Print(const ResolvedAddresses& answer, const FrameRun& run) {
  for (uint32_t i = run.first; i < run.first + run.count; ++i) {
    const SourceFrame& frame = answer.frames[i];
    const SourceFunction& function = answer.functions[frame.function];
    const std::string_view name = function.linkage_name.empty()
                                      ? function.scoped_name
                                      : function.linkage_name;
    std::cout << name << '\t' << answer.files[frame.file] << ':' << frame.line
              << '\n';
  }
  std::cout << '\n';
}

int Run(const std::string& engine, const std::string& binary_path,
        const std::string& debug_path) {
  Result<ElfImage> binary = ElfImage::Open(binary_path);
  Result<ElfImage> debug = ElfImage::Open(debug_path);
  for (const auto* image : {&binary, &debug}) {
    if (*image) continue;
    std::cerr << image->error().message << '\n';
    return 1;
  }
  const std::vector<uint64_t> asked = ReadAddresses();
  std::vector<uint64_t> sorted = asked;
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());

  const std::clock_t start = std::clock();
  const SymbolTable symbols = SymbolTable::Load({&*debug, &*binary});
  auto resolver = engine == "libdw"
                      ? OpenLibdwResolver(*debug, *binary, symbols)
                      : OpenDwarfResolver(*debug, *binary, symbols, 1);
  if (!resolver) {
    std::cerr << resolver.error().message << '\n';
    return 1;
  }
  const ResolvedAddresses answer = (*resolver)->Resolve(sorted);
  const double seconds =
      static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;

  for (uint64_t address : asked) {
    const auto at = std::ranges::lower_bound(sorted, address);
    Print(answer, answer.runs[static_cast<size_t>(at - sorted.begin())]);
  }
  for (const std::string& problem : (*resolver)->problems())
    std::cerr << problem << '\n';
  std::cerr << fmt::format("{} addresses, {} functions, {:.2f} CPU s\n",
                           sorted.size(), answer.functions.size(), seconds);
  return 0;
}

}  // namespace
}  // namespace heapprof

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::cerr << "usage: resolve_addresses dwarf|libdw BINARY [DEBUGFILE] "
                 "< addresses\n";
    return 2;
  }
  return heapprof::Run(argv[1], argv[2], argv[argc - 1]);
}
