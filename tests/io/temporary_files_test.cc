// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/temporary_files.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

TEST(RemoveTemporaryFilesTest, RemovesWhatIsNotedAndNotForgotten) {
  const TemporaryFolder dir;
  const std::string noted = dir.Write("noted", "");
  const std::string forgotten = dir.Write("forgotten", "");
  NoteTemporaryFile(noted);
  NoteTemporaryFile(forgotten);
  ForgetTemporaryFile(forgotten);
  RemoveTemporaryFiles();
  EXPECT_FALSE(std::filesystem::exists(noted));
  EXPECT_TRUE(std::filesystem::exists(forgotten));
  // Once only: the name may belong to another file by now.
  dir.Write("noted", "");
  RemoveTemporaryFiles();
  EXPECT_TRUE(std::filesystem::exists(noted));
}

TEST(RemoveTemporaryFilesTest, HasRoomAgainForNewFiles) {
  const TemporaryFolder dir;
  for (int i = 0; i < 1000; ++i) {
    NoteTemporaryFile(dir.Path("gone"));
    ForgetTemporaryFile(dir.Path("gone"));
  }
  const std::string last = dir.Write("last", "");
  NoteTemporaryFile(last);
  RemoveTemporaryFiles();
  EXPECT_FALSE(std::filesystem::exists(last));
}

}  // namespace
}  // namespace heapprof
