// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/unpack.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/built_without.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

using namespace std::string_view_literals;

// How many bytes to inflate before calling the HeadCheck: enough to recognise
// most formats, and few enough to be quick.
constexpr size_t kHeadSize = size_t{64} << 10;
constexpr size_t kPieceSize = size_t{1} << 20;

std::unique_ptr<StreamDecoder> MakeDecoder(CompressedFormat format) {
  switch (format) {
    case CompressedFormat::kGzip:
      return MakeGzipDecoder();
    case CompressedFormat::kZstd:
      return MakeZstdDecoder();
    case CompressedFormat::kXz:
      return MakeXzDecoder();
    case CompressedFormat::kBzip2:
      return MakeBzip2Decoder();
  }
  return nullptr;
}

struct OptionalLibrary {
  std::string_view name;
  std::string_view option;  // of CMake
};

// Returns the library that a build may lack; gzip data can always be read.
OptionalLibrary LibraryFor(CompressedFormat format) {
  switch (format) {
    case CompressedFormat::kGzip:
      break;
    case CompressedFormat::kZstd:
      return {"zstd", "HEAPPROF_ZSTD"};
    case CompressedFormat::kXz:
      return {"liblzma", "HEAPPROF_LZMA"};
    case CompressedFormat::kBzip2:
      return {"bzip2", "HEAPPROF_BZIP2"};
  }
  return {};
}

// True if `bytes` begin with a zstd frame or a skippable frame. A skippable
// frame may precede a zstd frame; its little-endian magic number is 0x184D2A50
// to 0x184D2A5F.
bool LooksLikeZstd(std::string_view bytes) {
  return bytes.starts_with("\x28\xb5\x2f\xfd") ||
         (bytes.size() >= 4 && (bytes[0] & 0xf0) == 0x50 &&
          bytes.substr(1).starts_with("\x2a\x4d\x18"));
}

// True if `bytes` begin as a bzip2 stream does:
//   "BZh"
//   block size, '1' to '9'
//   6 bytes: magic number of a block, or of the end of the stream
bool LooksLikeBzip2(std::string_view bytes) {
  return bytes.starts_with("BZh") && bytes.size() > 3 && bytes[3] >= '1' &&
         bytes[3] <= '9' &&
         (bytes.size() < 10 ||
          bytes.substr(4, 6) == "\x31\x41\x59\x26\x53\x59" ||
          bytes.substr(4, 6) == "\x17\x72\x45\x38\x50\x90");
}

bool IsUniform(std::span<const char> bytes) {
  return std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

class Unpacker {
 public:
  Unpacker(CompressedFormat format, std::string_view packed, uint64_t max_size,
           const HeadCheck& check)
      : format_(format),
        packed_(packed),
        max_size_(max_size),
        check_(check),
        decoder_(MakeDecoder(format)) {}

  Result<Inflated> Run() {
    if (decoder_ == nullptr) return NoLibrary();
    bool goes_on = true;
    while (goes_on) {
      MakeRoom();
      goes_on = Advance();
      if (written_ > max_size_) return TooLarge();
      if (auto fits = CheckHead(!goes_on); !fits)
        return std::unexpected(fits.error());
      if (is_uniform_) return Uniform();
    }
    if (written_ == 0 && !result_.problem.empty())
      return Fail(ErrorKind::kBadFormat, std::move(result_.problem));
    result_.bytes.Resize(written_);
    return std::move(result_);
  }

 private:
  void MakeRoom() {
    ByteBuffer& out = result_.bytes;
    if (out.size() - written_ < kHeadSize)
      out.Resize(out.size() + std::max(out.size() / 2, kPieceSize));
  }

  // Inflates the next piece. Returns false at the end of the data or if they
  // are damaged.
  bool Advance() {
    const std::span<char> all(result_.bytes.data(), result_.bytes.size());
    const std::span<char> room =
        all.subspan(written_, std::min(all.size() - written_, kPieceSize));
    const StreamDecoder::Step step =
        decoder_->Decode(packed_.substr(consumed_), room);
    consumed_ += step.consumed;
    if (step.status == StreamDecoder::Status::kDamaged) consumed_ -= step.ahead;
    written_ += step.written;
    is_uniform_ = check_ && step.written == kPieceSize && IsUniform(room);
    if (step.status == StreamDecoder::Status::kDamaged) {
      result_.problem =
          fmt::format("{} data is damaged at byte {}{}{}", NameOf(format_),
                      consumed_, step.detail.empty() ? "" : ": ", step.detail);
      return false;
    }
    if (step.status == StreamDecoder::Status::kEnd) {
      if (FindCompressedFormat(packed_.substr(consumed_)) != format_)
        return false;
      decoder_->Restart();
      return true;
    }
    // If the room is full, the decoder may have more output even if there is no
    // more input.
    if (consumed_ < packed_.size() || step.written == room.size()) return true;
    result_.problem = fmt::format("{} data ends early, at byte {}",
                                  NameOf(format_), consumed_);
    return false;
  }

  Result<void> CheckHead(bool at_end) {
    if (is_checked_ || !check_ || written_ == 0 ||
        (written_ < kHeadSize && !at_end))
      return {};
    is_checked_ = true;
    return check_(result_.bytes.view().substr(0, written_), NameOf(format_));
  }

  std::unexpected<Error> NoLibrary() const {
    const auto [library, option] = LibraryFor(format_);
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{} data cannot be read, because {}; decompress it "
                            "first",
                            NameOf(format_), BuiltWithout(library, option)));
  }

  std::unexpected<Error> TooLarge() const {
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{} data inflates to more than {} bytes; if you "
                            "trust the file, decompress it first",
                            NameOf(format_), max_size_));
  }

  std::unexpected<Error> Uniform() const {
    return Fail(
        ErrorKind::kBadFormat,
        fmt::format(
            "{} data contains a single byte repeated for 1 MiB, which no "
            "profile does; if you trust the file, decompress it first",
            NameOf(format_)));
  }

  const CompressedFormat format_;
  const std::string_view packed_;
  const uint64_t max_size_;
  const HeadCheck& check_;
  const std::unique_ptr<StreamDecoder> decoder_;
  Inflated result_;
  size_t consumed_ = 0;
  size_t written_ = 0;
  bool is_checked_ = false;
  bool is_uniform_ = false;
};

}  // namespace

std::optional<CompressedFormat> FindCompressedFormat(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) return CompressedFormat::kGzip;
  if (LooksLikeZstd(bytes)) return CompressedFormat::kZstd;
  if (bytes.starts_with("\xfd\x37\x7a\x58\x5a\x00"sv))
    return CompressedFormat::kXz;
  if (LooksLikeBzip2(bytes)) return CompressedFormat::kBzip2;
  return std::nullopt;
}

std::string_view NameOf(CompressedFormat format) {
  switch (format) {
    case CompressedFormat::kGzip:
      return "gzip";
    case CompressedFormat::kZstd:
      return "zstd";
    case CompressedFormat::kXz:
      return "xz";
    case CompressedFormat::kBzip2:
      return "bzip2";
  }
  return "";
}

Result<Inflated> Unpack(CompressedFormat format, std::string_view packed,
                        uint64_t max_size, const HeadCheck& check) {
  return Unpacker(format, packed, max_size, check).Run();
}

}  // namespace heapprof
