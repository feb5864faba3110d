// SPDX-License-Identifier: Apache-2.0
//
// Ends the process when it cannot go on: no memory is left, or a file was
// truncated while it was being read. This may happen in any thread and in any
// function, so the process ends at once, without unwinding the stack. One line
// says why. The exit status is that of a failure. But if the report has already
// been written, it is the status that the run would have returned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace heapprof {

// Installs the handlers for lack of memory, uncaught exceptions and truncated
// files. A write beyond the limit on file sizes (ulimit -f) becomes an ordinary
// error. A signal that ends the process, such as that of Ctrl-C, leaves no
// temporary files. Call this first. `status` is the exit status of a failure.
void SetUpEmergencyExit(int status);

// Also treats crashes and writes into a closed pipe as failures. From then on,
// they end the process with the exit status of a failure and not by a signal.
void CatchCrashes();

// Sets the current stage for messages: a string literal such as "reading the
// profile".
void NoteStage(const char* stage);
// Sets the limit on memory for messages (see memory_limit.h), in bytes.
void NoteMemoryLimit(uint64_t limit);
// Returns how many bytes of memory count against that limit; nothing if
// unknown.
std::optional<uint64_t> DataInUse();
// Call this when the report has been written. After that, only the index for
// later runs can fail: the process then ends with `status` and a warning, or,
// if `quiet`, without the warning.
void NoteReportDelivered(int status, bool quiet);

// Ends the process with the message that no memory is left. `wanted` is the
// size of the allocation that failed; 0 if unknown.
[[noreturn]] void ExitOutOfMemory(size_t wanted) noexcept;

}  // namespace heapprof
