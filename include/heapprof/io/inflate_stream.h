// SPDX-License-Identifier: Apache-2.0
//
// Inflates a large buffer in its own thread, so that the first bytes can be
// read before the last ones are available. Inflate() is faster overall but
// returns nothing until it is done.
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

  // Starts to inflate `packed`, which must outlive the stream. Bytes become
  // available in pieces of `piece_size`. Returns nullptr if no thread can be
  // started or AllocateInflated() fails. The caller can then call Inflate(),
  // which needs no thread and returns the error.
  static std::unique_ptr<InflateStream> Start(Compression compression,
                                              std::span<const uint8_t> packed,
                                              uint64_t size,
                                              size_t piece_size = kPieceSize);
  // Stops the thread after its current piece, and waits for it.
  ~InflateStream();
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;

  // The memory for all inflated bytes. Read only those that WaitFor() has
  // confirmed.
  std::span<const uint8_t> bytes() const {
    return {inflated_.bytes.get(), inflated_.size};
  }
  // Waits for the first `count` bytes. Returns false if they will never come
  // because the stream is damaged or too short. Several threads may wait. A
  // waiting thread helps the inflating thread: it maps memory for the next
  // bytes and updates the checksum.
  bool WaitFor(uint64_t count);
  // Waits for the end. Returns true if the stream is valid and held exactly the
  // stated number of bytes. If it returns false, the caller must discard
  // everything it has read so far. It can call Inflate() to learn what is
  // wrong.
  bool Finish();
  // True if Finish() would return at once.
  bool has_ended() const { return state_.load() != State::kRunning; }

 private:
  enum class State : uint8_t { kRunning, kValid, kDamaged };

  InflateStream(bool has_checksum, InflatedBytes room,
                std::unique_ptr<PieceReader> reader, size_t piece_size);
  void Run(const std::stop_token& stop, size_t piece_size);
  bool IsKnown(uint64_t count) const {
    return available_.load() >= count || has_ended();
  }
  bool SupplyRoom();
  bool CheckMore();
  void AddToChecksum(uint64_t end);
  State RunToEnd(const std::stop_token& stop, size_t piece_size);

  // True for zlib data, which ends with a checksum.
  const bool has_checksum_;
  InflatedBytes inflated_;
  std::unique_ptr<PieceReader> reader_;
  // Held while `available_` or `state_` changes.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<uint64_t> available_ = 0;
  // SupplyRoom() maps no pages of the result before this offset, because
  // earlier calls have mapped them.
  std::atomic<uint64_t> supplied_ = 0;
  std::atomic<State> state_ = State::kRunning;
  std::mutex checksum_mutex_;  // protects the next two members
  uint64_t checked_ = 0;       // number of bytes in `checksum_`
  uint32_t checksum_ = 1;      // Adler-32 of these bytes
  std::jthread thread_;        // the last member: uses all others
};

}  // namespace heapprof
