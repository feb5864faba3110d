// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/next_commands.h"

#include <gtest/gtest.h>

#include "cli/args/options.h"

namespace heapprof {
namespace {

TEST(CommandWithTest, LeavesOutWhatChoosesTheOutput) {
  Options options;
  options.args = {"-o",    "mem.md",       "--budget=4KB", "--budget",
                  "4KB",   "--markdown",   "-overview",    "--output=x.md",
                  "--cum", "app-markdown", "mem-overview", "--text",
                  "-TEX",  "mem-text",     "--ci"};
  EXPECT_EQ(CommandWith("-o mem.html", options),
            "heapprof -o mem.html --cum app-markdown mem-overview mem-text");
}

// So that a report does not depend on the number of threads.
TEST(CommandWithTest, LeavesOutTheNumberOfThreads) {
  Options options;
  options.args = {"--jobs", "3", "-jobs=4", "--cum", "a.heap"};
  EXPECT_EQ(CommandWith("-o mem.html", options),
            "heapprof -o mem.html --cum a.heap");
}

}  // namespace
}  // namespace heapprof
