// SPDX-License-Identifier: Apache-2.0
#include "report/named_lines.h"

#include <utility>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(NamedLinesTest, AppendsNamesAndCutsBlanksAtTheEnd) {
  NamedLines lines;
  lines.Add("  size  ", "function");
  lines.Add("  96 B  ", "");
  EXPECT_EQ(std::move(lines).Finish(0), "  size  function\n  96 B\n");
}

TEST(NamedLinesTest, KeepsShortenedNamesDifferent) {
  NamedLines lines;
  lines.Add("1 ", "storage::Cache::InsertEntry");
  lines.Add("2 ", "network::Cache::InsertEntry");
  EXPECT_EQ(std::move(lines).Finish(24),
            "1 storage…e::InsertEntry\n2 network…e::InsertEntry\n");
}

}  // namespace
}  // namespace heapprof
