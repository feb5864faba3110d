// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/unpack.h"

#include <string>
#include <string_view>

#include <bzlib.h>
#include <gtest/gtest.h>

#include "io/packed.h"
#include "support/gzip_text.h"

namespace heapprof {
namespace {

using namespace std::string_view_literals;

std::string Bzip2(std::string text) {
  auto size = static_cast<unsigned>(text.size() + text.size() / 100 + 600);
  std::string packed(size, '\0');
  EXPECT_EQ(
      BZ2_bzBuffToBuffCompress(packed.data(), &size, text.data(),
                               static_cast<unsigned>(text.size()), 1, 0, 0),
      BZ_OK);
  packed.resize(size);
  return packed;
}

TEST(CompressedFormatTest, IsRecognisedByTheFirstBytes) {
  EXPECT_EQ(FindCompressedFormat(Gzip("x")), CompressedFormat::kGzip);
  EXPECT_EQ(FindCompressedFormat("\x28\xb5\x2f\xfd"), CompressedFormat::kZstd);
  EXPECT_EQ(FindCompressedFormat("\x5a\x2a\x4d\x18\x03\0\0\0abc"sv),
            CompressedFormat::kZstd);
  EXPECT_EQ(FindCompressedFormat("\xfd\x37zXZ\0"sv), CompressedFormat::kXz);
  EXPECT_EQ(FindCompressedFormat(Bzip2("x")), CompressedFormat::kBzip2);
  EXPECT_EQ(FindCompressedFormat(Bzip2("")), CompressedFormat::kBzip2);
  for (const std::string_view none :
       {""sv, "\x1f"sv, "\x50"sv, "\x60\x2a\x4d\x18"sv, "heap_v2/1"sv, "BZ"sv,
        "BZhave a text"sv, "\xfd\x37zXZ"sv})
    EXPECT_EQ(FindCompressedFormat(none), std::nullopt) << none;
}

TEST(UnpackTest, ReadsTheOutputOfBzip2) {
  for (const std::string& text :
       {std::string(), std::string("hello\n"), RandomBytes(3 << 20),
        std::string(5 << 20, '\0')}) {
    const auto inflated =
        Unpack(CompressedFormat::kBzip2, Bzip2(text), kNoLimit);
    ASSERT_TRUE(inflated);
    EXPECT_EQ(inflated->problem, "");
    EXPECT_TRUE(inflated->bytes.view() == text);
  }
  const auto joined =
      Unpack(CompressedFormat::kBzip2, Bzip2("one ") + Bzip2("two") + "padding",
             kNoLimit);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->bytes.view(), "one two");
}

TEST(UnpackTest, KeepsTheBlocksBeforeTruncationOrDamage) {
  const std::string original = RandomBytes(400'000);
  const std::string packed = Bzip2(original);  // in blocks of 100 000 bytes
  const size_t half = packed.size() / 2;
  const auto cut = Unpack(CompressedFormat::kBzip2,
                          std::string_view(packed).substr(0, half), kNoLimit);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->problem,
            "bzip2 data ends early, at byte " + std::to_string(half));
  EXPECT_GT(cut->bytes.size(), 90'000u);
  EXPECT_TRUE(original.starts_with(cut->bytes.view()));
  std::string flipped = packed;
  flipped[half] = static_cast<char>(~flipped[half]);
  const auto damaged = Unpack(CompressedFormat::kBzip2, flipped, kNoLimit);
  ASSERT_TRUE(damaged);
  EXPECT_TRUE(damaged->problem.starts_with("bzip2 data is damaged at byte "))
      << damaged->problem;
  EXPECT_GT(damaged->bytes.size(), 90'000u);
}

TEST(UnpackTest, StopsAtTheLimit) {
  const std::string bomb = Bzip2(std::string(8 << 20, '\0'));
  ASSERT_LT(bomb.size(), 2000u);
  EXPECT_TRUE(Unpack(CompressedFormat::kBzip2, bomb, 8 << 20));
  const auto inflated = Unpack(CompressedFormat::kBzip2, bomb, (8 << 20) - 1);
  ASSERT_FALSE(inflated);
  EXPECT_EQ(inflated.error().message,
            "bzip2 data inflates to more than 8388607 bytes; if you trust the "
            "file, decompress it first");
}

TEST(UnpackTest, ChecksTheHeadBeforeItInflatesTheRest) {
  constexpr size_t kSize = 64 << 20;
  const std::string packed = Gzip(std::string(kSize, 'x'));
  size_t seen = 0;
  const auto refused = Unpack(
      CompressedFormat::kGzip, packed, kNoLimit,
      [&seen](std::string_view head,
              std::string_view compression) -> Result<void> {
        seen = head.size();
        return Fail(ErrorKind::kOtherFormat, "no " + std::string(compression));
      });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "no gzip");
  EXPECT_LE(seen, kSize / 8);
}

TEST(UnpackTest, RejectsAMegabyteOfOneByte) {
  const auto pass = [](std::string_view, std::string_view) {
    return Result<void>();
  };
  const std::string head = RandomBytes(3 << 20);
  EXPECT_TRUE(Unpack(CompressedFormat::kGzip,
                     Gzip(head + std::string(1 << 20, 'x')), kNoLimit));
  const auto refused =
      Unpack(CompressedFormat::kGzip, Gzip(head + std::string(8 << 20, 'x')),
             kNoLimit, pass);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "gzip data contains a single byte repeated for 1 MiB, which no "
            "profile does; if you trust the file, decompress it first");
}

TEST(UnpackTest, ChecksTheHeadOnce) {
  // Even if the content is shorter than a head.
  size_t calls = 0;
  const auto count = [&calls](std::string_view, std::string_view) {
    ++calls;
    return Result<void>();
  };
  EXPECT_TRUE(Unpack(CompressedFormat::kGzip, Gzip(RandomBytes(9 << 20)),
                     kNoLimit, count));
  EXPECT_TRUE(Unpack(CompressedFormat::kGzip, Gzip("short"), kNoLimit, count));
  EXPECT_EQ(calls, 2u);
}

}  // namespace
}  // namespace heapprof
