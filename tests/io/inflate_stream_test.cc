// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/inflate_stream.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "io/packed.h"

namespace heapprof {
namespace {

constexpr size_t kPiece = 1000;

std::string MixedText() {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += std::to_string(i * 7919 % 10007);
  return text;
}

// The first `count` bytes of a stream, after waiting for them.
std::string_view Start(const InflateStream& stream, uint64_t count) {
  return {reinterpret_cast<const char*>(stream.bytes().data()), count};
}

class InflateStreamTest : public testing::TestWithParam<Compression> {
 protected:
  static Packed PackText(const std::string& text) {
    return Pack(GetParam(), text);
  }
  static std::unique_ptr<InflateStream> Stream(const Packed& packed,
                                               uint64_t size,
                                               bool has_thread = true) {
    return InflateStream::Start(
        GetParam(), packed, size,
        {.has_thread = has_thread, .piece_size = kPiece});
  }
  // `packed` is not a valid stream of `text`, but all bytes that are read must
  // be a prefix of it.
  static void ExpectDamage(const Packed& packed, const std::string& text,
                           uint64_t size) {
    for (const bool has_thread : {true, false})
      ExpectDamageIn(*Stream(packed, size, has_thread), text, size);
  }

 private:
  static void ExpectDamageIn(InflateStream& stream, const std::string& text,
                             uint64_t size) {
    uint64_t there = 0;
    while (there < text.size() && stream.WaitFor(there + kPiece))
      there += kPiece;
    EXPECT_FALSE(stream.Finish());
    EXPECT_TRUE(stream.has_ended());
    EXPECT_FALSE(stream.WaitFor(size + 1));
    there = std::min<uint64_t>(there, text.size());
    EXPECT_TRUE(Start(stream, there) == text.substr(0, there));
  }
};

INSTANTIATE_TEST_SUITE_P(Compressions, InflateStreamTest,
                         testing::Values(Compression::kZlib,
                                         Compression::kZstd),
                         NameOfCompression);

TEST_P(InflateStreamTest, ReturnsTheOriginalBytesFromTheFirstOn) {
  for (const std::string& text : {std::string(), std::string("a"),
                                  std::string(kPiece, 'x'), MixedText()}) {
    const Packed packed = PackText(text);
    const auto stream = Stream(packed, text.size());
    ASSERT_NE(stream, nullptr);
    for (uint64_t at = 0; at < text.size(); at += 777) {
      ASSERT_TRUE(stream->WaitFor(at));
      ASSERT_TRUE(Start(*stream, at) == text.substr(0, at));
    }
    EXPECT_TRUE(stream->WaitFor(text.size()));
    EXPECT_FALSE(stream->WaitFor(text.size() + 1));
    EXPECT_TRUE(stream->Finish());
    EXPECT_TRUE(Start(*stream, text.size()) == text);
  }
}

TEST_P(InflateStreamTest, InflatesWithoutThreadWhatIsWaitedFor) {
  const std::string text = MixedText();
  const Packed packed = PackText(text);
  const auto stream = Stream(packed, text.size(), /*has_thread=*/false);
  ASSERT_NE(stream, nullptr);
  EXPECT_FALSE(stream->is_inflating());
  for (uint64_t at = 0; at < text.size(); at += 777) {
    ASSERT_TRUE(stream->WaitFor(at));
    ASSERT_TRUE(Start(*stream, at) == text.substr(0, at));
    const std::string_view later =
        Start(*stream, text.size())
            .substr(std::min<size_t>(at + kPiece, text.size()));
    ASSERT_EQ(later.find_first_not_of('\0'), later.npos) << at;
  }
  EXPECT_TRUE(stream->Finish());
  EXPECT_TRUE(Start(*stream, text.size()) == text);
}

TEST_P(InflateStreamTest, IsInvalidIfTheStatedSizeIsWrong) {
  const std::string text = MixedText();
  const Packed packed = PackText(text);
  for (const uint64_t size :
       {uint64_t{0}, uint64_t{1}, uint64_t{text.size() - kPiece},
        uint64_t{text.size() - 1}, uint64_t{text.size() + 1},
        uint64_t{2 * text.size()}}) {
    SCOPED_TRACE(size);
    ExpectDamage(packed, text.substr(0, std::min(size, text.size())), size);
  }
}

TEST_P(InflateStreamTest, IsInvalidIfItIsTruncated) {
  const std::string text = MixedText();
  const Packed sound = PackText(text);
  for (size_t cut = 0; cut < sound.size() / 2; cut += sound.size() / 9) {
    SCOPED_TRACE(cut);
    ExpectDamage(
        Packed(sound.begin(), sound.end() - 1 - static_cast<ptrdiff_t>(cut)),
        text, text.size());
  }
}

// Bytes before the damage, and maybe after it, can be read, but the stream must
// not count as valid.
TEST_P(InflateStreamTest, IsInvalidIfItIsDamaged) {
  const std::string text = MixedText();
  Packed packed = PackText(text);
  packed.resize(packed.size() - 4);  // zlib's checksum
  for (size_t at = 0; at < packed.size(); at += packed.size() / 9) {
    SCOPED_TRACE(at);
    packed[at] ^= 0xff;
    for (const bool has_thread : {true, false})
      EXPECT_FALSE(Stream(packed, text.size(), has_thread)->Finish());
    packed[at] ^= 0xff;
  }
}

TEST_P(InflateStreamTest, DoesNotStartIfThePackedBytesAreTooFew) {
  const Packed packed = PackText("x");
  for (const uint64_t size : {uint64_t{1} << 31, uint64_t{1} << 62, UINT64_MAX})
    EXPECT_EQ(Stream(packed, size), nullptr);
}

TEST_P(InflateStreamTest, LetsManyThreadsWait) {
  const std::string text = MixedText();
  const Packed packed = PackText(text);
  const auto stream = Stream(packed, text.size());
  std::vector<std::jthread> threads;
  std::vector<uint8_t> is_right(16);
  for (size_t i = 0; i < is_right.size(); ++i)
    threads.emplace_back([&, i] {
      const uint64_t count = text.size() * (i + 1) / is_right.size();
      is_right[i] = stream->WaitFor(count) &&
                    Start(*stream, count) == text.substr(0, count);
    });
  threads.clear();
  EXPECT_EQ(std::ranges::count(is_right, 1), 16);
  EXPECT_TRUE(stream->Finish());
}

// How many bytes of `memory` are in memory. Sanitizers need memory of their own
// for each byte, so the memory of the whole process says little.
size_t ResidentBytes(std::span<const uint8_t> memory) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<uintptr_t>(memory.data());
  const uintptr_t first = (start + page - 1) / page * page;
  std::vector<unsigned char> is_resident((start + memory.size() - first) /
                                         page);
  EXPECT_EQ(mincore(reinterpret_cast<void*>(first), is_resident.size() * page,
                    is_resident.data()),
            0);
  return page *
         static_cast<size_t>(std::ranges::count_if(
             is_resident, [](unsigned char flags) { return flags & 1; }));
}

// Reads `text`, and discards what was read.
void ExpectLittleMemory(Compression compression, const std::string& text,
                        const Packed& packed, bool has_thread) {
  constexpr size_t kStep = 1 << 20;
  size_t most = 0;
  const auto stream =
      InflateStream::Start(compression, packed, text.size(),
                           {.has_thread = has_thread, .most_ahead = 4 * kStep});
  ASSERT_NE(stream, nullptr);
  stream->Discard(0);
  for (size_t at = 0; at < text.size(); at += kStep) {
    ASSERT_TRUE(stream->WaitFor(at + kStep));
    const auto* bytes =
        reinterpret_cast<const char*>(stream->bytes().data()) + at;
    ASSERT_EQ(std::string_view(bytes, kStep),
              std::string_view(text).substr(at, kStep));
    stream->Discard(at + kStep);
    most = std::max(most, ResidentBytes(stream->bytes()));
  }
  EXPECT_TRUE(stream->Finish());
  EXPECT_GT(most, kStep);
  EXPECT_LT(most, 32 * kStep);
}

TEST_P(InflateStreamTest, NeedsLittleMemoryIfWhatWasReadIsDiscarded) {
  std::string text(64 << 20, 'x');
  std::mt19937 random(1);
  for (size_t i = 0; i < text.size(); i += 16)
    text[i] = static_cast<char>(random());
  const Packed packed = PackText(text);
  for (const bool has_thread : {true, false})
    ExpectLittleMemory(GetParam(), text, packed, has_thread);
}

// A reader may need more than the stream would inflate ahead.
TEST_P(InflateStreamTest, InflatesWhateverIsWaitedForOrEverythingAtTheEnd) {
  const std::string text = MixedText();
  const Packed packed = PackText(text);
  for (const bool waits : {true, false}) {
    const auto stream =
        InflateStream::Start(GetParam(), packed, text.size(),
                             {.piece_size = kPiece, .most_ahead = kPiece});
    ASSERT_NE(stream, nullptr);
    stream->Discard(0);
    if (waits) {
      EXPECT_TRUE(stream->WaitFor(text.size()));
      EXPECT_TRUE(Start(*stream, text.size()) == text);
    }
    EXPECT_TRUE(stream->Finish());
  }
}

TEST_P(InflateStreamTest, StopsWhileItIsPaused) {
  const std::string text = MixedText();
  const Packed packed = PackText(text);
  // On a busy machine, everything may be inflated before Discard() is called.
  constexpr int kAttempts = 100;
  bool was_paused = false;
  for (int i = 0; i < kAttempts && !was_paused; ++i) {
    const auto stream =
        InflateStream::Start(GetParam(), packed, text.size(),
                             {.piece_size = kPiece, .most_ahead = kPiece});
    ASSERT_NE(stream, nullptr);
    stream->Discard(0);
    while (stream->is_inflating()) std::this_thread::yield();
    was_paused = !stream->has_ended();
  }
  EXPECT_TRUE(was_paused);
}

TEST_P(InflateStreamTest, ReportsThePackedBytesThatItHasRead) {
  const std::string text = MixedText();
  const Packed packed = PackText(text);
  size_t reported = 0;
  InflateStream::Start(GetParam(), packed, text.size(),
                       {.on_consumed =
                            [&](std::span<const uint8_t> bytes) {
                              EXPECT_EQ(bytes.data(), packed.data() + reported);
                              reported += bytes.size();
                            }})
      ->Finish();
  EXPECT_GT(reported, packed.size() - 16);
  EXPECT_LE(reported, packed.size());
}

TEST_P(InflateStreamTest, StopsEarlyWhenItIsDestroyed) {
  const std::string zeros(32 << 20, '\0');
  const Packed packed = PackText(zeros);
  const auto cpu_time = [&](auto use) {
    const std::clock_t begin = std::clock();  // CPU time of all threads
    use(Stream(packed, zeros.size()));
    return std::clock() - begin;
  };
  const auto whole =
      cpu_time([](auto stream) { EXPECT_TRUE(stream->Finish()); });
  // On a busy machine, everything may be inflated before this thread runs
  // again.
  constexpr int kAttempts = 100;
  int attempts = 0;
  while (attempts < kAttempts && 3 * cpu_time([](auto) {}) > whole) ++attempts;
  while (attempts < kAttempts && 3 * cpu_time([](auto stream) {
                                   EXPECT_TRUE(stream->WaitFor(1));
                                 }) > whole)
    ++attempts;
  EXPECT_LT(attempts, kAttempts);
}

TEST(ZlibStreamTest, ComparesTheChecksum) {
  const std::string text = MixedText();
  Packed packed = Pack(Compression::kZlib, text);
  packed.back() ^= 1;
  const auto stream = InflateStream::Start(Compression::kZlib, packed,
                                           text.size(), {.piece_size = kPiece});
  EXPECT_TRUE(stream->WaitFor(text.size() - kPiece));
  EXPECT_FALSE(stream->Finish());
}

// One bit of an unused Huffman code is wrong, which some libraries reject. The
// result must not depend on the number of threads.
TEST(ZlibStreamTest, AcceptsTheSameStreamsAsInflate) {
  const std::string text = "ccbbccccccccbaccc";
  const Packed packed = {0x78, 0x01, 0x05, 0xc1, 0x01, 0x01, 0x00, 0x00,
                         0x00, 0x82, 0xa0, 0xad, 0xc9, 0xff, 0x0f, 0x05,
                         0x05, 0xd0, 0x70, 0x3b, 0x12, 0x06, 0x8f};
  for (const uint64_t size : {text.size() - 1, text.size(), text.size() + 1}) {
    const bool is_right = size == text.size();
    const auto stream = InflateStream::Start(Compression::kZlib, packed, size);
    EXPECT_EQ(stream->Finish(), is_right) << size;
    const auto inflated = Inflate(Compression::kZlib, packed, size);
    EXPECT_EQ(inflated.has_value(), is_right) << size;
    if (inflated) {
      EXPECT_TRUE(std::equal(text.begin(), text.end(), inflated->bytes.get()));
    }
  }
}

TEST(ZstdStreamTest, AcceptsConsecutiveFrames) {
  const std::string text = MixedText();
  Packed packed = Pack(Compression::kZstd, text);
  const Packed second = Pack(Compression::kZstd, "end");
  packed.insert(packed.end(), second.begin(), second.end());
  const auto stream = InflateStream::Start(
      Compression::kZstd, packed, text.size() + 3, {.piece_size = kPiece});
  EXPECT_TRUE(stream->Finish());
  EXPECT_TRUE(Start(*stream, text.size() + 3) == text + "end");
}

}  // namespace
}  // namespace heapprof
