// SPDX-License-Identifier: Apache-2.0
//
// Output that appears whole or not at all: written to a temporary file in the
// same directory, flushed to disk, then renamed.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

// Writes `bytes` to `path`. An existing regular file is replaced and keeps
// its permissions; a device or FIFO is written directly.
Result<void> WriteFileAtomically(const std::string& path,
                                 std::string_view bytes);

// Writes all of `bytes` to a file descriptor. `name` is for the message.
Result<void> WriteAll(int fd, std::string_view bytes, const std::string& name);

}  // namespace heapprof
