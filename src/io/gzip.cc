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

#include "heapprof/base/helper_thread.h"
#include "io/deflater.h"

namespace heapprof {

// A queue of blocks. Whichever thread has time compresses the first one; only
// one thread does so at a time.
class GzipStream::Compressor {
 public:
  Compressor(ByteSink& out, bool may_start_thread)
      : deflater_(MakeDeflater(out)), may_start_thread_(may_start_thread) {}

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
    deflater_->Finish();
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
    deflater_->Compress(block);
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

  const std::unique_ptr<Deflater> deflater_;
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
