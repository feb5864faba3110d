// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/gzip.h"

#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "heapprof/io/unpack.h"
#include "io/packed.h"
#include "support/gzip_text.h"

namespace heapprof {
namespace {

using namespace std::string_view_literals;

// The output of `gzip -n` for "hello
// ".
constexpr std::string_view kHello =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xe7\x02\x00"
    "\x20\x30\x3a\x36\x06\x00\x00\x00"sv;

std::string RoundTrip(std::string_view bytes) {
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kGzip, Gzip(bytes), kNoLimit);
  if (!inflated) return "error: " + inflated.error().message;
  EXPECT_EQ(inflated->problem, "");
  return std::string(inflated->bytes.view());
}

TEST(GzipTest, RoundTripKeepsEveryByte) {
  EXPECT_EQ(RoundTrip(""), "");
  EXPECT_EQ(RoundTrip("a"), "a");
  EXPECT_EQ(RoundTrip("a\0b\n"sv), "a\0b\n"sv);
  const std::string random = RandomBytes(3 << 20);
  EXPECT_TRUE(RoundTrip(random) == random);
  const std::string zeros(5 << 20, '\0');
  EXPECT_TRUE(RoundTrip(zeros) == zeros);
}

TEST(GzipTest, EqualInputGivesEqualOutputWithoutATime) {
  const std::string first = Gzip("hello\n");
  EXPECT_EQ(first, Gzip("hello\n"));
  EXPECT_EQ(first.substr(4, 4), "\0\0\0\0"sv);  // RFC 1952: MTIME
}

// Appends the data in blocks.
std::string Streamed(std::string_view data, size_t block, bool may_thread) {
  std::string packed;
  ByteSink sink([&packed](std::string_view bytes) -> Result<void> {
    packed += bytes;
    return {};
  });
  GzipStream gzip(sink, may_thread);
  for (; !data.empty(); data.remove_prefix(std::min(block, data.size())))
    gzip.Append(data.substr(0, block));
  gzip.Finish();
  EXPECT_TRUE(sink.Finish());
  return packed;
}

TEST(GzipStreamTest, GivesTheSameBytesWithAndWithoutAThread) {
  const std::string data = RandomBytes(1 << 20) + std::string(3 << 20, 'x');
  for (const size_t block : {size_t{1000}, size_t{100'000}, data.size()}) {
    const std::string packed = Streamed(data, block, true);
    EXPECT_TRUE(packed == Streamed(data, block, false)) << block;
    const auto inflated = Unpack(CompressedFormat::kGzip, packed, kNoLimit);
    ASSERT_TRUE(inflated);
    EXPECT_TRUE(inflated->bytes.view() == data) << block;
    EXPECT_EQ(inflated->problem, "");
  }
}

// Each part of the stream may refer to the one before it.
TEST(GzipStreamTest, PacksWhatRepeatsAcrossParts) {
  const std::string piece = RandomBytes(20'000);
  std::string data;
  while (data.size() < 3 << 20) data += piece;
  const std::string packed = Streamed(data, data.size(), true);
  EXPECT_LT(packed.size(), 3 * piece.size());
  const auto inflated = Unpack(CompressedFormat::kGzip, packed, kNoLimit);
  ASSERT_TRUE(inflated);
  EXPECT_TRUE(inflated->bytes.view() == data);
}

// There are more parts than may wait, so that some are surely compressed.
TEST(GzipStreamTest, LeavesACutMemberIfNotFinished) {
  std::string packed;
  ByteSink sink([&packed](std::string_view bytes) -> Result<void> {
    packed += bytes;
    return {};
  });
  {
    GzipStream gzip(sink, true);
    for (int i = 0; i < 24; ++i) gzip.Append(RandomBytes(300'000));
  }
  EXPECT_TRUE(sink.Finish());
  const auto inflated = Unpack(CompressedFormat::kGzip, packed, kNoLimit);
  ASSERT_TRUE(inflated);
  EXPECT_TRUE(inflated->problem.starts_with("gzip data ends early"))
      << inflated->problem;
}

TEST(GzipStreamTest, KeepsTheErrorOfItsSink) {
  ByteSink sink([](std::string_view) -> Result<void> {
    return Fail(ErrorKind::kIo, "full");
  });
  GzipStream gzip(sink, true);
  for (int i = 0; i < 8; ++i) gzip.Append(RandomBytes(300'000));
  gzip.Finish();
  const auto finished = sink.Finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, "full");
}

TEST(GunzipTest, ReadsTheOutputOfGzip) {
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kGzip, kHello, kNoLimit);
  ASSERT_TRUE(inflated);
  EXPECT_EQ(inflated->bytes.view(), "hello\n");
  EXPECT_EQ(inflated->problem, "");
}

TEST(GunzipTest, JoinsMembers) {
  const std::string members =
      Gzip("one ") + Gzip("") + std::string(kHello) + Gzip("two");
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kGzip, members, kNoLimit);
  ASSERT_TRUE(inflated);
  EXPECT_EQ(inflated->bytes.view(), "one hello\ntwo");
  EXPECT_EQ(inflated->problem, "");
}

TEST(GunzipTest, IgnoresPaddingAfterTheLastMember) {
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kGzip,
             std::string(kHello) + std::string(512, '\0'), kNoLimit);
  ASSERT_TRUE(inflated);
  EXPECT_EQ(inflated->bytes.view(), "hello\n");
  EXPECT_EQ(inflated->problem, "");
}

// Truncated at every place: the result is a prefix, and the truncation is
// reported.
TEST(GunzipTest, SavesAPrefixOfATruncatedStreamAndSaysSo) {
  // Highly compressible: single bytes of input expand to a lot of output, so
  // that truncation also meets the ends of the output buffer.
  const std::string original = RandomBytes(100) + std::string(1100 << 10, 'x');
  const std::string compressed = Gzip(original);
  size_t saved = 0;
  for (size_t size = 2; size < compressed.size(); ++size) {
    const Result<Inflated> inflated =
        Unpack(CompressedFormat::kGzip,
               std::string_view(compressed).substr(0, size), kNoLimit);
    const std::string problem =
        fmt::format("gzip data ends early, at byte {}", size);
    if (!inflated) {
      EXPECT_EQ(inflated.error().message, problem);
      EXPECT_EQ(saved, 0u);
      continue;
    }
    EXPECT_EQ(inflated->problem, problem);
    EXPECT_GT(inflated->bytes.size(), 0u);
    EXPECT_GE(inflated->bytes.size(), saved) << size;
    EXPECT_TRUE(original.starts_with(inflated->bytes.view())) << size;
    saved = inflated->bytes.size();
  }
  EXPECT_EQ(saved, original.size());
}

TEST(GunzipTest, FailsIfNothingCanBeSaved) {
  struct Case {
    std::string_view bytes;
    std::string_view message;
  };
  const Case kCases[] = {
      {"\x1f\x8b"sv, "gzip data ends early, at byte 2"},
      {"\x1f\x8b\x08\x00"sv, "gzip data ends early, at byte 4"},
      {"\x1f\x8b\xff\x00\x00\x00\x00\x00\x00\x03\x00"sv,
       "gzip data is damaged at byte 10"},
  };
  for (const Case& c : kCases) {
    const Result<Inflated> inflated =
        Unpack(CompressedFormat::kGzip, c.bytes, kNoLimit);
    ASSERT_FALSE(inflated) << c.message;
    EXPECT_EQ(inflated.error().kind, ErrorKind::kBadFormat);
    EXPECT_EQ(inflated.error().message, c.message);
  }
}

TEST(GunzipTest, KeepsBytesBeforeDamageAndSaysWhere) {
  std::string damaged(kHello);
  damaged[20] = static_cast<char>(~damaged[20]);  // in the checksum
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kGzip, damaged, kNoLimit);
  ASSERT_TRUE(inflated);
  EXPECT_EQ(inflated->bytes.view(), "hello\n");
  EXPECT_EQ(inflated->problem, "gzip data is damaged at byte 26");
}

TEST(GunzipTest, RejectsMoreThanTheLimit) {
  const std::string bomb = Gzip(std::string(8 << 20, '\0'));
  ASSERT_LT(bomb.size(), 32768u);
  const Result<Inflated> inflated =
      Unpack(CompressedFormat::kGzip, bomb, 1 << 20);
  ASSERT_FALSE(inflated);
  EXPECT_EQ(inflated.error().kind, ErrorKind::kBadFormat);
  EXPECT_EQ(inflated.error().message,
            "gzip data inflates to more than 1048576 bytes; if you trust the "
            "file, decompress it first");
  EXPECT_TRUE(Unpack(CompressedFormat::kGzip, bomb, 8 << 20));
  EXPECT_FALSE(Unpack(CompressedFormat::kGzip, bomb, (8 << 20) - 1));
}

TEST(GunzipTest, LimitCountsAllMembersTogether) {
  const std::string member = Gzip(std::string(1000, 'x'));
  EXPECT_TRUE(Unpack(CompressedFormat::kGzip, member + member, 2000));
  EXPECT_FALSE(Unpack(CompressedFormat::kGzip, member + member, 1999));
}

TEST(Crc32Test, MatchesKnownChecksums) {
  EXPECT_EQ(Crc32(""), 0u);
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926u);  // the usual check value
  EXPECT_EQ(Crc32("6789", Crc32("12345")), 0xcbf43926u);
}

// ISA-L's state has 80 KiB.
TEST(GzipTest, NeedsLittleStack) {
  constexpr size_t kStack = 64 << 10;
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStack), 0);
  std::string packed;
  const auto pack = [](void* result) -> void* {
    *static_cast<std::string*>(result) = Gzip("hello\n");
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, pack, &packed), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
  EXPECT_FALSE(packed.empty());
}

}  // namespace
}  // namespace heapprof
