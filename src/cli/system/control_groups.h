// SPDX-License-Identifier: Apache-2.0
//
// What the control groups of this process (version 1 or 2) may use. A group
// limits the groups in it, too. In the functions below, `root` is the root of
// the file system, which tests replace.
#pragma once

#include <cstdint>
#include <string>

namespace heapprof {

// In bytes; UINT64_MAX if nothing limits it.
uint64_t MemoryOfGroups(const std::string& root = "");

// How many processors' time, maybe a fraction; infinity if nothing limits it.
double ProcessorsOfGroups(const std::string& root = "");

}  // namespace heapprof
