// SPDX-License-Identifier: Apache-2.0
//
// Ends the process where it cannot go on: no memory is left, or a file that is
// being read has been cut short. Any thread may find that, in any place, so
// nothing is unwound. One line says why; the status is 1, or 0 if the report
// had been delivered.
#pragma once

#include <cstddef>

namespace heapprof {

// Installs what calls the functions below. To be called first.
void SetUpEmergencyExit();

// What the run is at; a literal, such as "reading the profile".
void NoteStage(const char* stage);
// From now on only the index for later runs can fail. `quiet`: without a word.
void NoteReportDelivered(bool quiet);

// `wanted`: the bytes asked for; 0 if not known.
[[noreturn]] void ExitOutOfMemory(size_t wanted) noexcept;

}  // namespace heapprof
