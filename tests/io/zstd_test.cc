// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <zstd.h>

#include "heapprof/io/unpack.h"
#include "io/packed.h"

namespace heapprof {
namespace {

using namespace std::string_view_literals;

// RFC 8878, section 3.1.2: a magic number, a size of 3, and 3 bytes.
constexpr std::string_view kSkippable = "\x5a\x2a\x4d\x18\x03\0\0\0abc"sv;

std::string Zstd(std::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  constexpr int kLevel = 3;
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(),
                              bytes.size(), kLevel));
  return packed;
}

std::string ZstdText(std::string_view packed) {
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kZstd, packed, kNoLimit);
  if (!inflated) return "error: " + inflated.error().message;
  EXPECT_EQ(inflated->problem, "");
  return std::string(inflated->bytes.view());
}

TEST(UnzstdTest, ReadsTheOutputOfZstd) {
  EXPECT_EQ(ZstdText(Zstd("")), "");
  EXPECT_EQ(ZstdText(Zstd("hello\n")), "hello\n");
  const std::string random = RandomBytes(3 << 20);
  EXPECT_TRUE(ZstdText(Zstd(random)) == random);
  const std::string zeros(5 << 20, '\0');
  EXPECT_TRUE(ZstdText(Zstd(zeros)) == zeros);
}

TEST(UnzstdTest, JoinsFramesAndSkipsSkippableOnes) {
  const std::string skippable(kSkippable);
  EXPECT_EQ(ZstdText(skippable + Zstd("one ") + Zstd("") + skippable +
                     Zstd("two") + std::string(64, '\0')),
            "one two");
}

TEST(UnzstdTest, SavesAPrefixOfATruncatedStreamAndSaysSo) {
  const std::string original = RandomBytes(300 << 10) + std::string(999, 'x');
  const std::string packed = Zstd(original);
  size_t saved = 0;
  for (size_t size = 4; size < packed.size(); size += 1009) {
    const Result<Inflated> inflated =
        Unpack(CompressedFormat::kZstd,
               std::string_view(packed).substr(0, size), kNoLimit);
    const std::string problem =
        "zstd data ends early, at byte " + std::to_string(size);
    if (!inflated) {
      EXPECT_EQ(inflated.error().message, problem);
      EXPECT_EQ(saved, 0u);
      continue;
    }
    EXPECT_EQ(inflated->problem, problem);
    EXPECT_GE(inflated->bytes.size(), saved);
    EXPECT_TRUE(original.starts_with(inflated->bytes.view()));
    saved = inflated->bytes.size();
  }
  EXPECT_GT(saved, original.size() / 2);
}

TEST(UnzstdTest, FailsOnDamageThatLeavesNothingAndSaysWhatItIs) {
  std::string damaged = Zstd("hello\n");
  damaged[4] = static_cast<char>(0x08);  // a reserved bit
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kZstd, damaged, kNoLimit);
  ASSERT_FALSE(inflated);
  EXPECT_EQ(inflated.error().kind, ErrorKind::kBadFormat);
  EXPECT_EQ(inflated.error().message.substr(0, 31),
            "zstd data is damaged at byte 0:");
}

TEST(UnzstdTest, KeepsTheFramesBeforeADamagedOne) {
  const std::string whole = Zstd("hello\n");
  std::string damaged = whole;
  damaged[4] = static_cast<char>(0x08);
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kZstd, whole + damaged, kNoLimit);
  ASSERT_TRUE(inflated);
  EXPECT_EQ(inflated->bytes.view(), "hello\n");
  EXPECT_TRUE(inflated->problem.starts_with("zstd data is damaged at byte "))
      << inflated->problem;
}

TEST(UnzstdTest, RejectsMoreThanTheLimitOverAllFrames) {
  const std::string bomb = Zstd(std::string(8 << 20, '\0'));
  ASSERT_LT(bomb.size(), 2000u);
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kZstd, bomb, 1 << 20);
  ASSERT_FALSE(inflated);
  EXPECT_EQ(inflated.error().kind, ErrorKind::kBadFormat);
  EXPECT_EQ(inflated.error().message,
            "zstd data inflates to more than 1048576 bytes; if you trust the "
            "file, decompress it first");
  const std::string frame = Zstd(std::string(1000, 'x'));
  EXPECT_TRUE(Unpack(CompressedFormat::kZstd, frame + frame, 2000));
  EXPECT_FALSE(Unpack(CompressedFormat::kZstd, frame + frame, 1999));
}

}  // namespace
}  // namespace heapprof
