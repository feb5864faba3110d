// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/section_data.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include <fmt/core.h>
#include <gelf.h>
#include <libelf.h>

#include "elf/libelf_errors.h"
#include "elf/section_cursor.h"
#include "heapprof/base/for_each.h"
#include "heapprof/io/inflate.h"

namespace heapprof {
namespace {

// A section before it is inflated.
struct RawSection {
  std::span<const uint8_t> bytes = {};
  std::optional<Compression> compression = {};
  uint64_t inflated_size = 0;
  std::string problem = {};
};

RawSection ReadCompressed(const SectionCursor& section, int elf_class) {
  RawSection raw;
  GElf_Chdr header;
  const size_t header_size =
      elf_class == ELFCLASS32 ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
  const std::span<const uint8_t> bytes = section.RawBytes();
  if (gelf_getchdr(section.section(), &header) == nullptr ||
      bytes.size() < header_size) {
    raw.problem = "its compression header is damaged";
    return raw;
  }
  raw.bytes = bytes.subspan(header_size);
  raw.inflated_size = header.ch_size;
  constexpr uint32_t kZstdType = 2;  // ELFCOMPRESS_ZSTD; not in older elf.h
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

// Reads a section ".zdebug_*". It contains "ZLIB", the inflated size as 8 bytes
// in big-endian order, and a zlib stream.
RawSection ReadOldCompressed(const SectionCursor& section) {
  constexpr std::string_view kMagic = "ZLIB";
  constexpr size_t kHeaderSize = 12;
  RawSection raw;
  raw.bytes = section.RawBytes();
  if (raw.bytes.size() < kHeaderSize ||
      std::memcmp(raw.bytes.data(), kMagic.data(), kMagic.size()) != 0)
    return raw;  // linkers do not compress sections that would grow
  for (size_t i = kMagic.size(); i < kHeaderSize; ++i)
    raw.inflated_size = raw.inflated_size << 8 | raw.bytes[i];
  raw.bytes = raw.bytes.subspan(kHeaderSize);
  raw.compression = Compression::kZlib;
  return raw;
}

RawSection ReadSection(const SectionCursor& section, int elf_class) {
  if ((section.header().sh_flags & SHF_COMPRESSED) != 0)
    return ReadCompressed(section, elf_class);
  return {.bytes = section.RawBytes()};
}

// Returns all sections with this name, in the order of the file. For a name
// such as ".debug_info", also returns sections named ".zdebug_info".
std::vector<RawSection> FindSections(Elf* elf, std::string_view name) {
  const std::string old_name = fmt::format(".z{}", name.substr(1));
  std::vector<RawSection> found;
  for (SectionCursor section(elf); section.Next();) {
    if (section.header().sh_type == SHT_NOBITS) continue;
    if (section.name() == old_name)
      found.push_back(ReadOldCompressed(section));
    else if (section.name() == name)
      found.push_back(ReadSection(section, gelf_getclass(elf)));
  }
  return found;
}

SectionData Load(const RawSection& raw, const ElfImage& image) {
  SectionData data;
  data.problem = raw.problem;
  data.bytes = raw.bytes;
  if (!raw.compression) return data;
  data.bytes = {};
  auto inflated = Inflate(*raw.compression, raw.bytes, raw.inflated_size);
  image.DropPages(raw.bytes);
  if (!inflated) {
    data.problem = inflated.error().message;
    return data;
  }
  data.bytes = {inflated->bytes.get(), inflated->size};
  data.inflated = std::move(inflated->bytes);
  return data;
}

// Starts to inflate a section into `data`, in a thread of its own if
// `has_thread`. Returns false if the section has several parts, is not
// compressed or is smaller than `min_size`, or if no thread can be started.
bool StartStream(const std::vector<RawSection>& parts, uint64_t min_size,
                 bool has_thread, const ElfImage& image, SectionData& data) {
  if (parts.size() != 1 || !parts[0].compression ||
      parts[0].inflated_size < min_size)
    return false;
  const RawSection& raw = parts[0];
  data.stream = InflateStream::Start(
      *raw.compression, raw.bytes, raw.inflated_size,
      {.has_thread = has_thread,
       .on_consumed = [&image](std::span<const uint8_t> bytes) {
         image.DropPages(bytes);
       }});
  if (data.stream == nullptr) return false;
  data.bytes = data.stream->bytes();
  return true;
}

// Joins sections of one name, as a linker would. Fails if the result would be
// implausibly large for the file: in a damaged file, many sections may refer to
// the same bytes, and their total may not fit into memory.
SectionData Join(std::span<const RawSection> parts, const ElfImage& image) {
  constexpr uint64_t kMostPerFileByte = 64;
  SectionData joined;
  uint64_t size = 0;
  for (const RawSection& part : parts) {
    const uint64_t stated =
        part.compression ? part.inflated_size : part.bytes.size();
    if (stated > kMostPerFileByte * image.bytes().size() - size) {
      joined.problem = "its parts are implausibly large for this file";
      return joined;
    }
    size += stated;
  }
  joined.inflated = std::make_unique_for_overwrite<uint8_t[]>(size);
  uint64_t at = 0;
  for (const RawSection& part : parts) {
    const SectionData loaded = Load(part, image);
    if (!loaded.problem.empty()) {
      joined.problem = loaded.problem;
      return joined;
    }
    std::ranges::copy(loaded.bytes, joined.inflated.get() + at);
    at += loaded.bytes.size();
  }
  joined.bytes = {joined.inflated.get(), size};
  return joined;
}

}  // namespace

std::vector<SectionData> LoadSections(const ElfImage& image,
                                      std::span<const std::string_view> names,
                                      unsigned jobs,
                                      const StreamedSection& streamed) {
  // Find all sections first, in this thread, because only one thread at a time
  // may use libelf.
  std::vector<std::vector<RawSection>> raw;
  for (const std::string_view name : names)
    raw.push_back(FindSections(image.handle(), name));
  FailIfLibelfLacksMemory();
  std::vector<SectionData> sections(names.size());
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == streamed.name &&
        StartStream(raw[i], streamed.min_size, /*has_thread=*/jobs > 1, image,
                    sections[i]))
      raw[i].clear();
  const auto is_packed = [](const std::vector<RawSection>& parts) {
    return std::ranges::any_of(
        parts, [](const RawSection& r) { return r.compression.has_value(); });
  };
  const auto packed =
      static_cast<unsigned>(std::ranges::count_if(raw, is_packed));
  // Leave one processor to the thread of the stream, because the stream takes
  // the longest: all other work finishes earlier and then waits for it.
  const bool has_stream = std::ranges::any_of(
      sections, [](const SectionData& s) { return s.stream != nullptr; });
  const unsigned threads = has_stream ? std::max(1U, jobs - 1) : jobs;
  ForEach(raw.size(), std::min(threads, packed), [&](size_t i) {
    if (raw[i].size() == 1)
      sections[i] = Load(raw[i][0], image);
    else if (!raw[i].empty())
      sections[i] = Join(raw[i], image);
  });
  for (size_t i = 0; i < names.size(); ++i)
    if (!sections[i].problem.empty())
      sections[i].problem =
          fmt::format("section {}: {}", names[i], sections[i].problem);
  return sections;
}

}  // namespace heapprof
