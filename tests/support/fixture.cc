// SPDX-License-Identifier: Apache-2.0
#include "support/fixture.h"

#include <cstdlib>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

namespace heapprof {

std::string FixturePath(std::string_view name) {
  return std::string(HEAPPROF_FIXTURES) + "/" + std::string(name);
}

std::multimap<std::string, NmSymbol> ReadNm(std::string_view name) {
  std::istringstream in(ReadFile(FixturePath(name) + ".nm"));
  std::multimap<std::string, NmSymbol> symbols;
  for (std::string line; std::getline(in, line);) {
    // "0000000000001139 000000000000000b T main"; the size may be missing.
    std::istringstream fields(line);
    std::vector<std::string> words{std::istream_iterator<std::string>(fields),
                                   {}};
    if (words.size() < 3) continue;
    NmSymbol symbol{.address = std::stoull(words[0], nullptr, 16)};
    if (words.size() > 3) symbol.size = std::stoull(words[1], nullptr, 16);
    symbol.type = words[words.size() - 2].front();
    symbols.emplace(words.back(), symbol);
  }
  return symbols;
}

NmSymbol FindNm(std::string_view fixture, const std::string& symbol) {
  const auto symbols = ReadNm(fixture);
  EXPECT_EQ(symbols.count(symbol), 1u) << symbol << " in " << fixture;
  const auto found = symbols.find(symbol);
  return found == symbols.end() ? NmSymbol{} : found->second;
}

std::vector<FileSection> ReadSections(std::string_view elf) {
  const uint64_t table = GetNumber(elf, 0x28, 8);
  const uint64_t header_size = GetNumber(elf, 0x3a, 2);
  const uint64_t count = GetNumber(elf, 0x3c, 2);
  const uint64_t names = table + header_size * GetNumber(elf, 0x3e, 2);
  const uint64_t strings = GetNumber(elf, names + 0x18, 8);
  std::vector<FileSection> sections;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = table + i * header_size;
    sections.push_back({.name = &elf[strings + GetNumber(elf, at, 4)],
                        .header_at = at,
                        .address = GetNumber(elf, at + 0x10, 8),
                        .offset = GetNumber(elf, at + 0x18, 8),
                        .size = GetNumber(elf, at + 0x20, 8)});
  }
  return sections;
}

FileSection FindSection(std::string_view elf, std::string_view name) {
  for (const FileSection& section : ReadSections(elf))
    if (section.name == name) return section;
  ADD_FAILURE() << "no section " << name;
  return {};
}

uint64_t GetNumber(std::string_view bytes, size_t offset, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i)
    value |= uint64_t{static_cast<uint8_t>(bytes.at(offset + i))} << (8 * i);
  return value;
}

void PutNumber(std::string& bytes, size_t offset, size_t size, uint64_t value) {
  for (size_t i = 0; i < size; ++i)
    bytes.at(offset + i) = static_cast<char>(value >> (8 * i));
}

}  // namespace heapprof
