// SPDX-License-Identifier: Apache-2.0
#include "heapprof/index/index_file.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/little_endian_cursor.h"
#include "index/content_hash.h"
#include "index/index_format.h"
#include "index/index_query.h"
#include "index/indexed_binary.h"

namespace heapprof {
namespace {

std::string_view TextOf(std::span<const uint8_t> index, IndexSection section) {
  const auto bytes = SectionOf(index, section);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<IndexFile> IndexFile::Open(std::span<const uint8_t> bytes,
                                  unsigned jobs) {
  auto index = OpenUnchecked(bytes);
  if (!index) return index;
  if (auto whole = index->CheckContent(jobs); !whole)
    return std::unexpected(whole.error());
  return index;
}

Result<IndexFile> IndexFile::OpenUnchecked(std::span<const uint8_t> bytes) {
  LittleEndianCursor cursor(bytes);
  const auto magic = cursor.Bytes(kIndexMagic.size());
  if (!std::ranges::equal(magic, kIndexMagic, {}, {},
                          [](char c) { return static_cast<uint8_t>(c); }))
    return Fail(ErrorKind::kOtherFormat, "not an index");
  const uint32_t version = cursor.U32();
  if (version != kIndexVersion)
    return Fail(ErrorKind::kOtherFormat,
                fmt::format("an index of version {}, expected {}", version,
                            kIndexVersion));
  cursor.Skip(kHashedFrom - cursor.offset());
  const uint64_t size = cursor.U64();
  if (!cursor.ok() || size != bytes.size())
    return Fail(ErrorKind::kBadFormat, "the index is cut off");
  for (size_t i = 0; i < kSectionCount; ++i) {
    const uint64_t offset = cursor.U64();
    const uint64_t length = cursor.U64();
    if (!cursor.ok() || offset > size || length > size - offset)
      return Fail(ErrorKind::kBadFormat, "the index has a damaged header");
  }
  return IndexFile(bytes);
}

Result<void> IndexFile::CheckContent(unsigned jobs) const {
  LittleEndianCursor cursor(bytes_, kHashOffset);
  ContentHash hash = {};
  for (uint64_t& word : hash) word = cursor.U64();
  if (HashContent(bytes_.subspan(kHashedFrom), jobs) != hash)
    return Fail(ErrorKind::kBadFormat, "the index is damaged");
  return {};
}

bool IndexFile::has_map() const {
  return LittleEndianCursor(SectionOf(bytes_, IndexSection::kInfo)).U64() != 0;
}

std::string_view IndexFile::key() const {
  return TextOf(bytes_, IndexSection::kKey);
}

std::string_view IndexFile::label() const {
  return TextOf(bytes_, IndexSection::kLabel);
}

std::string_view IndexFile::split_files() const {
  return TextOf(bytes_, IndexSection::kSplitFiles);
}

bool IndexFile::is_portable() const {
  return !SectionOf(bytes_, IndexSection::kBinary).empty();
}

Result<IndexedBinary> IndexFile::binary() const {
  return DecodeBinary(SectionOf(bytes_, IndexSection::kBinary));
}

ReturnAddressSet IndexFile::return_addresses() const {
  return ReturnAddressSet(SectionOf(bytes_, IndexSection::kReturnAddresses));
}

std::vector<std::pair<uint64_t, uint64_t>> IndexFile::UnnamedFunctions() const {
  LittleEndianCursor cursor(SectionOf(bytes_, IndexSection::kUnnamedFunctions));
  std::vector<std::pair<uint64_t, uint64_t>> functions;
  uint64_t end = 0;
  while (!cursor.AtEnd()) {
    const uint64_t start = end + cursor.Uleb();
    const uint64_t before = std::exchange(end, start + cursor.Uleb());
    const bool is_sound = cursor.ok() && start >= before && end > start;
    if (!is_sound) break;
    functions.emplace_back(start, end);
  }
  return functions;
}

std::optional<ResolvedAddresses> IndexFile::Resolve(
    std::span<const uint64_t> addresses, unsigned jobs, IndexMemo* memo) const {
  return IndexQuery(bytes_, jobs, memo).Run(addresses);
}

}  // namespace heapprof
