// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/range_list.h"

#include <dwarf.h>

namespace heapprof {

bool RangeListReader::ReadList(const FormValue& ranges,
                               std::vector<AddressRange>& out) {
  const auto offset = reader_.RangeListOf(ranges);
  return offset && ReadList(*offset, out);
}

bool RangeListReader::ReadList(uint64_t offset,
                               std::vector<AddressRange>& out) {
  return reader_.unit().encoding.version >= 5 ? ReadNewList(offset, out)
                                              : ReadOldList(offset, out);
}

void RangeListReader::ReadPair(uint64_t low_pc, const FormValue& high_pc,
                               std::vector<AddressRange>& out) {
  if (!IsAddressForm(high_pc.form)) {
    if (high_pc.number <= UINT64_MAX - low_pc)
      Add(low_pc, low_pc + high_pc.number, out);
  } else if (const auto end = reader_.AddressOf(high_pc)) {
    Add(low_pc, *end, out);
  }
}

bool RangeListReader::ReadOldList(uint64_t offset,
                                  std::vector<AddressRange>& out) {
  const size_t size = reader_.unit().encoding.address_size;
  const uint64_t base_mark = size == 8 ? UINT64_MAX : UINT32_MAX;
  uint64_t base = reader_.unit().base_address;
  LittleEndianCursor cursor(reader_.sections().ranges, offset);
  while (budget_ > 0) {
    --budget_;
    const uint64_t start = cursor.Unsigned(size);
    const uint64_t end = cursor.Unsigned(size);
    if (!cursor.ok()) return false;
    if (start == 0 && end == 0) return true;
    if (start == base_mark) {
      base = end;
    } else {
      Add(base + start, base + end, out);
    }
  }
  return false;
}

bool RangeListReader::ReadNewList(uint64_t offset,
                                  std::vector<AddressRange>& out) {
  const size_t size = reader_.unit().encoding.address_size;
  uint64_t base = reader_.unit().base_address;
  LittleEndianCursor cursor(reader_.sections().range_lists, offset);
  const auto address_at_index = [&] {
    const FormValue index{.form = DW_FORM_addrx, .number = cursor.Uleb()};
    return reader_.AddressOf(index).value_or(0);
  };
  while (budget_ > 0) {
    --budget_;
    uint64_t start = 0;
    uint64_t end = 0;
    switch (cursor.U8()) {
      case DW_RLE_end_of_list:
        return cursor.ok();
      case DW_RLE_base_addressx:
        base = address_at_index();
        continue;
      case DW_RLE_base_address:
        base = cursor.Unsigned(size);
        continue;
      case DW_RLE_startx_endx:
        start = address_at_index();
        end = address_at_index();
        break;
      case DW_RLE_startx_length:
        start = address_at_index();
        end = start + cursor.Uleb();
        break;
      case DW_RLE_offset_pair:
        start = base + cursor.Uleb();
        end = base + cursor.Uleb();
        break;
      case DW_RLE_start_end:
        start = cursor.Unsigned(size);
        end = cursor.Unsigned(size);
        break;
      case DW_RLE_start_length:
        start = cursor.Unsigned(size);
        end = start + cursor.Uleb();
        break;
      default:
        return false;
    }
    if (!cursor.ok()) return false;
    Add(start, end, out);
  }
  return false;
}

}  // namespace heapprof
