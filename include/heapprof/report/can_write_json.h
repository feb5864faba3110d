// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heapprof {

// Returns false in a build without nlohmann-json. Functions that write JSON
// documents or pages that contain one must not be called then.
bool CanWriteJson();

}  // namespace heapprof
