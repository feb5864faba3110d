// SPDX-License-Identifier: Apache-2.0
#include "index/function_records.h"

#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

FunctionRecords::FunctionRecords(std::span<const uint8_t> info,
                                 std::span<const uint8_t> functions,
                                 std::span<const uint8_t> variants)
    : functions_(functions), variants_(variants) {
  LittleEndianCursor cursor(info, kFunctionFieldsOffset);
  for (size_t& size : field_sizes_) {
    size = cursor.U8() % (sizeof(uint64_t) + 1);
    record_size_ += size;
  }
  if (record_size_ != 0) function_count_ = functions.size() / record_size_;
}

bool FunctionRecords::Read(uint64_t number, FunctionRecord& record) const {
  if (number >= function_count_) {
    const uint64_t variant = number - function_count_;
    if (variant >= variant_count()) return false;
    LittleEndianCursor cursor(variants_, variant * kVariantSize);
    cursor.U32();
    number = cursor.U32();
    if (number >= function_count_) return false;
  }
  LittleEndianCursor cursor(functions_, number * record_size_);
  std::array<uint64_t, kFunctionFields> fields = {};
  for (size_t i = 0; i < kFunctionFields; ++i)
    fields[i] = cursor.Unsigned(field_sizes_[i]);
  record = {.number = static_cast<uint32_t>(number),
            .name = static_cast<uint32_t>(fields[0] >> 1),
            .is_scoped = (fields[0] & 1) != 0,
            .file = static_cast<uint32_t>(fields[1]),
            .start_line = static_cast<uint32_t>(fields[2]),
            .code_file = static_cast<uint32_t>(fields[3])};
  return cursor.ok();
}

uint32_t FunctionRecords::GroupOf(uint32_t variant) const {
  return LittleEndianCursor(variants_,
                            (variant - function_count_) * kVariantSize)
      .U32();
}

}  // namespace heapprof
