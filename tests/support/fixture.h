// SPDX-License-Identifier: Apache-2.0
//
// Reads the ELF files that tests/support/fixtures.cmake made, without the
// code under test: their bytes, their section headers, and the symbols that
// binutils' nm found. Little-endian ELF64 only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_files.h"

namespace heapprof {

std::string FixturePath(std::string_view name);

struct NmSymbol {
  uint64_t address = 0;
  uint64_t size = 0;
  char type = '?';  // as nm prints it: 'T', 'W', 't', 'i'
};

// The symbols of the fixture `name`.
std::multimap<std::string, NmSymbol> ReadNm(std::string_view name);

// The symbol called `symbol`; the test fails if there is none.
NmSymbol FindNm(std::string_view fixture, const std::string& symbol);

struct FileSection {
  std::string name;
  size_t header_at = 0;  // where its header is in the file
  uint64_t address = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
};

std::vector<FileSection> ReadSections(std::string_view elf);
FileSection FindSection(std::string_view elf, std::string_view name);

// The number of `size` bytes at `offset`.
uint64_t GetNumber(std::string_view bytes, size_t offset, size_t size);
void PutNumber(std::string& bytes, size_t offset, size_t size, uint64_t value);

}  // namespace heapprof
