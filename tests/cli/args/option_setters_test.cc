// SPDX-License-Identifier: Apache-2.0
#include "cli/args/option_setters.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/args/parse_args.h"

namespace heapprof {
namespace {

TEST(OptionSettersTest, ReadTheLimitOnMemory) {
  const auto parse = [](const std::string& limit) {
    return ParseArgs(std::vector<std::string>{"--memory-limit=" + limit, "d"});
  };
  const auto given = parse("2GiB");
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_EQ(given->memory_limit, uint64_t{2} << 30);
  EXPECT_EQ(ParseArgs(std::vector<std::string>{"d"})->memory_limit,
            std::nullopt);
  const auto wrong = parse("most");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message,
            "--memory-limit: expected a size such as 512MiB or 4GiB, found "
            "'most'");
}

TEST(LoadBaseTest, TakesAnAddressOfTheBinaryOrOfAFile) {
  const auto options = ParseArgs(std::vector<std::string>{
      "--load-base", "0x55d0c0de1000", "--load-base=/a=b/lib.so=7f00"});
  ASSERT_TRUE(options);
  ASSERT_EQ(options->load_bases.size(), 2u);
  EXPECT_EQ(options->load_bases[0].file, "");
  EXPECT_EQ(options->load_bases[0].address, 0x55d0c0de1000u);
  EXPECT_EQ(options->load_bases[1].file, "/a=b/lib.so");
  EXPECT_EQ(options->load_bases[1].address, 0x7f00u);
  for (const std::string text :
       {"", "x", "0x", "=1", "/a=", "1 ", "-1", "10000000000000000"})
    EXPECT_FALSE(ParseArgs(std::vector{"--load-base=" + text})) << text;
}

Result<Options> WithMinAge(const std::string& age) {
  const std::string args[] = {"--min-age=" + age, "a.heap"};
  return ParseArgs(args);
}

TEST(SetMinAgeTest, TakesANumberWithAUnit) {
  struct Case {
    const char* age;
    uint64_t nanoseconds;
  };
  for (const auto& [age, nanoseconds] :
       {Case{"250ms", 250'000'000}, Case{"90s", 90'000'000'000},
        Case{"2m", 120'000'000'000}, Case{"1.5h", 5'400'000'000'000},
        Case{"1d", 86'400'000'000'000}}) {
    const auto options = WithMinAge(age);
    ASSERT_TRUE(options) << age;
    EXPECT_EQ(options->min_age, nanoseconds) << age;
  }
}

TEST(SetMinAgeTest, RejectsOtherValues) {
  for (const std::string age :
       {"2", "m", "0s", "-2m", "2 m", "2x", "2mm", "1e300d", "nans"}) {
    const auto options = WithMinAge(age);
    ASSERT_FALSE(options) << age;
    EXPECT_EQ(options.error().message,
              "--min-age: expected an age such as 90s, 2m or 1.5h, found '" +
                  age + "'");
  }
}

TEST(SetSamplePeriodTest, RejectsZero) {
  const std::string args[] = {"--sample-period=0", "a.heap"};
  const auto options = ParseArgs(args);
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().message,
            "--sample-period: expected a size such as 512MiB or 4GiB, found "
            "'0'");
}

TEST(SetSamplePeriodTest, TakesBytesOrASize) {
  for (const std::string period : {"524288", "512KiB", "512K"}) {
    const auto options =
        ParseArgs(std::vector{"--sample-period=" + period, std::string("d")});
    ASSERT_TRUE(options) << period;
    EXPECT_EQ(options->sample_period, 524288u) << period;
  }
}

Result<Options> WithLabels(std::vector<std::string> labels,
                           const std::string& output = "--ndjson") {
  std::vector<std::string> args = {output};
  for (const std::string& label : labels) args.push_back("--label=" + label);
  return ParseArgs(args);
}

std::string ErrorOfLabels(std::vector<std::string> labels) {
  const auto options = WithLabels(std::move(labels));
  return options ? "no error" : options.error().message;
}

TEST(AddLabelsTest, TakesKeysAndValues) {
  using Labels = std::vector<std::pair<std::string, std::string>>;
  for (const char* output : {"--ndjson", "--proto", "--output=a.ndjson"}) {
    const auto options = WithLabels({"host=web-1", "V_2=a=b", "none="}, output);
    ASSERT_TRUE(options) << options.error().message;
    EXPECT_EQ(options->labels,
              (Labels{{"host", "web-1"}, {"V_2", "a=b"}, {"none", ""}}));
  }
}

TEST(AddLabelsTest, RejectsWhatCannotBeANewColumn) {
  for (const std::string text : {"b", "=b", "5a=b", "a-b=c", "a b=c"})
    EXPECT_EQ(ErrorOfLabels({text}),
              "--label: expected KEY=VALUE, where KEY has letters, digits and "
              "'_' and does not begin with a digit, found '" +
                  text + "'");
  for (const std::string key : {"thread", "v", "places", "lifetime", "bytes"})
    EXPECT_EQ(ErrorOfLabels({key + "=b"}),
              "--label: " + key +
                  " means something else in rows and profiles; choose another "
                  "name");
  EXPECT_EQ(ErrorOfLabels({"a=1", "a=2"}), "--label: a is given twice");
}

TEST(AddLabelsTest, NeedsAnOutputThatHasLabels) {
  const auto options = WithLabels({"a=b"}, "--json");
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().message,
            "--label works only with --ndjson and --proto");
}

TEST(SetPerTest, TakesTheUnitsOfLimits) {
  const auto axis_of = [](const char* unit) {
    return ParseArgs(std::vector<std::string>{"trend", "--per", unit, "d"})
        ->trend.axis;
  };
  EXPECT_EQ(axis_of("hour"), TrendAxis::kHours);
  EXPECT_EQ(axis_of("h"), TrendAxis::kHours);
  EXPECT_EQ(axis_of("gib"), TrendAxis::kGigabytes);
  EXPECT_EQ(axis_of("GiB"), TrendAxis::kGigabytes);
}

}  // namespace
}  // namespace heapprof
