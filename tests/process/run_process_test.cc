// SPDX-License-Identifier: Apache-2.0
#include "heapprof/process/run_process.h"

#include <string>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

std::string ErrorOf(const Result<std::string>& result) {
  return result ? "no error" : result.error().message;
}

Result<std::string> Shell(const std::string& script) {
  return RunProcess(
      {.program = "sh", .package = "dash", .arguments = {"-c", script}}, "");
}

TEST(RunProcessTest, ReturnsTheProgramsOutput) {
  // More bytes than any pipe holds, and a NUL.
  std::string input(1 << 20, 'x');
  input[3] = '\0';
  const auto output =
      RunProcess({.program = "cat", .package = "coreutils"}, input);
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_TRUE(*output == input);
}

TEST(RunProcessTest, PassesArgumentsAsTheyAre) {
  const std::string odd = "a b;'\"$HOME\n*";
  const auto output = RunProcess({.program = "printf",
                                  .package = "coreutils",
                                  .arguments = {"%s|%s", odd, ""}},
                                 "");
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(*output, odd + "|");
}

TEST(RunProcessTest, DoesNotWaitForAProgramThatIgnoresItsInput) {
  const auto output = RunProcess({.program = "true", .package = "coreutils"},
                                 std::string(1 << 20, 'x'));
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(*output, "");
}

TEST(RunProcessTest, NamesThePackageOfAMissingProgram) {
  EXPECT_EQ(
      ErrorOf(RunProcess(
          {.program = "no-such-program-anywhere", .package = "graphviz"}, "")),
      "cannot run no-such-program-anywhere: it is not installed; "
      "Debian's package is graphviz");
}

TEST(RunProcessTest, SaysWhyTheProgramFailed) {
  EXPECT_EQ(ErrorOf(Shell("echo out; echo 'bad\tinput' >&2; echo >&2; exit 3")),
            "sh failed with status 3: bad?input");
  EXPECT_EQ(ErrorOf(Shell("exit 1")), "sh failed with status 1");
  EXPECT_EQ(ErrorOf(Shell("kill -9 $$")), "sh was killed by signal 9");
}

}  // namespace
}  // namespace heapprof
