// SPDX-License-Identifier: Apache-2.0
//
// Inflates a large buffer so that the first bytes can be read before the last
// ones are available: in its own thread, or step by step in that of its reader.
// A reader that needs each byte only once can discard what it has read; then
// memory for a part of the bytes is enough.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>

#include "heapprof/io/compression.h"

namespace heapprof {

class MemoryWindow;
class PieceReader;

struct InflateStreamOptions {
  // False: bytes are inflated when they are waited for, by the thread that
  // waits. Only one thread may use such a stream.
  bool has_thread = true;
  // Bytes become available in pieces of this size.
  size_t piece_size = 1 << 20;
  // See Discard().
  uint64_t most_ahead = 96 << 20;
  // Called by the inflating thread with packed bytes that it has read.
  std::function<void(std::span<const uint8_t>)> on_consumed = {};
};

class InflateStream {
 public:
  // Starts to inflate `packed`, which must outlive the stream. Returns nullptr
  // if no thread can be started or CheckInflatedSize() fails. The caller can
  // then call Inflate(), which needs no thread and returns the error.
  static std::unique_ptr<InflateStream> Start(
      Compression compression, std::span<const uint8_t> packed, uint64_t size,
      InflateStreamOptions options = {});
  // Stops the thread after its current piece, and waits for it.
  ~InflateStream();
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;

  // Room for all inflated bytes. Read only those that WaitFor() has
  // confirmed.
  std::span<const uint8_t> bytes() const;
  // Waits for the first `count` bytes. Returns false if they will never come
  // because the stream is damaged or too short. If the stream has a thread,
  // several others may wait. They help it: they map memory for the next bytes
  // and update the checksum.
  bool WaitFor(uint64_t count);
  // Frees the memory of the first `end` bytes, which WaitFor() must have
  // confirmed. No thread may read them any more. From the first call on, the
  // stream pauses when it is more than `most_ahead` bytes past `end` and past
  // all bytes that a thread has waited for.
  void Discard(uint64_t end);
  // Waits for the end. Returns true if the stream is valid and held exactly the
  // stated number of bytes. If it returns false, the caller must not use
  // anything that it has read so far. It can call Inflate() to learn what is
  // wrong.
  bool Finish();
  // False if the stream has no thread, has ended or is paused.
  bool is_inflating() const {
    return options_.has_thread && !has_ended() && !is_paused_.load();
  }
  // True if Finish() would return at once.
  bool has_ended() const { return state_.load() != State::kRunning; }

 private:
  enum class State : uint8_t { kRunning, kValid, kDamaged };

  InflateStream(bool has_checksum, std::span<const uint8_t> packed,
                uint64_t size, std::unique_ptr<PieceReader> reader,
                InflateStreamOptions options);
  void Run(const std::stop_token& stop);
  void InflatePiece();
  void End(State state);
  bool IsKnown(uint64_t count) const {
    return available_.load() >= count || has_ended();
  }
  void Want(uint64_t count);
  void PauseIfFarAhead(const std::stop_token& stop);
  void MakeRoom(uint64_t filled);
  void ReportConsumed(bool is_last);
  bool SupplyRoom();
  bool CheckMore();
  void AddToChecksum(uint64_t end);

  // True for zlib data, which ends with a checksum.
  const bool has_checksum_;
  const std::span<const uint8_t> packed_;
  const InflateStreamOptions options_;
  size_t reported_ = 0;  // number of bytes of packed_ given to on_consumed
  std::unique_ptr<MemoryWindow> inflated_;
  std::unique_ptr<PieceReader> reader_;
  // Held while one of the next members, `available_` or `state_` changes.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable_any resumed_;
  std::atomic<bool> is_paused_ = false;
  std::optional<uint64_t> discarded_;  // nothing before the first Discard()
  uint64_t wanted_ = 0;                // the most bytes ever waited for
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
