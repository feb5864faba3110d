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
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    const std::string path = dir.Write("report.tmp", "half");
    const auto end = [&] {
      SetUpEmergencyExit(1);
      NoteTemporaryFile(path);
      raise(signal);
    };
    EXPECT_EXIT(end(), testing::KilledBySignal(signal), "");
    EXPECT_FALSE(std::filesystem::exists(path)) << signal;
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
