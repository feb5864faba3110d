// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <string>
#include <vector>

#include "cli/memory.h"
#include "cli/options.h"
#include "cli/run.h"

int main(int argc, char** argv) {
  heapprof::SetUpMemory();
  try {
    const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    const auto options = heapprof::ParseArgs(args);
    return options ? heapprof::RunCommand(*options)
                   : heapprof::ReportError(options.error());
  } catch (const std::exception& error) {
    return heapprof::ReportError(
        {heapprof::ErrorKind::kIo, std::string("internal: ") + error.what()});
  }
}
