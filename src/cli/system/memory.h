// SPDX-License-Identifier: Apache-2.0
//
// How the program takes memory from the system: it lives for a short time, and
// has tables of millions of rows.
#pragma once

namespace heapprof {

// Call before anything else. What is large asks for large pages also without.
void SetUpMemory();

}  // namespace heapprof
