// SPDX-License-Identifier: Apache-2.0
//
// Tunes malloc for a short-lived process with tables of millions of rows.
#pragma once

namespace heapprof {

// Sets malloc up. Call this before anything else.
void SetUpMemory();

}  // namespace heapprof
