// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/args/options.h"
#include "cli/run.h"
#include "cli/system/emergency_exit.h"
#include "cli/system/memory.h"

int main(int argc, char** argv) {
  heapprof::SetUpMemory();
  heapprof::SetUpEmergencyExit();
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  auto options = heapprof::ParseArgs(args);
  return options ? heapprof::RunCommand(*std::move(options))
                 : heapprof::ReportError(options.error());
}
