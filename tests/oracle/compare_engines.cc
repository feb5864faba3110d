// SPDX-License-Identifier: Apache-2.0
//
// compare_engines COUNT REQUIRED BINARY [DEBUGFILE]
//
// Draws COUNT addresses (or all, if there are fewer) with a fixed seed from the
// executable PT_LOAD segments. Resolves them with both engines that read DWARF,
// our reader with one and four threads, and with an index of the file. Prints
// the percentage of answers that are equal in every field, and the others by
// kind. Exits with 1 if less than REQUIRED percent are equal for the engines,
// if the number of threads or the index changes an answer, or if our reader
// leaves the file, or a part of it, to libdw (then it has no index).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/dwarf/libdw_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "heapprof/index/index_file.h"
#include "support/alternate_file.h"

namespace heapprof {
namespace {

constexpr int kExamples = 3;

std::vector<uint64_t> Draw(const ElfImage& binary, uint64_t count) {
  std::vector<LoadSegment> code;
  uint64_t size = 0;
  for (const LoadSegment& segment : binary.load_segments()) {
    if (!segment.executable) continue;
    code.push_back(segment);
    size += segment.memory_size;
  }
  std::mt19937_64 random(1);
  std::set<uint64_t> addresses;
  while (addresses.size() < std::min(count, size)) {
    uint64_t at = random() % size;
    for (const LoadSegment& segment : code) {
      if (at < segment.memory_size) {
        addresses.insert(segment.address + at);
        break;
      }
      at -= segment.memory_size;
    }
  }
  return {addresses.begin(), addresses.end()};
}

// One answer as text, field by field.
struct Field {
  const char* name;
  std::string value;
};

std::vector<Field> FieldsOf(const ResolvedAddresses& answer, size_t address) {
  const FrameRun& run = answer.runs[address];
  std::vector<Field> fields = {{"inline depth", std::to_string(run.count)}};
  for (uint32_t i = run.first; i < run.first + run.count; ++i) {
    const SourceFrame& frame = answer.frames[i];
    const SourceFunction& function = answer.functions[frame.function];
    fields.push_back({"linkage name", std::string(function.linkage_name)});
    fields.push_back({"scoped name", std::string(function.scoped_name)});
    fields.push_back({"declaration file", answer.files[function.file]});
    fields.push_back({"declaration line", std::to_string(function.start_line)});
    fields.push_back(
        {"start address", fmt::format("{:#x}", function.start_address)});
    fields.push_back({"file", answer.files[frame.file]});
    fields.push_back({"line", std::to_string(frame.line)});
    fields.push_back({"column", std::to_string(frame.column)});
  }
  return fields;
}

// The first field that differs, and both values.
std::optional<std::pair<std::string, std::string>> Difference(
    const std::vector<Field>& a, const std::vector<Field>& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].value != b[i].value)
      return std::pair(
          std::string(a[i].name),
          fmt::format("'{}' against '{}'", a[i].value, b[i].value));
  return std::nullopt;
}

// How many addresses have different answers.
size_t Compare(const std::string& label, const std::vector<uint64_t>& addresses,
               const ResolvedAddresses& a, const ResolvedAddresses& b) {
  std::map<std::string, std::vector<std::string>> kinds;
  size_t different = 0;
  for (size_t i = 0; i < addresses.size(); ++i) {
    const auto found = Difference(FieldsOf(a, i), FieldsOf(b, i));
    if (!found) continue;
    ++different;
    kinds[found->first].push_back(
        fmt::format("{:#x}: {}", addresses[i], found->second));
  }
  const auto answered = std::ranges::count_if(
      a.runs, [](const FrameRun& run) { return run.count != 0; });
  std::cout << fmt::format("{}: {} of {} answers equal, {} not empty\n", label,
                           addresses.size() - different, addresses.size(),
                           answered);
  for (const auto& [kind, examples] : kinds) {
    std::cout << fmt::format("  {} x {}\n", examples.size(), kind);
    for (size_t i = 0; i < examples.size() && i < kExamples; ++i)
      std::cout << "    " << examples[i] << '\n';
  }
  return different;
}

