// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"

namespace heapprof {

// Warns if a folder to look for files in does not exist: what is not found
// there would otherwise look as if it were missing everywhere. --index-dir is
// not checked here, because an index folder is read completely.
void WarnOfMissingFolders(const Options& options, Diagnostics& diagnostics);

}  // namespace heapprof
