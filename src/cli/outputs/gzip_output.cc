// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/gzip_output.h"

#include "heapprof/io/gzip.h"

namespace heapprof {

Result<void> WriteGzipped(ByteSink& out, bool may_start_thread,
                          const std::function<Result<void>(ByteSink&)>& write) {
  GzipStream gzip(out, may_start_thread);
  ByteSink plain([&gzip](std::string_view block) -> Result<void> {
    gzip.Append(block);
    return {};
  });
  if (auto written = write(plain); !written) return written;
  if (auto finished = plain.Finish(); !finished) return finished;
  gzip.Finish();
  return {};
}

bool IsGzipName(std::string_view path) { return path.ends_with(".gz"); }

}  // namespace heapprof
