// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/main_function.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(IsMainTest, IsTrueForItsPartsAndForNoOtherFunction) {
  for (const char* name : {"main", "main.cold", "main.part.0"})
    EXPECT_TRUE(IsMain(name)) << name;
  for (const char* name :
       {"", "app::main", "main.main", "pymain_main", "main2"})
    EXPECT_FALSE(IsMain(name)) << name;
}

TEST(IsStartOfProgramTest, KnowsTheMainFunctionsOfLargePrograms) {
  for (const char* name : {"main", "main.cold", "app::main", "mysqld_main",
                           "radosgw_Main", "optMain"})
    EXPECT_TRUE(IsStartOfProgram(name)) << name;
  for (const char* name : {"", "main_loop", "domain", "Mainframe", "main2"})
    EXPECT_FALSE(IsStartOfProgram(name)) << name;
}

}  // namespace
}  // namespace heapprof
