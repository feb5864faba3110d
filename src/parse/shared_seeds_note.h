// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "heapprof/base/diagnostics.h"

namespace heapprof {

// Says that the file has kSharedSeedsComment, so that error bounds may be too
// narrow.
void NoteSharedSeeds(std::string_view file, Diagnostics& diagnostics);

}  // namespace heapprof
