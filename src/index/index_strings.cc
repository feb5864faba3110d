// SPDX-License-Identifier: Apache-2.0
#include "index/index_strings.h"

#include "heapprof/base/little_endian_cursor.h"
#include "index/index_format.h"

namespace heapprof {
namespace {

// More than those of sound indexes take.
constexpr uint64_t kBytesPerString = 8 << 10;

}  // namespace

std::optional<std::string> IndexStrings::Get(uint32_t number) {
  const uint64_t block = number / kStringsPerBlock;
  LittleEndianCursor offset(blocks_, block * sizeof(uint32_t));
  LittleEndianCursor text(strings_, offset.U32());
  text_.clear();
  budget_ += kBytesPerString;
  for (size_t i = 0; i <= number % kStringsPerBlock; ++i) {
    const uint64_t shared = text.Uleb();
    const std::span<const uint8_t> rest = text.Bytes(text.Uleb());
    const uint64_t size = shared + rest.size();
    if (!offset.ok() || !text.ok() || shared > text_.size() || size > budget_)
      return std::nullopt;
    budget_ -= size;
    text_.resize(shared);
    text_.append(reinterpret_cast<const char*>(rest.data()), rest.size());
  }
  return text_;
}

}  // namespace heapprof
