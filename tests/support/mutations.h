// SPDX-License-Identifier: Apache-2.0
//
// Copies of an ELF file with random damage in chosen sections.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/fixture.h"

namespace heapprof {

class Mutations {
 public:
  // Damages the sections for whose names `is_chosen` is true. Equal seeds give
  // equal copies.
  Mutations(std::string original, uint32_t seed,
            const std::function<bool(std::string_view)>& is_chosen);

  std::string Next();

 private:
  uint64_t Draw(uint64_t limit) { return random_() % limit; }
  void Damage(const FileSection& section, std::string& bytes);

  std::string original_;
  std::vector<FileSection> sections_;
  std::mt19937 random_;
};

// The file with .debug_info compressed by zlib.
std::string WithCompressedInfo(std::string elf);

// The changed bytes, so that the file can be made again: "0x12: 3 -> 4".
std::string DescribeChanges(std::string_view original,
                            std::string_view damaged);

}  // namespace heapprof
