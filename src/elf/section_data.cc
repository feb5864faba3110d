// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/section_data.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include "heapprof/base/for_each.h"
#include "heapprof/io/inflate.h"

namespace heapprof {
namespace {

// A section as it is in the file.
struct RawSection {
  std::span<const uint8_t> bytes = {};
  std::optional<Compression> compression = {};
  uint64_t inflated_size = 0;
  std::string problem = {};
};

std::span<const uint8_t> RawBytes(Elf_Scn* section) {
  const Elf_Data* data = elf_rawdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const uint8_t*>(data->d_buf), data->d_size};
}

RawSection ReadCompressed(Elf_Scn* section, uint16_t elf_class) {
  RawSection raw;
  GElf_Chdr header;
  const size_t header_size =
      elf_class == ELFCLASS32 ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
  const std::span<const uint8_t> bytes = RawBytes(section);
  if (gelf_getchdr(section, &header) == nullptr || bytes.size() < header_size) {
    raw.problem = "its compression header is damaged";
    return raw;
  }
  raw.bytes = bytes.subspan(header_size);
  raw.inflated_size = header.ch_size;
  constexpr uint32_t kZstdType = 2;  // ELFCOMPRESS_ZSTD; elf.h of 2022 has none
  if (header.ch_type == ELFCOMPRESS_ZLIB) {
    raw.compression = Compression::kZlib;
  } else if (header.ch_type == kZstdType) {
    raw.compression = Compression::kZstd;
  } else {
    raw.bytes = {};
    raw.problem = fmt::format("unknown compression {}", header.ch_type);
  }
  return raw;
}

// ".zdebug_*": "ZLIB", the inflated size in 8 bytes, highest first, a zlib
// stream.
RawSection ReadOldCompressed(Elf_Scn* section) {
  constexpr std::string_view kMagic = "ZLIB";
  constexpr size_t kHeaderSize = 12;
  RawSection raw;
  raw.bytes = RawBytes(section);
  if (raw.bytes.size() < kHeaderSize ||
      std::memcmp(raw.bytes.data(), kMagic.data(), kMagic.size()) != 0)
    return raw;  // linkers leave what would grow as it is
  for (size_t i = kMagic.size(); i < kHeaderSize; ++i)
    raw.inflated_size = raw.inflated_size << 8 | raw.bytes[i];
  raw.bytes = raw.bytes.subspan(kHeaderSize);
  raw.compression = Compression::kZlib;
  return raw;
}

RawSection FindSection(Elf* elf, std::string_view name) {
  const std::string old_name = fmt::format(".z{}", name.substr(1));
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return {};
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr ||
        header.sh_type == SHT_NOBITS)
      continue;
    const char* text = elf_strptr(elf, names, header.sh_name);
    if (text == nullptr) continue;
    if (text == old_name) return ReadOldCompressed(section);
    if (text != name) continue;
    if ((header.sh_flags & SHF_COMPRESSED) == 0)
      return {.bytes = RawBytes(section)};
    return ReadCompressed(section, static_cast<uint16_t>(gelf_getclass(elf)));
  }
  return {};
}

SectionData Load(const RawSection& raw) {
  SectionData data;
  data.problem = raw.problem;
  data.bytes = raw.bytes;
  if (!raw.compression) return data;
  data.bytes = {};
  auto inflated = Inflate(*raw.compression, raw.bytes, raw.inflated_size);
  if (!inflated) {
    data.problem = inflated.error().message;
    return data;
  }
  data.bytes = {inflated->bytes.get(), inflated->size};
  data.inflated = std::move(inflated->bytes);
  return data;
}

}  // namespace

std::vector<SectionData> LoadSections(const ElfImage& image,
                                      std::span<const std::string_view> names,
                                      unsigned jobs) {
  // libelf is asked by one thread only.
  std::vector<RawSection> raw;
  for (const std::string_view name : names)
    raw.push_back(FindSection(image.handle(), name));
  std::vector<SectionData> sections(names.size());
  const auto packed = static_cast<unsigned>(std::ranges::count_if(
      raw, [](const RawSection& r) { return r.compression.has_value(); }));
  ForEach(raw.size(), std::min(jobs, packed),
          [&](size_t i) { sections[i] = Load(raw[i]); });
  for (size_t i = 0; i < names.size(); ++i)
    if (!sections[i].problem.empty())
      sections[i].problem =
          fmt::format("section {}: {}", names[i], sections[i].problem);
  return sections;
}

}  // namespace heapprof
