// SPDX-License-Identifier: Apache-2.0
#include "parse/dump_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "objects bytes accumulated objects bytes", or "none".
std::string Read(std::string_view text, Signs signs = Signs::kRejected) {
  TextScanner in(text);
  const auto counts = ReadCounts(in, signs);
  if (!counts) return "none";
  const auto sign = [](const Count& count) {
    return count.negative ? "-" : "";
  };
  return fmt::format("{}{} {} {}{} {}", sign(counts->current),
                     counts->current.objects, counts->current.bytes,
                     sign(counts->accumulated), counts->accumulated.objects,
                     counts->accumulated.bytes);
}

TEST(ReadCountsTest, ReadsBothPairsWithAnyBlanks) {
  EXPECT_EQ(Read("3: 4096 [0: 0]"), "3 4096 0 0");
  EXPECT_EQ(Read(" 3 :4096[ 5:  81920 ]"), "3 4096 5 81920");
}

TEST(ReadCountsTest, AcceptsSignsOnlyIfAsked) {
  EXPECT_EQ(Read("-3: -4096 [1: 2]"), "none");
  EXPECT_EQ(Read("-3: -4096 [1: 2]", Signs::kAccepted), "-3 4096 1 2");
}

TEST(ReadCountsTest, RejectsIncompletePairs) {
  for (const char* text : {"", "3", "3:", "3: 4", "3: 4 [", "3: 4 [5: 6",
                           "3 4 [5: 6]", "x: 4 [5: 6]"})
    EXPECT_EQ(Read(text), "none") << text;
}

class DumpReaderTest : public testing::Test {
 protected:
  static DumpSource Source(std::string_view text) {
    static const std::string kName = "a.heap";
    static const ParseOptions kOptions;
    return {.text = text, .name = kName, .options = kOptions};
  }

  Diagnostics diagnostics_;
};

TEST_F(DumpReaderTest, EndsTheRecordsAtTheMarkerOfTheMap) {
  DumpReader reader(Source("one\ntwo\n\nMAPPED_LIBRARIES:\nthree\n"),
                    diagnostics_);
  std::vector<std::string> lines;
  while (const auto line = reader.NextRecordLine()) lines.emplace_back(*line);
  EXPECT_THAT(lines, ElementsAre("one", "two", ""));
  EXPECT_TRUE(reader.has_maps());
  EXPECT_FALSE(reader.truncated());
}

TEST_F(DumpReaderTest, StopsReadingRecordsAtTheFirstError) {
  DumpReader reader(Source("header\none\ntwo\n"), diagnostics_);
  std::vector<std::string> lines;
  const auto read = reader.ReadRecords(
      [&]() -> Result<void> {
        lines.emplace_back(*reader.cursor().Next());
        return {};
      },
      [&](std::string_view line) -> Result<void> {
        lines.emplace_back(line);
        return Fail(ErrorKind::kBadFormat, "bad");
      });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "bad");
  EXPECT_THAT(lines, ElementsAre("header", "one"));
}

// Half the range of 64 bits: an underflow in the allocator.
TEST_F(DumpReaderTest, ReportsCountsThatNoProcessCanHave) {
  DumpReader reader(Source("x\n"), diagnostics_);
  reader.SetScaling(Scaling::kV2, 4096);
  const auto has_value = [&](uint64_t objects, uint64_t bytes) {
    return !reader.Estimates({.current = {objects, bytes}, .accumulated = {}})
                .AllZero();
  };
  EXPECT_TRUE(has_value(1, 8));
  EXPECT_THAT(diagnostics_.warnings(), IsEmpty());
  EXPECT_FALSE(has_value(1, uint64_t{1} << 63));
  EXPECT_FALSE(has_value(1, 0));
  EXPECT_FALSE(has_value(0, 8));
  EXPECT_FALSE(diagnostics_.empty());
}

}  // namespace
}  // namespace heapprof
