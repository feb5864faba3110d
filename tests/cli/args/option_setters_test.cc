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

}  // namespace
}  // namespace heapprof
