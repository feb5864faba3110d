// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/package_index.h"

#include <algorithm>
#include <ranges>

#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

std::optional<PackageIndex> PackageIndex::Read(
    std::span<const uint8_t> section) {
  // There are 8 kinds of sections.
  constexpr uint64_t kMostColumns = 8;
  LittleEndianCursor in(section);
  const uint32_t version = in.U16();
  in.U16();
  const uint64_t columns = in.U32();
  const uint64_t rows = in.U32();
  const uint64_t slots = in.U32();
  // All numbers are below 2^32 and there are few columns, so that no product
  // overflows.
  const bool is_known = version == 2 || version == 5;
  if (!in.ok() || !is_known || columns > kMostColumns ||
      (columns == 0 && rows != 0))
    return std::nullopt;
  PackageIndex index;
  LittleEndianCursor ids = in.Take(8 * slots);
  LittleEndianCursor numbers = in.Take(4 * slots);
  for (uint64_t i = 0; i < columns; ++i) index.kinds_.push_back(in.U32());
  index.offsets_ = in.Bytes(4 * columns * rows);
  index.sizes_ = in.Bytes(4 * columns * rows);
  if (!in.ok()) return std::nullopt;
  for (uint64_t i = 0; i < slots; ++i) {
    const uint64_t id = ids.U64();
    const uint32_t row = numbers.U32();
    if (row > rows) return std::nullopt;
    if (row != 0) index.rows_.try_emplace(id, row - 1);
  }
  return index;
}

std::vector<uint64_t> PackageIndex::UnitIds() const {
  const auto ids = std::views::keys(rows_);
  return {ids.begin(), ids.end()};
}

PackageIndex::Contribution PackageIndex::Find(uint64_t unit_id,
                                              PackageSection kind) const {
  const auto column = std::ranges::find(kinds_, static_cast<uint32_t>(kind));
  if (column == kinds_.end()) return {};
  const uint64_t at = 4 * (uint64_t{rows_.at(unit_id)} * kinds_.size() +
                           static_cast<uint64_t>(column - kinds_.begin()));
  return {LittleEndianCursor(offsets_, at).U32(),
          LittleEndianCursor(sizes_, at).U32()};
}

}  // namespace heapprof
