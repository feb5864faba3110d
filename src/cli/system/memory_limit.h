// SPDX-License-Identifier: Apache-2.0
//
// Limits the memory of the process, so that a hostile or damaged input ends it
// with a line (see emergency_exit.h) and does not make the machine swap or the
// kernel kill other programs.
//
// The limit is the kernel's, RLIMIT_DATA. It counts what must be kept in memory
// or swap: the heap, stacks of threads and private writable mappings, of
// libraries in C, too. It does not count files that are mapped for reading, as
// all inputs and binaries are: the kernel can drop their pages at any time. A
// limit on the address space (RLIMIT_AS) would refuse a sound binary of 4 GB.
// Counting in `operator new` would miss what libraries allocate. Programs that
// heapprof starts (dot, objdump) inherit the limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heapprof {

// Returns the default limit: three quarters of `machine`, the memory of the
// machine in bytes, or of what the control groups of the process may use if
// that is less. `root` is as in control_groups.h.
uint64_t DefaultMemoryLimit(uint64_t machine, const std::string& root = "");

// Limits the memory of this process to `limit` bytes; without a value, to the
// default, unless the process already has more. Never raises a limit that the
// process already has. Returns the limit that it now has; UINT64_MAX if none.
uint64_t LimitMemory(std::optional<uint64_t> limit);

}  // namespace heapprof
