// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/args/command_table.h"
#include "cli/args/parse_args.h"
#include "cli/run.h"
#include "cli/system/emergency_exit.h"
#include "cli/system/exit_status.h"
#include "cli/system/memory.h"

int main(int argc, char** argv) {
  heapprof::SetUpMemory();
  const heapprof::CommandSpec* const command =
      argc > 1 ? heapprof::FindCommand(argv[1]) : nullptr;
  const int failed =
      command != nullptr ? command->failed : heapprof::kExitFailed;
  heapprof::SetUpEmergencyExit(failed);
  // A status of its own also tells a crash from a finding.
  if (failed != heapprof::kExitFailed) heapprof::CatchCrashes();
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  auto options = heapprof::ParseArgs(args);
  return options ? heapprof::RunCommand(*std::move(options))
                 : heapprof::ReportError(options.error(), failed);
}
