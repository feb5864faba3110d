// SPDX-License-Identifier: Apache-2.0
#include "parse/shared_seeds_note.h"

#include <fmt/core.h>

namespace heapprof {

void NoteSharedSeeds(std::string_view file, Diagnostics& diagnostics) {
  diagnostics.Note(fmt::format(
      "{}: error bounds may be too narrow, because threads may share sampling "
      "errors and the profile does not say which; compare the dumps instead, "
      "or a baseline (see 'heapprof help accuracy')",
      file));
}

}  // namespace heapprof
