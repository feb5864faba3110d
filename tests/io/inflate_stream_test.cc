// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/inflate_stream.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>
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

// The first `count` bytes of a stream that promised them.
std::string_view Start(const InflateStream& stream, uint64_t count) {
  return {reinterpret_cast<const char*>(stream.bytes().data()), count};
}

class InflateStreamTest : public testing::TestWithParam<Compression> {
 protected:
  static Packed PackText(const std::string& text) {
    return Pack(GetParam(), text);
  }
  static std::unique_ptr<InflateStream> Stream(const Packed& packed,
                                               uint64_t size) {
    return InflateStream::Start(GetParam(), packed, size, kPiece);
  }
  // `packed` is no stream of `text`, but what comes is what was packed.
  static void ExpectDamage(const Packed& packed, const std::string& text,
                           uint64_t size) {
    const auto stream = Stream(packed, size);
    ASSERT_NE(stream, nullptr);
    uint64_t there = 0;
    while (there < text.size() && stream->WaitFor(there + kPiece))
      there += kPiece;
    EXPECT_FALSE(stream->Finish());
    EXPECT_TRUE(stream->has_ended());
    EXPECT_FALSE(stream->WaitFor(size + 1));
    there = std::min<uint64_t>(there, text.size());
    EXPECT_TRUE(Start(*stream, there) == text.substr(0, there));
  }
};

INSTANTIATE_TEST_SUITE_P(Compressions, InflateStreamTest,
                         testing::Values(Compression::kZlib,
                                         Compression::kZstd),
                         NameOfCompression);

TEST_P(InflateStreamTest, ShowsWhatWasPackedFromTheFirstByteOn) {
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

TEST_P(InflateStreamTest, IsNotSoundIfTheStatedSizeIsWrong) {
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

TEST_P(InflateStreamTest, IsNotSoundIfItIsCutOff) {
  const std::string text = MixedText();
  const Packed sound = PackText(text);
  for (size_t cut = 0; cut < sound.size() / 2; cut += sound.size() / 9) {
    SCOPED_TRACE(cut);
    ExpectDamage(
        Packed(sound.begin(), sound.end() - 1 - static_cast<ptrdiff_t>(cut)),
        text, text.size());
  }
}

// Up to the damage, and maybe beyond it, there are bytes; what counts is that
// they are not taken for sound.
TEST_P(InflateStreamTest, IsNotSoundIfItIsDamaged) {
  const std::string text = MixedText();
  Packed packed = PackText(text);
  packed.resize(packed.size() - 4);  // zlib's checksum
  for (size_t at = 0; at < packed.size(); at += packed.size() / 9) {
    SCOPED_TRACE(at);
    packed[at] ^= 0xff;
    const auto stream = Stream(packed, text.size());
    EXPECT_FALSE(stream->Finish());
    packed[at] ^= 0xff;
  }
}

TEST_P(InflateStreamTest, IsNotBegunIfSoFewBytesCannotHoldTheSize) {
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

TEST_P(InflateStreamTest, EndsEarlyWhenItIsNoLongerWanted) {
  const std::string zeros(32 << 20, '\0');
  const Packed packed = PackText(zeros);
  const auto cpu_time = [&](auto use) {
    const std::clock_t begin = std::clock();  // of all threads
    use(Stream(packed, zeros.size()));
    return std::clock() - begin;
  };
  const auto whole =
      cpu_time([](auto stream) { EXPECT_TRUE(stream->Finish()); });
  // On a busy machine all may be inflated before this thread's next turn.
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
  const auto stream =
      InflateStream::Start(Compression::kZlib, packed, text.size(), kPiece);
  EXPECT_TRUE(stream->WaitFor(text.size() - kPiece));
  EXPECT_FALSE(stream->Finish());
}

// One bit of a Huffman code that is not used is wrong: libdeflate alone refuses
// that. What is read must not depend on the number of threads.
TEST(ZlibStreamTest, TakesWhatInflateTakes) {
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

TEST(ZstdStreamTest, TakesFramesThatFollowEachOther) {
  const std::string text = MixedText();
  Packed packed = Pack(Compression::kZstd, text);
  const Packed second = Pack(Compression::kZstd, "end");
  packed.insert(packed.end(), second.begin(), second.end());
  const auto stream =
      InflateStream::Start(Compression::kZstd, packed, text.size() + 3, kPiece);
  EXPECT_TRUE(stream->Finish());
  EXPECT_TRUE(Start(*stream, text.size() + 3) == text + "end");
}

}  // namespace
}  // namespace heapprof