std::optional<ResolvedAddresses> Ask(
    Result<std::unique_ptr<AddressResolver>> resolver,
    const std::vector<uint64_t>& addresses) {
  if (!resolver) {
    std::cerr << resolver.error().message << '\n';
    return std::nullopt;
  }
  ResolvedAddresses answer = (*resolver)->Resolve(addresses);
  for (const std::string& problem : (*resolver)->problems())
    std::cout << problem << '\n';
  return answer;
}

// The answers of an index. It is made with one and with four threads, and its
// bytes must not differ. Nothing if the file cannot have an index.
std::optional<ResolvedAddresses> AskIndex(
    AddressResolver& resolver, const std::vector<uint64_t>& addresses) {
  std::string bytes;
  for (const unsigned jobs : {1u, 4u}) {
    const std::clock_t start = std::clock();
    const auto map = resolver.MapCode(jobs);
    if (!map) return std::nullopt;
    const std::clock_t mapped = std::clock();
    const auto encoded = EncodeIndex(IndexKey{}, &*map);
    if (!encoded || (!bytes.empty() && bytes != *encoded)) {
      std::cout << "indexes differ\n";
      std::exit(EXIT_FAILURE);
    }
    bytes = *encoded;
    std::cout << fmt::format(
        "index: {} bytes, {} rows, {} nodes, {} functions; {:.2f} + {:.2f} "
        "CPU s\n",
        bytes.size(), map->rows.size(), map->nodes.size(),
        map->functions.size(),
        static_cast<double>(mapped - start) / CLOCKS_PER_SEC,
        static_cast<double>(std::clock() - mapped) / CLOCKS_PER_SEC);
  }
  const auto index = IndexFile::Open(
      {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  auto answer = index ? index->Resolve(addresses, 2) : std::nullopt;
  if (!answer) {
    std::cout << "the index cannot be read\n";
    std::exit(EXIT_FAILURE);
  }
  return answer;
}

int Run(uint64_t count, double required, const std::string& binary_path,
        const std::string& debug_path) {
  const Result<ElfImage> binary = ElfImage::Open(binary_path);
  const Result<ElfImage> debug = ElfImage::Open(debug_path);
  for (const auto* image : {&binary, &debug}) {
    if (*image) continue;
    std::cerr << image->error().message << '\n';
    return EXIT_FAILURE;
  }
  const std::vector<uint64_t> addresses = Draw(*binary, count);
  const SymbolTable symbols = SymbolTable::Load({&*debug, &*binary});
  const std::optional<ElfImage> alternate = OpenAlternate(*debug);
  const auto open_reader = [&](unsigned jobs) {
    return OpenDwarfResolver(*debug, *binary, symbols, jobs,
                             {.alternate = PointerTo(alternate)});
  };
  auto resolver = open_reader(1);
  const auto indexed =
      resolver ? AskIndex(**resolver, addresses) : std::nullopt;
  const auto reader = Ask(std::move(resolver), addresses);
  const auto threads = Ask(open_reader(4), addresses);
  const auto libdw =
      Ask(OpenLibdwResolver(*debug, *binary, symbols,
                            alternate ? alternate->path() : std::string()),
          addresses);
  if (!reader || !threads || !libdw || addresses.empty()) return EXIT_FAILURE;
  const size_t unequal =
      Compare("reader and libdw", addresses, *reader, *libdw);
  const size_t racy =
      Compare("one thread and four", addresses, *reader, *threads);
  if (!indexed) {
    std::cout << "the reader leaves a part of the file to libdw\n";
    return EXIT_FAILURE;
  }
  const size_t wrong =
      Compare("reader and index", addresses, *reader, *indexed);
  const double share = 100 * (1 - static_cast<double>(unequal) /
                                      static_cast<double>(addresses.size()));
  return share >= required && racy == 0 && wrong == 0 ? EXIT_SUCCESS
                                                      : EXIT_FAILURE;
}

}  // namespace
}  // namespace heapprof

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    std::cerr << "usage: compare_engines COUNT REQUIRED BINARY [DEBUGFILE]\n";
    return 2;
  }
  return heapprof::Run(std::strtoull(argv[1], nullptr, 10),
                       std::strtod(argv[2], nullptr), argv[3], argv[argc - 1]);
}
