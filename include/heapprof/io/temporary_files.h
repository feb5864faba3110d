// SPDX-License-Identifier: Apache-2.0
//
// The temporary files that exist by name. Their owners remove them, but cannot
// if a signal ends the process or no memory is left: RemoveTemporaryFiles() is
// for that.
#pragma once

#include <string>

namespace heapprof {

// Call these when a temporary file has got its name, and when it no longer has
// it. If there are very many, some are not noted.
void NoteTemporaryFile(const std::string& path);
void ForgetTemporaryFile(const std::string& path);

// Removes all files that are noted. May be called in signal handlers.
void RemoveTemporaryFiles();

}  // namespace heapprof
