// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/gzip.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "heapprof/base/helper_thread.h"
#include "heapprof/base/put_number.h"
#include "io/deflater.h"

namespace heapprof {

// A queue of parts of the stream. Whichever thread has time compresses the
// first one that no thread has taken, and writes those that are next.
class GzipStream::Compressor {
 public:
  Compressor(ByteSink& out, bool may_start_thread)
      : out_(out), may_start_thread_(may_start_thread) {
    out_.Append(kHeader);
  }

  ~Compressor() {
    std::unique_lock lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
    lock.unlock();
    helper_.reset();  // waits until the thread ends
  }

  void Append(std::string_view block) {
    while (!block.empty()) {
      const size_t size = std::min(block.size(), kPartSize - rest_.size());
      rest_ += block.substr(0, size);
      block.remove_prefix(size);
      if (rest_.size() < kPartSize) return;
      if (may_start_thread_ && !helper_) helper_.emplace([this] { Help(); });
      Push(/*is_last=*/false);
    }
  }

  void Finish() {
    Push(/*is_last=*/true);
    std::unique_lock lock(mutex_);
    while (!parts_.empty() || is_writing_)
      if (!CompressNext(lock)) changed_.wait(lock);
    std::string end;
    PutNumber(end, checksum_, 4);
    PutNumber(end, size_ & UINT32_MAX, 4);
    out_.Append(end);
  }

 private:
  struct Part {
    std::string before;
    std::string bytes;
    bool is_last = false;
    std::optional<std::string> packed = {};
  };

  static constexpr size_t kPartSize = size_t{512} << 10;
  static constexpr size_t kMostWaiting = 8;

  // Adds rest_ to the queue.
  void Push(bool is_last) {
    checksum_ = Crc32(rest_, checksum_);
    size_ += rest_.size();
    std::string window(rest_,
                       rest_.size() - std::min(rest_.size(), kDeflateWindow));
    std::unique_lock lock(mutex_);
    parts_.push_back({.before = std::exchange(window_, std::move(window)),
                      .bytes = std::exchange(rest_, {}),
                      .is_last = is_last});
    changed_.notify_all();
    while (parts_.size() > kMostWaiting)
      if (!CompressNext(lock)) changed_.wait(lock);
  }

  // Returns false if threads have taken all parts.
  bool CompressNext(std::unique_lock<std::mutex>& lock) {
    if (taken_ == parts_.size()) return false;
    Part& part = parts_[taken_++];
    lock.unlock();
    std::string packed = DeflatePart(part.before, part.bytes, part.is_last);
    part.bytes = {};
    lock.lock();
    part.packed = std::move(packed);
    WriteNext(lock);
    changed_.notify_all();
    return true;
  }

  // Writes the parts at the front that are compressed.
  void WriteNext(std::unique_lock<std::mutex>& lock) {
    while (!is_writing_ && !parts_.empty() && parts_.front().packed) {
      const std::string packed = *std::move(parts_.front().packed);
      parts_.pop_front();
      --taken_;
      is_writing_ = true;
      lock.unlock();
      out_.Append(packed);
      lock.lock();
      is_writing_ = false;
    }
  }

  void Help() {
    std::unique_lock lock(mutex_);
    while (!is_closed_)
      if (!CompressNext(lock)) changed_.wait(lock);
  }

  // DEFLATE, no name, no time, Unix.
  static constexpr std::string_view kHeader{"\x1f\x8b\x08\0\0\0\0\0\0\3", 10};

  ByteSink& out_;
  const bool may_start_thread_;
  std::string rest_;    // not in the queue yet
  std::string window_;  // what is before it
  uint32_t checksum_ = 0;
  uint64_t size_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Part> parts_;
  size_t taken_ = 0;  // how many of them threads have taken
  bool is_writing_ = false;
  bool is_closed_ = false;
  std::optional<HelperThread> helper_;
};

GzipStream::GzipStream(ByteSink& out, bool may_start_thread)
    : compressor_(std::make_unique<Compressor>(out, may_start_thread)) {}

GzipStream::~GzipStream() = default;

void GzipStream::Append(std::string_view block) { compressor_->Append(block); }

void GzipStream::Finish() { compressor_->Finish(); }

}  // namespace heapprof
