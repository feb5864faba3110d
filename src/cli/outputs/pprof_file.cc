// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/pprof_file.h"

#include "cli/outputs/gzip_output.h"

namespace heapprof {

Result<void> WritePprofFile(const Profile& profile, const PprofOptions& pprof,
                            std::string_view path, const Options& options,
                            ByteSink& out) {
  if (path.ends_with(".pb")) return WritePprof(profile, pprof, out);
  return WriteGzipped(out, JobCount(options) > 1, [&](ByteSink& plain) {
    return WritePprof(profile, pprof, plain);
  });
}

}  // namespace heapprof
