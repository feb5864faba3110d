// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/error.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

Result<int> Half(int number) {
  if (number % 2 != 0)
    return Fail(ErrorKind::kBadFormat, "expected an even number, found 3");
  return number / 2;
}

TEST(ErrorTest, FailCarriesKindAndMessage) {
  const Result<int> result = Half(3);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kBadFormat);
  EXPECT_EQ(result.error().message, "expected an even number, found 3");
  EXPECT_EQ(Half(4), 2);
}

TEST(ErrorTest, FailFitsFunctionsWithoutAValue) {
  const Result<void> result = Fail(ErrorKind::kIo, "a: cannot open");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "a: cannot open");
}

}  // namespace
}  // namespace heapprof
