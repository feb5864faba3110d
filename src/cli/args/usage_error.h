// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "heapprof/base/error.h"

namespace heapprof {

// What is wrong with the command line.
inline std::unexpected<Error> UsageError(std::string message) {
  return Fail(ErrorKind::kUsage, std::move(message));
}

}  // namespace heapprof
