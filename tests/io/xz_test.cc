// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "heapprof/io/unpack.h"

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

// The inflated bytes and why they end, or the error after a "!".
std::string XzText(std::string_view packed, uint64_t max_size = 1 << 20) {
  const auto inflated = Unpack(CompressedFormat::kXz, packed, max_size);
  return inflated ? std::string(inflated->bytes.view()) + inflated->problem
                  : "!" + inflated.error().message;
}

TEST(XzTest, ReadsTheOutputOfXz) {
  EXPECT_EQ(XzText(kPacked), Repeated());
  const std::string padding(8, '\0');
  EXPECT_EQ(XzText(std::string(kPacked) + padding + std::string(kPacked)),
            Repeated() + Repeated());
}

TEST(XzTest, KeepsBytesBeforeTruncationAndSaysSo) {
  bool is_saved = false;
  for (size_t size = 0; size < kPacked.size(); ++size) {
    const std::string text = XzText(kPacked.substr(0, size));
    const std::string problem =
        "xz data ends early, at byte " + std::to_string(size);
    EXPECT_TRUE(text.ends_with(problem)) << text;
    const std::string saved = text.substr(0, text.size() - problem.size());
    EXPECT_TRUE(saved == "!" || Repeated().starts_with(saved)) << text;
    if (saved == Repeated()) is_saved = true;
  }
  EXPECT_TRUE(is_saved);
}

TEST(XzTest, SaysThatTheDataIsDamaged) {
  EXPECT_EQ(XzText("this is text, not xz"), "!xz data is damaged at byte 12");
  std::string flipped(kPacked);
  flipped[30] = static_cast<char>(flipped[30] ^ 1);
  EXPECT_TRUE(XzText(flipped).contains("xz data is damaged at byte "))
      << flipped;
}

// A dictionary of 4 GiB.
TEST(XzTest, SaysThatTheDataNeedsTooMuchMemory) {
  std::string packed(kPacked);
  packed.replace(12, 12, "\x02\x00\x21\x01\x28\x00\x00\x00\xe6\xa0\x11\xb3"sv);
  EXPECT_EQ(XzText(packed),
            "!xz data is damaged at byte 24: it needs too much memory");
}

TEST(XzTest, StopsABomb) {
  EXPECT_EQ(XzText(kPacked, 200), Repeated());
  EXPECT_EQ(XzText(kPacked, 199),
            "!xz data inflates to more than 199 bytes; if you trust the file, "
            "decompress it first");
}

}  // namespace
}  // namespace heapprof
