// SPDX-License-Identifier: Apache-2.0
#include "index/index_memo.h"

#include <string>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(StringMemoTest, KeepsCopies) {
  StringMemo memo;
  std::string text = "_Z1fv";
  std::string demangled = "f()";
  memo.Add(7, {text, demangled});
  text = "xxxxx";
  demangled = "xxx";
  memo.Add(7, {"other", ""});
  ASSERT_NE(memo.Find(7), nullptr);
  EXPECT_EQ(memo.Find(7)->text, "_Z1fv");
  EXPECT_EQ(memo.Find(7)->demangled, "f()");
  EXPECT_EQ(memo.Find(8), nullptr);
}

TEST(StringMemoTest, IsLimited) {
  constexpr size_t kMebibyte = size_t{1} << 20;
  const std::string large(kMebibyte, 'x');
  StringMemo memo;
  for (uint32_t i = 0; i < 70; ++i) memo.Add(i, {large, ""});
  EXPECT_NE(memo.Find(60), nullptr);
  EXPECT_EQ(memo.Find(69), nullptr);
}

TEST(NumberTableTest, IsEmptiedAndUsedAgain) {
  NumberTable table;
  table.Reserve(10);
  table.Add(3, 0);
  table.Add(9, 1);
  EXPECT_EQ(table[9], 1u);
  EXPECT_EQ(table[4], NumberTable::kNone);
  table.Clear();
  EXPECT_EQ(table[3], NumberTable::kNone);
  EXPECT_EQ(table[9], NumberTable::kNone);
  table.Add(3, 5);
  EXPECT_EQ(table[3], 5u);
}

}  // namespace
}  // namespace heapprof
