// SPDX-License-Identifier: Apache-2.0
#include "report/base64.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/written_text.h"

namespace heapprof {
namespace {

std::string Base64(std::string_view bytes) {
  return WrittenText([&](ByteSink& out) {
    Base64Stream stream(out);
    stream.Append(bytes);
    stream.Finish();
  });
}

TEST(Base64Test, WritesTheExamplesOfRfc4648) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foob"), "Zm9vYg==");
  EXPECT_EQ(Base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
}

TEST(Base64Test, WritesAnyByte) {
  EXPECT_EQ(Base64(std::string_view("\0\xff\x80", 3)), "AP+A");
  EXPECT_EQ(Base64("\xff\xff\xfe"), "///+");
}

TEST(Base64Test, JoinsPieces) {
  const std::string text = "foobarfoobar";
  for (size_t first = 0; first <= text.size(); ++first)
    for (size_t second = 0; first + second <= text.size(); ++second)
      EXPECT_EQ(WrittenText([&](ByteSink& out) {
                  Base64Stream stream(out);
                  stream.Append(text.substr(0, first));
                  stream.Append(text.substr(first, second));
                  stream.Append(text.substr(first + second));
                  stream.Finish();
                }),
                Base64(text));
}

}  // namespace
}  // namespace heapprof
