// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/gzip.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

namespace heapprof {
namespace {

constexpr int kGzipWindowBits = 15 + 16;  // 15 = largest window, +16 = gzip

struct InflateEnd {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

uInt ClampToUInt(size_t size) {
  return static_cast<uInt>(
      std::min<size_t>(size, std::numeric_limits<uInt>::max()));
}

// zlib takes its input through a non-const pointer but never writes to it.
Bytef* AsInput(const char* data) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(data));
}

}  // namespace

bool LooksLikeGzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

Result<Inflated> Gunzip(std::string_view compressed, uint64_t max_size) {
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipWindowBits) != Z_OK)
    return Fail(ErrorKind::kIo, "zlib cannot be initialised");
  const std::unique_ptr<z_stream, InflateEnd> guard(&stream);

  Inflated result;
  std::string& out = result.bytes;
  size_t consumed = 0;
  size_t written = 0;
  for (;;) {
    if (out.size() - written < (size_t{64} << 10))
      out.resize(std::max<size_t>(out.size() * 2, size_t{1} << 20));
    stream.next_in = AsInput(compressed.data() + consumed);
    stream.avail_in = ClampToUInt(compressed.size() - consumed);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
    stream.avail_out = ClampToUInt(out.size() - written);
    const uInt in_before = stream.avail_in;
    const uInt out_before = stream.avail_out;
    const int status = inflate(&stream, Z_NO_FLUSH);
    consumed += in_before - stream.avail_in;
    written += out_before - stream.avail_out;
    if (written > max_size) {
      return Fail(
          ErrorKind::kBadFormat,
          fmt::format("gzip data inflates to more than {} bytes; if it is no "
                      "bomb, unpack it first",
                      max_size));
    }
    if (status == Z_STREAM_END) {
      if (!LooksLikeGzip(compressed.substr(consumed))) break;
      inflateReset(&stream);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      result.problem = fmt::format("gzip data is damaged at byte {}", consumed);
      break;
    } else if (consumed == compressed.size() && stream.avail_out != 0) {
      // With no room left, there may be output that needs no more input.
      result.problem =
          fmt::format("gzip data ends early, at byte {}", consumed);
      break;
    }
  }
  if (written == 0 && !result.problem.empty())
    return Fail(ErrorKind::kBadFormat, std::move(result.problem));
  out.resize(written);
  return result;
}

uint32_t Crc32(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string Gzip(std::string_view bytes) {
  z_stream stream = {};
  constexpr int kMemoryLevel = 9;
  deflateInit2(&stream, Z_BEST_SPEED + 5, Z_DEFLATED, kGzipWindowBits,
               kMemoryLevel, Z_DEFAULT_STRATEGY);
  std::string out;
  size_t consumed = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    constexpr size_t kChunk = size_t{256} << 10;
    const size_t before = out.size();
    out.resize(before + kChunk);
    stream.next_in = AsInput(bytes.data() + consumed);
    stream.avail_in = ClampToUInt(bytes.size() - consumed);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = kChunk;
    const uInt in_before = stream.avail_in;
    const bool last = consumed + in_before == bytes.size();
    status = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    consumed += in_before - stream.avail_in;
    out.resize(before + kChunk - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace heapprof
