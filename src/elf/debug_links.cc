// SPDX-License-Identifier: Apache-2.0
#include "elf/debug_links.h"

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <limits>

#include <fmt/core.h>
#include <gelf.h>
#include <libelf.h>

#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {
namespace {

constexpr size_t kMaxBuildIdSize = 64;

std::string ToHex(const uint8_t* bytes, size_t count) {
  std::string hex;
  for (size_t i = 0; i < count; ++i) hex += fmt::format("{:02x}", bytes[i]);
  return hex;
}

// `type` says whether the notes are padded to 4 bytes (ELF_T_NHDR) or to 8
// (ELF_T_NHDR8).
std::string FindBuildIdIn(Elf* elf, uint64_t offset, uint64_t size,
                          Elf_Type type) {
  if (offset > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return "";
  Elf_Data* data =
      elf_getdata_rawchunk(elf, static_cast<int64_t>(offset), size, type);
  if (data == nullptr || data->d_buf == nullptr) return "";
  const char* bytes = static_cast<const char*>(data->d_buf);
  GElf_Nhdr note;
  size_t name = 0;
  size_t content = 0;
  size_t at = 0;
  while ((at = gelf_getnote(data, at, &note, &name, &content)) > 0) {
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof "GNU" ||
        std::memcmp(bytes + name, "GNU", sizeof "GNU") != 0)
      continue;
    if (note.n_descsz == 0 || note.n_descsz > kMaxBuildIdSize) return "";
    return ToHex(reinterpret_cast<const uint8_t*>(bytes) + content,
                 note.n_descsz);
  }
  return "";
}

}  // namespace

// Tries both paddings, because the alignment of a PT_NOTE segment does not say
// which one is right: linkers may put notes that are padded to 4 bytes into a
// PT_NOTE with an alignment of 8.
std::string FindBuildId(Elf* elf, uint64_t offset, uint64_t size) {
  std::string id = FindBuildIdIn(elf, offset, size, ELF_T_NHDR);
  return id.empty() ? FindBuildIdIn(elf, offset, size, ELF_T_NHDR8) : id;
}

std::optional<DebugLink> ParseDebugLink(std::string_view content,
                                        bool big_endian) {
  const size_t length = content.find('\0');
  if (length == std::string_view::npos || length == 0) return std::nullopt;
  const size_t crc_at = (length + 4) & ~size_t{3};
  if (crc_at + 4 > content.size()) return std::nullopt;
  const std::string_view name = content.substr(0, length);
  if (name.find('/') != std::string_view::npos) return std::nullopt;
  uint32_t crc = 0;
  for (size_t i = 0; i < 4; ++i) {
    const size_t shift = 8 * (big_endian ? 3 - i : i);
    crc |= uint32_t{static_cast<uint8_t>(content[crc_at + i])} << shift;
  }
  return DebugLink{std::string(name), crc};
}

std::optional<AlternateLink> ParseAlternateLink(std::string_view content) {
  const size_t length = content.find('\0');
  if (length == std::string_view::npos || length == 0) return std::nullopt;
  const std::string_view id = content.substr(length + 1);
  if (id.empty() || id.size() > kMaxBuildIdSize) return std::nullopt;
  return AlternateLink{
      std::string(content.substr(0, length)),
      ToHex(reinterpret_cast<const uint8_t*>(id.data()), id.size())};
}

std::optional<SupplementaryLink> ParseSupplementaryLink(
    std::span<const uint8_t> content) {
  LittleEndianCursor cursor(content, 0);
  cursor.U16();  // version
  SupplementaryLink link = {.is_target = cursor.U8() != 0};
  link.path = cursor.String();
  const uint64_t size = cursor.Uleb();
  if (size == 0 || size > kMaxBuildIdSize) return std::nullopt;
  const std::span<const uint8_t> checksum = cursor.Bytes(size);
  if (!cursor.ok() || link.is_target != link.path.empty()) return std::nullopt;
  link.checksum = ToHex(checksum.data(), checksum.size());
  return link;
}

}  // namespace heapprof
