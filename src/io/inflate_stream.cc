// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/inflate_stream.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "heapprof/base/large_pages.h"
#include "heapprof/io/inflate.h"
#include "io/inflate_pieces.h"
#include "io/memory_window.h"

namespace heapprof {
namespace {

// How much memory is mapped ahead of the bytes that have been inflated, and how
// much at a time.
constexpr uint64_t kMostSupply = 16 << 20;
constexpr uint64_t kSupply = 2 << 20;

}  // namespace

std::unique_ptr<InflateStream> InflateStream::Start(
    Compression compression, std::span<const uint8_t> packed, uint64_t size,
    InflateStreamOptions options) {
  auto reader = OpenPieces(compression, packed);
  if (reader == nullptr || !CheckInflatedSize(packed.size(), size))
    return nullptr;
  try {
    return std::unique_ptr<InflateStream>(
        new InflateStream(compression == Compression::kZlib, packed, size,
                          std::move(reader), std::move(options)));
  } catch (const std::system_error&) {
    return nullptr;  // no thread could be started
  }
}

InflateStream::InflateStream(bool has_checksum, std::span<const uint8_t> packed,
                             uint64_t size, std::unique_ptr<PieceReader> reader,
                             InflateStreamOptions options)
    : has_checksum_(has_checksum),
      packed_(packed),
      options_(std::move(options)),
      inflated_(std::make_unique<MemoryWindow>(size)),
      reader_(std::move(reader)) {
  MakeRoom(0);
  if (options_.has_thread)
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

InflateStream::~InflateStream() = default;

std::span<const uint8_t> InflateStream::bytes() const {
  return {inflated_->data(), inflated_->size()};
}

void InflateStream::Run(const std::stop_token& stop) {
  while (!stop.stop_requested() && !has_ended()) {
    InflatePiece();
    PauseIfFarAhead(stop);
  }
}

void InflateStream::InflatePiece() {
  const std::span all(inflated_->data(), inflated_->size());
  const size_t filled = available_.load();
  // After the stated number of bytes, ask for one more, because the stream may
  // hold more bytes than stated.
  const bool is_full = filled == all.size();
  uint8_t surplus = 0;
  const std::span<uint8_t> room =
      is_full ? std::span(&surplus, 1)
              : all.subspan(filled,
                            std::min(options_.piece_size, all.size() - filled));
  const PieceReader::Piece piece = reader_->Read(room);
  if (piece.status == PieceReader::Status::kDamaged ||
      (is_full && piece.size != 0))
    return End(State::kDamaged);
  const size_t now_filled = filled + piece.size;
  if (piece.status == PieceReader::Status::kEnd)
    return End(now_filled == all.size() ? State::kValid : State::kDamaged);
  MakeRoom(now_filled);
  {
    const std::scoped_lock lock(mutex_);
    available_ = now_filled;
  }
  changed_.notify_all();
  ReportConsumed(/*is_last=*/false);
}

void InflateStream::End(State state) {
  ReportConsumed(/*is_last=*/true);
  {
    const std::scoped_lock lock(mutex_);
    state_ = state;
  }
  changed_.notify_all();
}

// Makes the room writable that follows the first `filled` bytes: for the next
// piece, and for what other threads may map ahead of it.
void InflateStream::MakeRoom(uint64_t filled) {
  const uint64_t ahead =
      std::max<uint64_t>(options_.piece_size, kMostSupply + kSupply);
  inflated_->Extend(std::min<uint64_t>(inflated_->size(), filled + ahead));
}

// Reports in steps, because each report may cost a system call.
void InflateStream::ReportConsumed(bool is_last) {
  constexpr size_t kStep = 4 << 20;
  const size_t consumed = reader_->consumed();
  if (!options_.on_consumed || (!is_last && consumed - reported_ < kStep))
    return;
  options_.on_consumed(packed_.subspan(reported_, consumed - reported_));
  reported_ = consumed;
}

void InflateStream::PauseIfFarAhead(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto may_go_on = [&] {
    return has_ended() || !discarded_ ||
           available_.load() <= *discarded_ + options_.most_ahead ||
           available_.load() < wanted_;
  };
  if (may_go_on()) return;
  is_paused_ = true;
  resumed_.wait(lock, stop, may_go_on);
  is_paused_ = false;
}

// Lets the stream inflate `count` bytes, however far ahead they are.
void InflateStream::Want(uint64_t count) {
  {
    const std::scoped_lock lock(mutex_);
    wanted_ = std::max(wanted_, count);
  }
  resumed_.notify_one();
}

void InflateStream::Discard(uint64_t end) {
  if (has_checksum_) {
    const std::scoped_lock lock(checksum_mutex_);
    if (checked_ < end) AddToChecksum(end);
  }
  uint64_t start = 0;
  {
    const std::scoped_lock lock(mutex_);
    start = discarded_.value_or(0);
    discarded_ = std::max(start, end);
  }
  resumed_.notify_one();
  inflated_->Free(start, end);
}

// Maps the next pages of the result before the inflating thread writes to them.
// This saves that thread the page faults, which would take much of its time.
// Returns false if enough pages are mapped, or if no more can be.
bool InflateStream::SupplyRoom() {
  uint64_t at = supplied_.load();
  const uint64_t available = available_.load();
  // Skip the pages that the inflating thread is filling right now, because it
  // is too late to map them.
  const uint64_t next = std::max(at, available + kSupply);
  if (next >= std::min<uint64_t>(inflated_->size(), available + kMostSupply))
    return false;
  const uint64_t end = std::min<uint64_t>(next + kSupply, inflated_->size());
  if (!supplied_.compare_exchange_strong(at, end)) return true;
  return SupplyPages(inflated_->data() + next, end - next);
}

void InflateStream::AddToChecksum(uint64_t end) {
  const std::span bytes(inflated_->data() + checked_, end - checked_);
  checksum_ = Adler32(checksum_, bytes);
  checked_ = end;
}

// Adds up to 1 MiB of the inflated bytes to the checksum. Returns false if the
// data have no checksum, if the checksum already covers all bytes inflated so
// far, or if another thread is updating it.
bool InflateStream::CheckMore() {
  constexpr uint64_t kStep = 1 << 20;
  if (!has_checksum_) return false;
  const std::unique_lock lock(checksum_mutex_, std::try_to_lock);
  if (!lock) return false;
  const uint64_t there = available_;
  if (checked_ == there) return false;
  AddToChecksum(std::min(there, checked_ + kStep));
  return true;
}

bool InflateStream::WaitFor(uint64_t count) {
  Want(count);
  while (!options_.has_thread && !IsKnown(count)) {
    InflatePiece();
    CheckMore();  // while the piece is in the cache
  }
  while (!IsKnown(count) && (SupplyRoom() || CheckMore())) {
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return IsKnown(count); });
  return state_ == State::kValid ? count <= inflated_->size()
                                 : available_.load() >= count;
}

bool InflateStream::Finish() {
  Want(UINT64_MAX);
  while (!options_.has_thread && !has_ended()) InflatePiece();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_ended(); });
  }
  if (state_ != State::kValid) return false;
  const std::optional<uint32_t> expected = reader_->checksum();
  if (!expected) return true;
  const std::scoped_lock lock(checksum_mutex_);
  AddToChecksum(inflated_->size());
  return checksum_ == *expected;
}

}  // namespace heapprof
