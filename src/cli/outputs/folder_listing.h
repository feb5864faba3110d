// SPDX-License-Identifier: Apache-2.0
//
// What `heapprof FOLDER` prints if there are several dumps in the folder.
//
//   /srv/dumps: 3 dumps of 1 process
//
//   server.4242
//       1.2 MiB  2026-11-23 04:25:41 UTC  server.4242.0.i0.heap
//       1.3 MiB  2026-11-23 05:25:41 UTC  server.4242.1.i1.heap
//       1.9 MiB  2026-11-23 06:25:41 UTC  server.4242.2.f.heap
//
//   Next:  heapprof /srv/dumps/server.4242.2.f.heap
//          heapprof trend /srv/dumps
#pragma once

#include <string>

#include "cli/args/options.h"
#include "heapprof/base/error.h"

namespace heapprof {

// Returns the list of the dumps in the folders on the command line, those of a
// process in the order in which it wrote them; and the command that shows the
// newest one. Returns an empty text if the command line names a dump, or if
// there are fewer than two in its folders.
Result<std::string> FolderListing(const Options& options);

}  // namespace heapprof
