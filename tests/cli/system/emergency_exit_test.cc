// SPDX-License-Identifier: Apache-2.0
#include "cli/system/emergency_exit.h"

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "heapprof/io/temporary_files.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

TEST(SetUpEmergencyExitTest, RemovesTemporaryFilesIfASignalEndsTheProcess) {
  const TemporaryFolder dir;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    const std::string path = dir.Write("report.tmp", "half");
    const auto end = [&] {
      // A shell ignores SIGINT in what a script runs in the background.
      signal(number, SIG_DFL);
      SetUpEmergencyExit(1);
      NoteTemporaryFile(path);
      raise(number);
    };
    EXPECT_EXIT(end(), testing::KilledBySignal(number), "");
    EXPECT_FALSE(std::filesystem::exists(path)) << number;
  }
}

TEST(SetUpEmergencyExitTest, KeepsSignalsIgnoredThatAre) {
  const auto end = [] {
    signal(SIGHUP, SIG_IGN);
    SetUpEmergencyExit(1);
    raise(SIGHUP);
    _exit(7);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace heapprof
