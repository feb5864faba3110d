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

namespace heapprof {

std::string FixturePath(std::string_view name);

std::string ReadFile(const std::string& path);

// A file in the directory for temporary files, removed with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  void Write(std::string_view content) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct NmSymbol {
  uint64_t address = 0;
  uint64_t size = 0;
  char type = '?';  // as nm prints it: 'T', 'W', 't', 'i'
};

// The symbols of the fixture `name`.
std::multimap<std::string, NmSymbol> ReadNm(std::string_view name);

// The one symbol called `symbol`; the test fails if there is none.
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
