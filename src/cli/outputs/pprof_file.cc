// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/pprof_file.h"

#include "heapprof/io/gzip.h"

namespace heapprof {

Result<void> WritePprofFile(const Profile& profile, const PprofOptions& pprof,
                            std::string_view path, const Options& options,
                            ByteSink& out) {
  if (path.ends_with(".pb")) return WritePprof(profile, pprof, out);
  GzipStream gzip(out, JobCount(options) > 1);
  ByteSink plain([&gzip](std::string_view block) -> Result<void> {
    gzip.Append(block);
    return {};
  });
  if (auto written = WritePprof(profile, pprof, plain); !written)
    return written;
  if (auto finished = plain.Finish(); !finished) return finished;
  gzip.Finish();
  return {};
}

}  // namespace heapprof
