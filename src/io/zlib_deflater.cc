// SPDX-License-Identifier: Apache-2.0
//
// In place of isal_deflater.cc, for a build without ISA-L.
#include <cstddef>
#include <vector>

#include <zlib.h>

#include "heapprof/base/out_of_memory.h"
#include "io/deflater.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

class ZlibDeflater : public Deflater {
 public:
  explicit ZlibDeflater(ByteSink& out) : out_(out), buffer_(size_t{64} << 10) {
    // 16 more than the size of the window: with gzip's header and checksum.
    constexpr int kGzip = 16 + MAX_WBITS;
    constexpr int kMemoryLevel = 8;  // zlib's default
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzip, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      FailAllocation();
  }
  ZlibDeflater(const ZlibDeflater&) = delete;
  ZlibDeflater& operator=(const ZlibDeflater&) = delete;
  ~ZlibDeflater() override { deflateEnd(&stream_); }

  void Compress(std::string_view bytes) override {
    while (!bytes.empty()) {
      const unsigned size = ClampToUnsigned(bytes.size());
      Run(bytes.substr(0, size), Z_NO_FLUSH);
      bytes.remove_prefix(size);
    }
  }
  void Finish() override { Run({}, Z_FINISH); }

 private:
  // Makes output of about the size that ISA-L makes.
  static constexpr int kLevel = 4;

  void Run(std::string_view bytes, int flush) {
    // The library takes its input through a non-const pointer and only reads.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, flush);
      out_.Append({buffer_.data(), buffer_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  ByteSink& out_;
  std::vector<char> buffer_;
  z_stream stream_ = {};
};

}  // namespace

std::unique_ptr<Deflater> MakeDeflater(ByteSink& out) {
  return std::make_unique<ZlibDeflater>(out);
}

}  // namespace heapprof
