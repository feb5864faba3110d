// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "cli/run.h"
#include "cli/system/emergency_exit.h"
#include "cli/system/exit_status.h"
#include "cli/system/memory.h"
#include "heapprof/check/finding.h"

int main(int argc, char** argv) {
  heapprof::SetUpMemory();
  const bool is_check = argc > 1 && argv[1] == std::string_view("check");
  const int failed =
      is_check ? heapprof::kExitCheckFailed : heapprof::kExitFailed;
  heapprof::SetUpEmergencyExit(failed);
  if (is_check) heapprof::CatchCrashes();
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  auto options = heapprof::ParseArgs(args);
  return options ? heapprof::RunCommand(*std::move(options))
                 : heapprof::ReportError(options.error(), failed);
}
