// SPDX-License-Identifier: Apache-2.0
//
// What tests expect of a command line: its options or an error.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/args/parse_args.h"
#include "heapprof/base/error.h"

namespace heapprof {

using Args = std::vector<std::string>;

inline Options Parsed(const Args& args) {
  auto options = ParseArgs(args);
  if (options) return *std::move(options);
  ADD_FAILURE() << options.error().message;
  return {};
}

inline std::string ErrorIn(const Args& args) {
  const auto options = ParseArgs(args);
  if (options) return "no error";
  EXPECT_EQ(options.error().kind, ErrorKind::kUsage);
  return options.error().message;
}

}  // namespace heapprof
