// SPDX-License-Identifier: Apache-2.0
#include "index/index_strings.h"

#include <algorithm>
#include <array>

#include "index/index_format.h"
#include "index/index_memo.h"

namespace heapprof {
namespace {

// Reading a string adds this to the budget, then subtracts the size of the
// string and of its demangled form. Nearly all strings of a valid index are
// smaller than this, so the budget does not shrink.
constexpr uint64_t kBytesPerString = 8 << 10;

// The strings of a block up to the wanted one. Each consists of a prefix that
// it shares with the previous string, and of a rest.
class FrontCoded {
 public:
  // Adds the next string of the block. `shared` is the size of the prefix.
  // Returns false if the previous string is shorter than the prefix.
  bool Add(uint64_t shared, std::span<const uint8_t> rest) {
    if (shared > size_) return false;
    pieces_[count_++] = {shared, rest.data()};
    size_ = shared + rest.size();
    return true;
  }
  // The size of the last string.
  size_t size() const { return size_; }
  std::string_view Assemble(TextStore& texts) const;

 private:
  struct Piece {
    size_t shared;
    const uint8_t* rest;
  };
  std::array<Piece, kStringsPerBlock> pieces_;  // count_ of them have a value
  size_t count_ = 0;
  size_t size_ = 0;
};

// Assembles the last string from the pieces. Goes from its end to its start, so
// that each byte is copied only once.
std::string_view FrontCoded::Assemble(TextStore& texts) const {
  const std::span<char> text = texts.Make(size_);
  size_t end = size_;
  for (const Piece* piece = pieces_.data() + count_; end > 0;) {
    --piece;
    if (piece->shared >= end) continue;
    std::copy_n(piece->rest, end - piece->shared, text.data() + piece->shared);
    end = piece->shared;
  }
  return {text.data(), text.size()};
}

}  // namespace

LittleEndianCursor IndexStrings::BlockOf(uint32_t number) const {
  LittleEndianCursor offset(
      blocks_, uint64_t{number / kStringsPerBlock} * sizeof(uint32_t));
  const uint32_t start = offset.U32();
  return offset.ok() ? LittleEndianCursor(strings_, start)
                     : LittleEndianCursor({}, 1);
}

void IndexStrings::Prefetch(uint32_t number) const {
  constexpr uint64_t kUsualSize = 512;
  constexpr uint64_t kCacheLine = 64;
  LittleEndianCursor block = BlockOf(number);
  const auto bytes = block.Bytes(std::min(block.remaining(), kUsualSize));
  for (size_t i = 0; i < bytes.size(); i += kCacheLine)
    __builtin_prefetch(bytes.data() + i);
}

// Takes the size of a string from the budget. Returns false if it is larger.
bool IndexStrings::Spend(size_t size) {
  budget_ += kBytesPerString;
  if (size > budget_) return false;
  budget_ -= size;
  return true;
}

std::optional<IndexString> IndexStrings::Get(uint32_t number,
                                             TextStore& texts) {
  if (known_ != nullptr)
    if (const IndexString* found = known_->Find(number)) {
      if (!Spend(found->text.size() + found->demangled.size()))
        return std::nullopt;
      return *found;
    }
  LittleEndianCursor block = BlockOf(number);
  FrontCoded text;
  FrontCoded demangled;
  bool has_demangled = false;
  for (size_t i = 0; i <= number % kStringsPerBlock; ++i) {
    const uint64_t shared = block.Uleb();
    const uint64_t size = block.Uleb();
    has_demangled = (size & 1) != 0;
    if (!text.Add(shared, block.Bytes(size >> 1))) return std::nullopt;
    if (!has_demangled) continue;
    const uint64_t demangled_shared = block.Uleb();
    if (!demangled.Add(demangled_shared, block.Bytes(block.Uleb())))
      return std::nullopt;
  }
  if (!block.ok() || !Spend(text.size() + demangled.size()))
    return std::nullopt;
  IndexString string = {text.Assemble(texts), {}};
  if (has_demangled) string.demangled = demangled.Assemble(texts);
  return string;
}

}  // namespace heapprof
