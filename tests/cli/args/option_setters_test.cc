// SPDX-License-Identifier: Apache-2.0
#include "cli/args/option_setters.h"

#include <cstdint>
#include <optional>
#include <string>
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

}  // namespace
}  // namespace heapprof
