// SPDX-License-Identifier: Apache-2.0
#include "parse/describe_content.h"

#include <string>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

using namespace std::literals;

TEST(DescribeContentTest, RecognisesFormatsByTheirFirstBytes) {
  EXPECT_EQ(DescribeContent("SQLite format 3\0..."sv), "a SQLite database");
  EXPECT_EQ(DescribeContent("PK\x03\x04..."sv), "a zip archive");
  EXPECT_EQ(DescribeContent("#!/bin/sh\n"), "a script");
  EXPECT_EQ(DescribeContent("HTTP/1.1 200 OK\r\n\r\nheap_v2/524288\n"),
            "an HTTP response with its header ('curl -i')");
  EXPECT_EQ(DescribeContent(std::string(257, ' ') + "ustar"), "a tar archive");
  EXPECT_EQ(DescribeContent("\xff\xfeh\0e\0"sv).substr(0, 14),
            "text in UTF-16");
  EXPECT_TRUE(
      DescribeContent("version https://git-lfs.github.com/spec/v1\noid sha256:")
          .contains("git lfs pull"));
}

TEST(DescribeContentTest, KnowsTheFilesOfOtherProfilers) {
  EXPECT_EQ(DescribeContent("v 10400 3\nX ./server\n"), "a file of heaptrack");
  EXPECT_EQ(DescribeContent("= Start\n@ ./a.out:[0x4] + 0x1 0x10\n"),
            "a log of glibc's mtrace()");
  EXPECT_EQ(DescribeContent("desc: --time-unit=ms\n"),
            "a file of Valgrind's massif");
  EXPECT_TRUE(DescribeContent("___ Begin jemalloc statistics ___\n")
                  .contains("explain DUMP --stats FILE"));
  EXPECT_TRUE(DescribeJson("{\n\t\"jemalloc\": {").contains("--stats FILE"));
  EXPECT_EQ(DescribeJson("{\"dhatFileVersion\":2\n"),
            "a file of Valgrind's DHAT");
  EXPECT_EQ(DescribeJson("{}"), "another JSON file");
}

TEST(DescribeContentTest, TellsTextFromOtherBytes) {
  EXPECT_EQ(DescribeContent("gr\xfc\xdf\x65\n\t\x1b[1m"), "a text file");
  EXPECT_EQ(DescribeContent("a\0b"sv), "a binary file of unknown format");
  EXPECT_EQ(DescribeContent("\0\0\0"sv), "a file of zeros");
}

TEST(DescribeContentTest, NeedsTheWholeMagicNumber) {
  EXPECT_EQ(DescribeContent("SQLite format 4"), "a text file");
  EXPECT_EQ(DescribeContent("PK"), "a text file");
}

}  // namespace
}  // namespace heapprof
