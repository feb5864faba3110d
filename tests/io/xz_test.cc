// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/xz.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

using namespace std::string_view_literals;

// printf 'heap %.0s' {1..40} | xz --format=xz --check=crc32
constexpr std::string_view kPacked =
    "\xfd\x37\x7a\x58\x5a\x00\x00\x01\x69\x22\xde\x36\x02\x00"
    "\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\xe0\x00\xc7\x00"
    "\x0b\x5d\x00\x34\x19\x48\x49\x74\x47\xf8\x85\x65\x80\x00"
    "\x00\x00\xc7\xc3\x66\xb5\x00\x01\x23\xc8\x01\x00\x00\x00"
    "\x3a\x67\xb4\x23\x3e\x30\x0d\x8b\x02\x00\x00\x00\x00\x01"
    "\x59\x5a"sv;

std::string Repeated() {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "heap ";
  return text;
}

// The inflated bytes, or the error behind a "!".
std::string Inflated(std::string_view packed, uint64_t max_size = 1 << 20) {
  const auto bytes =
      Unxz({reinterpret_cast<const uint8_t*>(packed.data()), packed.size()},
           max_size);
  return bytes ? *bytes : "!" + bytes.error().message;
}

TEST(UnxzTest, InflatesWhatXzWrote) {
  EXPECT_EQ(Inflated(kPacked), Repeated());
  EXPECT_EQ(Inflated(std::string(kPacked) + std::string(kPacked)),
            Repeated() + Repeated());
}

TEST(UnxzTest, SaysThatTheDataIsCutOff) {
  for (size_t size = 0; size < kPacked.size(); ++size)
    EXPECT_EQ(Inflated(kPacked.substr(0, size)), "!the xz data is cut off")
        << size;
}

TEST(UnxzTest, SaysThatTheDataIsDamaged) {
  EXPECT_EQ(Inflated("this is text, not xz"), "!the xz data is damaged");
  std::string flipped(kPacked);
  flipped[30] = static_cast<char>(flipped[30] ^ 1);
  EXPECT_EQ(Inflated(flipped), "!the xz data is damaged");
}

// A dictionary of 4 GiB.
TEST(UnxzTest, SaysThatTheDataNeedsTooMuchMemory) {
  std::string packed(kPacked);
  packed.replace(12, 12, "\x02\x00\x21\x01\x28\x00\x00\x00\xe6\xa0\x11\xb3"sv);
  EXPECT_EQ(Inflated(packed), "!the xz data needs too much memory");
}

TEST(UnxzTest, StopsABomb) {
  EXPECT_EQ(Inflated(kPacked, 200), Repeated());
  EXPECT_EQ(Inflated(kPacked, 199),
            "!the xz data inflates to more than 199 bytes");
}

}  // namespace
}  // namespace heapprof
