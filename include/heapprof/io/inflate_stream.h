// SPDX-License-Identifier: Apache-2.0
//
// Inflates a large buffer in a thread of its own, so that its first bytes can
// be read before the last ones are there. Inflate() is faster, but has nothing
// to show before it has all.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>

#include "heapprof/io/inflate.h"

namespace heapprof {

class PieceReader;

class InflateStream {
 public:
  static constexpr size_t kPieceSize = 1 << 20;

  // `packed` must outlive the stream. nullptr if Inflate() would fail at once,
  // which says why, or if there is no thread. Bytes show in pieces of
  // `piece_size`.
  static std::unique_ptr<InflateStream> Start(Compression compression,
                                              std::span<const uint8_t> packed,
                                              uint64_t size,
                                              size_t piece_size = kPieceSize);
  // Ends the thread at the next piece.
  ~InflateStream();
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;

  // All bytes; those that WaitFor() has not promised are not there yet.
  std::span<const uint8_t> bytes() const {
    return {inflated_.bytes.get(), inflated_.size};
  }
  // Waits for the first `count` bytes. False if they will never come, since
  // the stream is damaged or ends before them. Any thread may wait. It does not
  // do so idly: it gets room for what is to come, and adds up checksums.
  bool WaitFor(uint64_t count);
  // Waits for the end. True if the stream is sound and held exactly the bytes
  // stated. What was read before counts for nothing otherwise; Inflate() says
  // what is wrong.
  bool Finish();
  // True if Finish() need not wait for bytes.
  bool has_ended() const { return state_.load() != State::kRunning; }

 private:
  enum class State : uint8_t { kRunning, kSound, kDamaged };

  InflateStream(bool has_checksum, InflatedBytes room,
                std::unique_ptr<PieceReader> reader, size_t piece_size);
  void Run(const std::stop_token& stop, size_t piece_size);
  bool IsSettled(uint64_t count) const {
    return available_.load() >= count || has_ended();
  }
  bool SupplyRoom();
  bool CheckMore();
  void AddToChecksum(uint64_t end);
  State RunToEnd(const std::stop_token& stop, size_t piece_size);

  const bool has_checksum_;  // that is for us to compare
  InflatedBytes inflated_;
  std::unique_ptr<PieceReader> reader_;
  std::mutex mutex_;  // of what is waited for
  std::condition_variable changed_;
  std::atomic<uint64_t> available_ = 0;
  std::atomic<uint64_t> supplied_ = 0;  // of the room
  std::atomic<State> state_ = State::kRunning;
  std::mutex checksum_mutex_;  // of the next two
  uint64_t checked_ = 0;       // the first bytes
  uint32_t checksum_ = 1;      // of these; see PieceReader
  std::jthread thread_;        // uses all others
};

}  // namespace heapprof
