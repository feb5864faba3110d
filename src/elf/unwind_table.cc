// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/unwind_table.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string_view>

#include <dwarf.h>

#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {
namespace {

// Keeps a damaged file from filling the memory. Chromium has a tenth of it.
constexpr size_t kMostEntries = size_t{1} << 23;
// How all linkers encode the rows of .eh_frame_hdr: two numbers of 4 bytes,
// relative to the start of the section.
constexpr uint8_t kRowEncoding = DW_EH_PE_datarel | DW_EH_PE_sdata4;
constexpr size_t kRowSize = 8;
// All that is read of an entry is before this; only a damaged CIE has more.
constexpr size_t kMostOfEntry = 64;

// Reads numbers that are encoded as `DW_EH_PE_*` says.
class Reader {
 public:
  // `bytes` are those at file address `start`.
  Reader(std::span<const uint8_t> bytes, uint64_t start, bool is_64_bit)
      : cursor_(bytes), start_(start), is_64_bit_(is_64_bit) {}

  LittleEndianCursor& cursor() { return cursor_; }
  uint64_t address() const { return start_ + cursor_.offset(); }

  // Returns nothing at the end, and for encodings that no compiler uses here.
  std::optional<uint64_t> Number(uint8_t encoding) {
    const uint64_t number = ReadNumber(encoding);
    return cursor_.ok() ? std::optional(number) : std::nullopt;
  }

  // Reads an address that is absolute or relative to its own place.
  std::optional<uint64_t> Address(uint8_t encoding) {
    const uint64_t place = address();
    const std::optional<uint64_t> number = Number(encoding);
    const int relation = encoding & ~kFormat;
    if (!number || (relation != DW_EH_PE_absptr && relation != DW_EH_PE_pcrel))
      return std::nullopt;
    const uint64_t sum = relation == DW_EH_PE_pcrel ? place + *number : *number;
    return is_64_bit_ ? sum : static_cast<uint32_t>(sum);
  }

 private:
  static constexpr int kFormat = 0x0f;

  uint64_t ReadNumber(uint8_t encoding) {
    switch (encoding & kFormat) {
      case DW_EH_PE_absptr:
        return is_64_bit_ ? cursor_.U64() : cursor_.U32();
      case DW_EH_PE_udata2:
        return cursor_.U16();
      case DW_EH_PE_udata4:
        return cursor_.U32();
      case DW_EH_PE_udata8:
      case DW_EH_PE_sdata8:
        return cursor_.U64();
      case DW_EH_PE_sdata2:
        return static_cast<uint64_t>(int64_t{cursor_.Read<int16_t>()});
      case DW_EH_PE_sdata4:
        return static_cast<uint64_t>(int64_t{cursor_.Read<int32_t>()});
      default:
        cursor_.Skip(cursor_.remaining() + 1);  // no longer ok()
        return 0;
    }
  }

  LittleEndianCursor cursor_;
  uint64_t start_;
  bool is_64_bit_;
};

// Returns how the FDEs of a CIE encode addresses. `cie` begins with its length.
std::optional<uint8_t> AddressEncoding(Reader cie) {
  LittleEndianCursor& cursor = cie.cursor();
  cursor.Skip(4);
  const bool is_cie = cursor.U32() == 0;
  const uint8_t version = cursor.U8();
  const std::string_view augmentation = cursor.String();
  if (!cursor.ok() || !is_cie || (version != 1 && version != 3))
    return std::nullopt;
  if (augmentation.empty()) return uint8_t{DW_EH_PE_absptr};
  if (!augmentation.starts_with('z')) return std::nullopt;
  cursor.SkipLeb();  // code alignment
  cursor.SkipLeb();  // data alignment
  if (version == 1)
    cursor.Skip(1);  // return address register
  else
    cursor.SkipLeb();
  cursor.SkipLeb();  // size of what follows
  for (const char c : augmentation.substr(1)) {
    if (c == 'S' || c == 'B' || c == 'G') continue;  // nothing follows
    const uint8_t encoding = cursor.U8();
    if (c == 'R') return cursor.ok() ? std::optional(encoding) : std::nullopt;
    const bool is_known =
        c == 'L' || (c == 'P' && cie.Number(encoding).has_value());
    if (!is_known) return std::nullopt;
  }
  return uint8_t{DW_EH_PE_absptr};
}

// Reads entries of .eh_frame.
class EntryReader {
 public:
  // `bytes` are .eh_frame, which is at file address `start`.
  EntryReader(const ElfImage& image, std::span<const uint8_t> bytes,
              uint64_t start)
      : image_(image), bytes_(bytes), start_(start) {}

  // Returns the addresses of the FDE at file address `address`; nothing if
  // there is none or if it makes no sense.
  std::optional<std::pair<uint64_t, uint64_t>> RangeAt(uint64_t address) {
    Reader fde = ReaderAt(address);
    fde.cursor().Skip(4);  // its length
    const uint64_t place = fde.address();
    const uint32_t distance = fde.cursor().U32();
    // In a CIE, it is 0.
    if (!fde.cursor().ok() || distance == 0) return std::nullopt;
    const std::optional<uint8_t> encoding = EncodingOf(place - distance);
    if (!encoding) return std::nullopt;
    const std::optional<uint64_t> start = fde.Address(*encoding);
    // Has the size of an address, but is not relative to anything.
    const std::optional<uint64_t> size = fde.Number(*encoding);
    if (!start || !size || *size == 0 || *size > UINT64_MAX - *start)
      return std::nullopt;
    const uint64_t end = *start + *size;
    if (!image_.IsExecutable(*start) || !image_.IsExecutable(end - 1))
      return std::nullopt;
    return std::pair(*start, end);
  }

