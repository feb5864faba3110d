// SPDX-License-Identifier: Apache-2.0
#include "support/mutations.h"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

namespace heapprof {

Mutations::Mutations(std::string original, uint32_t seed,
                     const std::function<bool(std::string_view)>& is_chosen)
    : original_(std::move(original)), random_(seed) {
  for (const FileSection& section : ReadSections(original_))
    if (section.size != 0 && is_chosen(section.name))
      sections_.push_back(section);
  EXPECT_FALSE(sections_.empty());
}

std::string Mutations::Next() {
  std::string bytes = original_;
  for (uint64_t i = 1 + Draw(6); i > 0; --i)
    Damage(sections_[Draw(sections_.size())], bytes);
  return bytes;
}

void Mutations::Damage(const FileSection& section, std::string& bytes) {
  // Damage to headers, which are small, has the greatest effect.
  const uint64_t reach = Draw(3) == 0 ? 64 : section.size;
  const uint64_t at = section.offset + Draw(std::min(reach, section.size));
  const uint64_t end = section.offset + section.size;
  const auto old = static_cast<uint8_t>(bytes[at]);
  switch (Draw(4)) {
    case 0: {  // another number of the file
      const uint64_t size = std::min<uint64_t>(1 + Draw(8), end - at);
      const uint64_t from = section.offset + Draw(section.size - size + 1);
      std::copy_n(original_.begin() + static_cast<std::ptrdiff_t>(from), size,
                  bytes.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    }
    case 1:  // a little more or less
      PutNumber(bytes, at, 1, old + Draw(33) - 16);
      break;
    default: {
      const uint64_t values[] = {0, 1, 0x7f, 0x80, 0xff, Draw(256)};
      PutNumber(bytes, at, 1, values[Draw(std::size(values))]);
    }
  }
}

std::string WithCompressedInfo(std::string elf) {
  const FileSection info = FindSection(elf, ".debug_info");
  const std::string content = elf.substr(info.offset, info.size);
  uLongf size = compressBound(content.size());
  std::string packed(size, '\0');
  EXPECT_EQ(
      compress(reinterpret_cast<Bytef*>(packed.data()), &size,
               reinterpret_cast<const Bytef*>(content.data()), content.size()),
      Z_OK);
  packed.resize(size);
  Elf64_Chdr compression = {};
  compression.ch_type = ELFCOMPRESS_ZLIB;
  compression.ch_size = content.size();
  compression.ch_addralign = 1;
  PutNumber(elf, info.header_at + offsetof(Elf64_Shdr, sh_flags), 8,
            SHF_COMPRESSED);
  PutNumber(elf, info.header_at + offsetof(Elf64_Shdr, sh_offset), 8,
            elf.size());
  PutNumber(elf, info.header_at + offsetof(Elf64_Shdr, sh_size), 8,
            sizeof(compression) + size);
  elf.append(reinterpret_cast<const char*>(&compression), sizeof(compression));
  return elf + packed;
}

std::string DescribeChanges(std::string_view original,
                            std::string_view damaged) {
  std::string text;
  for (size_t i = 0; i < std::min(original.size(), damaged.size()); ++i)
    if (original[i] != damaged[i])
      fmt::format_to(std::back_inserter(text), "{:#x}: {:x} -> {:x}\n", i,
                     static_cast<uint8_t>(original[i]),
                     static_cast<uint8_t>(damaged[i]));
  return text;
}

}  // namespace heapprof
