// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/text_columns.h"

#include <climits>
#include <cwchar>

#include <gtest/gtest.h>
#include <locale.h>
#include <wchar.h>

namespace heapprof {
namespace {

TEST(ColumnsTest, CountsCharacters) {
  EXPECT_EQ(Columns(""), 0u);
  EXPECT_EQ(Columns("abc"), 3u);
  EXPECT_EQ(Columns("a…é"), 3u);
}

TEST(ColumnsTest, CountsTwoForWideCharactersAndNoneForCombiningOnes) {
  EXPECT_EQ(Columns("读取Index"), 9u);
  EXPECT_EQ(Columns("メモリ"), 6u);
  EXPECT_EQ(Columns("메모리"), 6u);
  EXPECT_EQ(Columns("ｆ"), 2u);
  EXPECT_EQ(Columns("ｱ"), 1u);
  EXPECT_EQ(Columns("e\u0301te\u0301"), 3u);
  EXPECT_EQ(Columns("हिन्दी"), 5u);
  EXPECT_EQ(Columns("தமிழ்"), 4u);
  EXPECT_EQ(Columns("⌚"), 2u);
}

// The C library knows more characters or fewer if it is of another year.
TEST(ColumnsTest, AgreesWithTheCLibrary) {
  const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (utf8 == nullptr) GTEST_SKIP() << "no locale C.UTF-8";
  const locale_t before = uselocale(utf8);
  size_t others = 0;
  for (wchar_t character = 0x80; character < 0x20000; ++character) {
    char bytes[MB_LEN_MAX];
    std::mbstate_t state = {};
    const size_t size = std::wcrtomb(bytes, character, &state);
    const int width = wcwidth(character);
    if (size <= sizeof bytes && width >= 0 &&
        Columns({bytes, size}) != static_cast<size_t>(width))
      ++others;
  }
  uselocale(before);
  freelocale(utf8);
  EXPECT_LE(others, 400u);
}

TEST(ColumnsTest, TakesOneForWhatIsNoCharacter) {
  EXPECT_EQ(Columns("\xff"), 1u);
  EXPECT_EQ(Columns("a\xe8\xafz"), 3u);
}

TEST(FirstColumnsTest, CutsBetweenCharacters) {
  EXPECT_EQ(FirstColumns("读取x", 5), "读取x");
  EXPECT_EQ(FirstColumns("读取x", 3), "读");
  EXPECT_EQ(FirstColumns("e\u0301te", 1), "e\u0301");
}

TEST(ShortenedTest, KeepsBothEndsOfLongText) {
  EXPECT_EQ(Shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(Shortened("abcdef", 5), "ab…ef");
  EXPECT_EQ(Shortened("éabcdé", 5), "éa…dé");
  EXPECT_EQ(Shortened("abcdef", 2), "a…");
  EXPECT_EQ(Shortened("abcdef", 1), "…");
  EXPECT_EQ(Shortened("读取索引文件", 12), "读取索引文件");
  EXPECT_EQ(Shortened("读取索引文件", 11), "读取…引文件");
  EXPECT_EQ(Shortened("读取索引文件", 6), "读…件");
  EXPECT_EQ(Shortened("abce\u0301de", 4), "a…de");
}

}  // namespace
}  // namespace heapprof
