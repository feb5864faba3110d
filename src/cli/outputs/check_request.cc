// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/check_request.h"

#include <unistd.h>

#include <fmt/core.h>

#include "cli/inputs/metrics.h"

namespace heapprof {

Result<void> CheckRequest(const Profile& profile, const std::string& path,
                          const Options& options) {
  if (auto ok = CheckMetrics(profile, path, options); !ok) return ok;
  for (const Output& output : options.outputs)
    if (output.format->traits.is_binary && output.IsStandardOutput() &&
        isatty(STDOUT_FILENO) == 1)
      return Fail(ErrorKind::kUsage,
                  fmt::format("--{} is binary: name a file with -o, or pipe it",
                              output.format->name));
  return {};
}

}  // namespace heapprof
