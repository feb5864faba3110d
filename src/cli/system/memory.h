// SPDX-License-Identifier: Apache-2.0
//
// Tunes malloc for a process that lives for a short time and has tables of
// millions of rows.
#pragma once

namespace heapprof {

// Sets malloc up. Call this before anything else.
void SetUpMemory();

}  // namespace heapprof