 private:
  // Keeps the last result, because neighbours have one CIE.
  std::optional<uint8_t> EncodingOf(uint64_t cie) {
    if (cie != cie_) encoding_ = AddressEncoding(ReaderAt(cie));
    cie_ = cie;
    return encoding_;
  }

  Reader ReaderAt(uint64_t address) const {
    const bool is_inside =
        address >= start_ && address - start_ < bytes_.size();
    const std::span<const uint8_t> from = is_inside
                                              ? bytes_.subspan(address - start_)
                                              : std::span<const uint8_t>();
    return {from.first(std::min(from.size(), kMostOfEntry)), address,
            image_.is_64_bit()};
  }

  const ElfImage& image_;
  std::span<const uint8_t> bytes_;
  uint64_t start_;
  uint64_t cie_ = 0;
  std::optional<uint8_t> encoding_;
};

}  // namespace

UnwindTable::UnwindTable(const ElfImage& image) : image_(&image) {
  if (image.is_big_endian()) return;
  const UnwindPlaces& places = image.unwind_places();
  if (ReadHeader(places.search_table)) return;
  entries_start_ = places.entries;
  entries_ = image.BytesFrom(places.entries);
  entries_ =
      entries_.first(std::min<uint64_t>(entries_.size(), places.entries_size));
  ReadEntries();
}

// Reads .eh_frame_hdr. Returns false if it is not usable.
bool UnwindTable::ReadHeader(uint64_t address) {
  Reader header(image_->BytesFrom(address), address, image_->is_64_bit());
  const uint8_t version = header.cursor().U8();
  const uint8_t entries_encoding = header.cursor().U8();
  const uint8_t count_encoding = header.cursor().U8();
  const uint8_t row_encoding = header.cursor().U8();
  const std::optional<uint64_t> entries = header.Address(entries_encoding);
  const std::optional<uint64_t> count = header.Number(count_encoding);
  if (version != 1 || !entries || !count || row_encoding != kRowEncoding ||
      *count == 0 || *count > header.cursor().remaining() / kRowSize)
    return false;
  entries_start_ = *entries;
  entries_ = image_->BytesFrom(*entries);
  base_ = address;
  rows_ = header.cursor().Bytes(*count * kRowSize);
  return true;
}

// Reads the addresses of all FDEs.
void UnwindTable::ReadEntries() {
  LittleEndianCursor cursor(entries_);
  EntryReader entries(*image_, entries_, entries_start_);
  while (!cursor.AtEnd() && ranges_.size() < kMostEntries) {
    const uint64_t address = entries_start_ + cursor.offset();
    const uint32_t length = cursor.U32();
    cursor.Skip(length);
    if (!cursor.ok()) break;
    // Length 0 ends the entries of an object file; others may follow.
    if (length == 0) continue;
    if (const auto range = entries.RangeAt(address)) ranges_.push_back(*range);
  }
  std::ranges::sort(ranges_);
}

std::optional<UnwindTable::AddressRange> UnwindTable::Candidate(
    uint64_t address) const {
  if (rows_.empty()) {
    const auto after =
        std::ranges::upper_bound(ranges_, address, {}, &AddressRange::first);
    return after == ranges_.begin() ? std::nullopt
                                    : std::optional(*std::prev(after));
  }
  const auto rows = std::views::iota(size_t{0}, row_count());
  const auto after = static_cast<size_t>(
      std::ranges::upper_bound(rows, address, {},
                               [this](size_t row) { return Row(row).first; }) -
      rows.begin());
  return after == 0 ? std::nullopt : RangeOfRow(after - 1);
}

size_t UnwindTable::row_count() const { return rows_.size() / kRowSize; }

std::pair<uint64_t, uint64_t> UnwindTable::Row(size_t row) const {
  LittleEndianCursor cursor(rows_, row * kRowSize);
  const auto next = [&] {
    const uint64_t sum =
        base_ + static_cast<uint64_t>(int64_t{cursor.Read<int32_t>()});
    return image_->is_64_bit() ? sum : static_cast<uint32_t>(sum);
  };
  const uint64_t start = next();
  return {start, next()};
}

std::optional<UnwindTable::AddressRange> UnwindTable::RangeOfRow(
    size_t row) const {
  const auto [start, fde] = Row(row);
  const auto range =
      EntryReader(*image_, entries_, entries_start_).RangeAt(fde);
  return range && range->first == start ? range : std::nullopt;
}

std::optional<uint64_t> UnwindTable::FindStart(uint64_t address) const {
  const std::optional<AddressRange> range = Candidate(address);
  const bool covers =
      range && range->first <= address && address < range->second;
  return covers ? std::optional(range->first) : std::nullopt;
}

std::vector<UnwindTable::AddressRange> UnwindTable::Functions() const {
  if (rows_.empty()) return ranges_;
  std::vector<AddressRange> functions;
  for (size_t row = 0; row < std::min(row_count(), kMostEntries); ++row)
    if (const auto range = RangeOfRow(row)) functions.push_back(*range);
  std::ranges::sort(functions);
  return functions;
}

}  // namespace heapprof
