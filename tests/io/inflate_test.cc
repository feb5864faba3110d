// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/inflate.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/packed.h"

namespace heapprof {
namespace {

class InflateTest : public testing::TestWithParam<Compression> {
 protected:
  static std::string ErrorOf(const Packed& packed, uint64_t size) {
    const auto result = Inflate(GetParam(), packed, size);
    return result ? "no error" : result.error().message;
  }
  static bool is_zlib() { return GetParam() == Compression::kZlib; }
};

INSTANTIATE_TEST_SUITE_P(Compressions, InflateTest,
                         testing::Values(Compression::kZlib,
                                         Compression::kZstd),
                         NameOfCompression);

TEST_P(InflateTest, RestoresTheOriginalBytes) {
  std::string mixed;
  for (int i = 0; i < 100'000; ++i) mixed += std::to_string(i * 7919 % 10007);
  for (const std::string& text : {std::string(), std::string("a"), mixed}) {
    const auto result =
        Inflate(GetParam(), Pack(GetParam(), text), text.size());
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->size, text.size());
    EXPECT_TRUE(std::equal(text.begin(), text.end(), result->bytes.get()));
  }
}

TEST_P(InflateTest, RejectsAWrongSize) {
  const Packed packed = Pack(GetParam(), std::string(1000, 'x'));
  EXPECT_EQ(ErrorOf(packed, 1001), "expected 1001 bytes, found 1000");
  EXPECT_EQ(ErrorOf(packed, 999),
            is_zlib() ? "expected 999 bytes, found more"
                      : "damaged zstd data: Destination buffer is too small");
}

TEST_P(InflateTest, RejectsDamagedData) {
  const std::string kind = is_zlib() ? "damaged zlib" : "damaged zstd";
  Packed packed = Pack(GetParam(), "some text, some more text");
  packed[0] ^= 0xff;
  EXPECT_THAT(ErrorOf(packed, 25), testing::StartsWith(kind));
  packed[0] ^= 0xff;
  packed.pop_back();
  EXPECT_THAT(ErrorOf(packed, 25), testing::StartsWith(kind));
}

TEST_P(InflateTest, RejectsSizesTooLargeForThePackedBytes) {
  const Packed packed = Pack(GetParam(), "x");
  for (const uint64_t size : {uint64_t{1} << 31, uint64_t{1} << 62, UINT64_MAX})
    EXPECT_EQ(ErrorOf(packed, size), std::to_string(packed.size()) +
                                         " bytes cannot inflate to the " +
                                         std::to_string(size) + " expected");
}

TEST_P(InflateTest, RestoresTheLargestExpansionOfAFewBytes) {
  const std::string zeros(20'000'000, '\0');
  const auto result =
      Inflate(GetParam(), Pack(GetParam(), zeros), zeros.size());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->size, zeros.size());
}

}  // namespace
}  // namespace heapprof
