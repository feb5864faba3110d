// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <vector>

#include <isa-l/igzip_lib.h>

#include "io/deflater.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

class IsalDeflater : public Deflater {
 public:
  explicit IsalDeflater(ByteSink& out)
      : out_(out), buffer_(size_t{64} << 10), tables_(kTableSize) {
    isal_deflate_init(&stream_);
    stream_.level = kLevel;
    stream_.level_buf = tables_.data();
    stream_.level_buf_size = static_cast<uint32_t>(tables_.size());
    stream_.gzip_flag = IGZIP_GZIP;
  }
  IsalDeflater(const IsalDeflater&) = delete;
  IsalDeflater& operator=(const IsalDeflater&) = delete;

  void Compress(std::string_view bytes) override {
    while (!bytes.empty()) {
      const unsigned size = ClampToUnsigned(bytes.size());
      Run(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
  }
  void Finish() override {
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

std::unique_ptr<Deflater> MakeDeflater(ByteSink& out) {
  return std::make_unique<IsalDeflater>(out);
}

}  // namespace heapprof
