// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/doctor/diagnose.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

using testing::HasSubstr;

const Fact* FindFact(const Diagnosis& diagnosis, std::string_view name) {
  const auto found = std::ranges::find(diagnosis.facts, name, &Fact::name);
  return found == diagnosis.facts.end() ? nullptr : &*found;
}

TEST(DiagnoseProgramTest, FailsIfThereIsNone) {
  const auto none = DiagnoseProgram("./no-such-program", {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::kNoData);
}

TEST(DiagnoseProgramTest, LooksIntoThisTest) {
  const std::string path = std::filesystem::read_symlink("/proc/self/exe");
  const auto diagnosis = DiagnoseProgram(path, {});
  ASSERT_TRUE(diagnosis);
  EXPECT_EQ(diagnosis->subject, path);
  ASSERT_NE(FindFact(*diagnosis, "program"), nullptr);
  EXPECT_THAT(FindFact(*diagnosis, "program")->text,
              HasSubstr("dynamic, for glibc"));
  EXPECT_NE(FindFact(*diagnosis, "names"), nullptr);
}

// A file of another class is static for our purposes.
TEST(DiagnoseProgramTest, SaysThatAStaticProgramNeedsAJemalloc) {
  const TemporaryFolder folder;
  const std::string program = folder.Write("app", "\177ELF");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const auto diagnosis = DiagnoseProgram(program, {});
  ASSERT_TRUE(diagnosis);
  EXPECT_FALSE(diagnosis->IsReady());
  const Fact* const jemalloc = FindFact(*diagnosis, "jemalloc");
  ASSERT_NE(jemalloc, nullptr);
  EXPECT_THAT(jemalloc->text, HasSubstr("none in the program"));
}

TEST(DiagnoseProgramTest, SeesAJemallocWithoutAProfiler) {
  const TemporaryFolder folder;
  std::string bytes = "\177ELF";
  for (const char* const text : {"", "<jemalloc>: x", "_RJEM_MALLOC_CONF"})
    bytes += text + std::string(1, '\0');
  const std::string program = folder.Write("app", bytes);
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const auto diagnosis = DiagnoseProgram(program, {});
  ASSERT_TRUE(diagnosis);
  const Fact* const profiler = FindFact(*diagnosis, "profiler");
  ASSERT_NE(profiler, nullptr);
  EXPECT_EQ(profiler->state, FactState::kMissing);
  EXPECT_THAT(profiler->text, HasSubstr("without --enable-prof"));
}

}  // namespace
}  // namespace heapprof
