// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/zstd.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <zstd.h>

namespace heapprof {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

bool LooksLikeZstd(std::string_view bytes) {
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return true;
  // Little-endian 0x184D2A50 to 0x184D2A5F.
  return bytes.size() >= 4 && (bytes[0] & 0xf0) == 0x50 &&
         bytes.substr(1).starts_with("\x2a\x4d\x18");
}

Result<Inflated> Unzstd(std::string_view compressed, uint64_t max_size) {
  const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (context == nullptr)
    return Fail(ErrorKind::kIo, "zstd cannot be initialised");
  Inflated result;
  std::string& out = result.bytes;
  ZSTD_inBuffer in = {compressed.data(), compressed.size(), 0};
  size_t written = 0;
  for (;;) {
    if (out.size() - written < (size_t{64} << 10))
      out.resize(std::max<size_t>(out.size() * 2, size_t{1} << 20));
    ZSTD_outBuffer room = {out.data(), out.size(), written};
    const size_t status = ZSTD_decompressStream(context.get(), &room, &in);
    written = room.pos;
    if (written > max_size) {
      return Fail(
          ErrorKind::kBadFormat,
          fmt::format("zstd data inflates to more than {} bytes; if it is no "
                      "bomb, unpack it first",
                      max_size));
    }
    if (ZSTD_isError(status) != 0) {
      result.problem = fmt::format("zstd data is damaged at byte {}: {}",
                                   in.pos, ZSTD_getErrorName(status));
      break;
    }
    if (status == 0) {
      if (!LooksLikeZstd(compressed.substr(in.pos))) break;
    } else if (in.pos == in.size && room.pos < room.size) {
      // With no room left, there may be output that needs no more input.
      result.problem = fmt::format("zstd data ends early, at byte {}", in.pos);
      break;
    }
  }
  if (written == 0 && !result.problem.empty())
    return Fail(ErrorKind::kBadFormat, std::move(result.problem));
  out.resize(written);
  return result;
}

}  // namespace heapprof
