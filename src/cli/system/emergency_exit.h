// SPDX-License-Identifier: Apache-2.0
//
// Ends the process when it cannot go on: no memory is left, or a file was
// truncated while it was being read. Any thread may notice this anywhere, so
// nothing is unwound. One line says why; the exit status is 1, or 0 if the
// report was delivered.
#pragma once

#include <cstddef>

namespace heapprof {

// Installs the handlers for these cases. Call this first.
void SetUpEmergencyExit();

// The current stage for messages; a literal, such as "reading the profile".
void NoteStage(const char* stage);
// From now on only the index for later runs can fail. `quiet`: no message.
void NoteReportDelivered(bool quiet);

// `wanted`: the size of the allocation that failed; 0 if unknown.
[[noreturn]] void ExitOutOfMemory(size_t wanted) noexcept;

}  // namespace heapprof
