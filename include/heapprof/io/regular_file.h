// SPDX-License-Identifier: Apache-2.0
//
// Opens files that a dump, a binary or debug information names. Such a path may
// lead to anything. Merely opening a device can start an action (/dev/watchdog
// then resets the machine) and opening a named pipe releases its writer.
#pragma once

#include <sys/stat.h>

#include <string>

#include "heapprof/base/error.h"

namespace heapprof {

// Opens `path` for reading, and sets `status`. Fails if it is not a regular
// file; devices and pipes are not opened at all. The caller must close the file
// descriptor.
Result<int> OpenRegularFile(const std::string& path, struct stat& status);

}  // namespace heapprof
