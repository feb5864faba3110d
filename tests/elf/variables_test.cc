// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/variables.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/fixture.h"

namespace heapprof {
namespace {

TEST(FindVariableTest, FindsDataButNoFunctions) {
  const auto image = ElfImage::Open(FixturePath("pie"));
  ASSERT_TRUE(image);
  const auto find = [&image](const std::vector<std::string>& names) {
    return FindVariable(*image, names);
  };
  const auto address = find({"none", "initialized"});
  ASSERT_TRUE(address);
  // 42, as the file has it.
  const auto bytes = image->BytesBefore(*address + 4, 4);
  ASSERT_EQ(bytes.size(), 4u);
  EXPECT_EQ(bytes[0], 42);
  EXPECT_TRUE(find({"zeroed"}));
  EXPECT_FALSE(find({"main"}));
  EXPECT_FALSE(find({"initialize"}));
  EXPECT_FALSE(find({}));
}

}  // namespace
}  // namespace heapprof
