// SPDX-License-Identifier: Apache-2.0
//
// In place of debuginfod.cc, for a program that can load no libraries.
#include "heapprof/symbolize/debuginfod.h"

namespace heapprof {

Result<std::unique_ptr<BuildIdServers>> OpenDebuginfod(std::string_view) {
  return Fail(
      ErrorKind::kUsage,
      "--debuginfod is not in this build of heapprof, which cannot load "
      "libdebuginfod (HEAPPROF_DEBUGINFOD=OFF); 'debuginfod-find debuginfo "
      "BUILD-ID' downloads a file to where heapprof finds it");
}

}  // namespace heapprof
