// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/gzip.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include "heapprof/base/helper_thread.h"
#include "heapprof/base/out_of_memory.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

// ISA-L's stream. Writes no time stamp, so that equal input gives equal output.
class Deflater {
 public:
  explicit Deflater(ByteSink& out)
      : out_(out), buffer_(size_t{64} << 10), tables_(kTableSize) {
    isal_deflate_init(&stream_);
    stream_.level = kLevel;
    stream_.level_buf = tables_.data();
    stream_.level_buf_size = static_cast<uint32_t>(tables_.size());
    stream_.gzip_flag = IGZIP_GZIP;
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void Compress(std::string_view bytes) {
    while (!bytes.empty()) {
      const unsigned size = ClampToUnsigned(bytes.size());
      Run(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
  }
  void Finish() {
    stream_.end_of_stream = 1;
    Run({});
  }

 private:
  // The highest level, which is twice as fast as zlib's level 4. The small
  // table makes the output smaller, because it makes shorter blocks.
  static constexpr uint32_t kLevel = 3;
  static constexpr size_t kTableSize = ISAL_DEF_LVL3_SMALL;

  void Run(std::string_view bytes) {
    // The library takes its input through a non-const pointer and only reads.
    stream_.next_in =
        reinterpret_cast<uint8_t*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uint32_t>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<uint8_t*>(buffer_.data());
      stream_.avail_out = static_cast<uint32_t>(buffer_.size());
      isal_deflate(&stream_);
      out_.Append({buffer_.data(), buffer_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  ByteSink& out_;
  std::vector<char> buffer_;
  std::vector<uint8_t> tables_;
  isal_zstream stream_ = {};
};

}  // namespace

uint32_t Crc32(std::string_view bytes) {
  return crc32_gzip_refl(0, reinterpret_cast<const uint8_t*>(bytes.data()),
                         bytes.size());
}

// A queue of blocks. Whichever thread has time compresses the first one; only
// one thread does so at a time.
class GzipStream::Compressor {
 public:
  Compressor(ByteSink& out, bool may_start_thread)
      : deflater_(out), may_start_thread_(may_start_thread) {}

  ~Compressor() {
    std::unique_lock lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
    lock.unlock();
    helper_.reset();  // waits until the thread ends
  }

  void Append(std::string_view block) {
    if (block.empty()) return;
    if (!last_.empty()) {
      if (may_start_thread_ && !helper_) helper_.emplace([this] { Help(); });
      Push(std::exchange(last_, {}));
    }
    last_ = block;
  }

  void Finish() {
    Push(std::move(last_));
    std::unique_lock lock(mutex_);
    while (is_busy_ || !waiting_.empty())
      if (!CompressNext(lock)) changed_.wait(lock);
    deflater_.Finish();
  }

 private:
  static constexpr size_t kMostWaiting = 8;

  void Push(std::string block) {
    std::unique_lock lock(mutex_);
    waiting_.push_back(std::move(block));
    changed_.notify_all();
    while (waiting_.size() > kMostWaiting)
      if (!CompressNext(lock)) changed_.wait(lock);
  }

  // Returns false if there is no block or another thread is compressing.
  bool CompressNext(std::unique_lock<std::mutex>& lock) {
    if (is_busy_ || waiting_.empty()) return false;
    is_busy_ = true;
    const std::string block = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    deflater_.Compress(block);
    lock.lock();
    is_busy_ = false;
    changed_.notify_all();
    return true;
  }

  void Help() {
    std::unique_lock lock(mutex_);
    while (!is_closed_)
      if (!CompressNext(lock)) changed_.wait(lock);
  }

  Deflater deflater_;
  const bool may_start_thread_;
  std::string last_;  // not in the queue yet; a lone block needs no thread
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  bool is_busy_ = false;
  bool is_closed_ = false;
  std::optional<HelperThread> helper_;
};

GzipStream::GzipStream(ByteSink& out, bool may_start_thread)
    : compressor_(std::make_unique<Compressor>(out, may_start_thread)) {}

GzipStream::~GzipStream() = default;

void GzipStream::Append(std::string_view block) { compressor_->Append(block); }

void GzipStream::Finish() { compressor_->Finish(); }

}  // namespace heapprof
