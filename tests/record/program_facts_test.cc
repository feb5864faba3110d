// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/program_facts.h"

#include <elf.h>
#include <sys/stat.h>

#include <cstring>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

// Returns an ELF file that asks for the loader with this path, if any.
std::string ElfWith(const std::string& loader) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  Elf64_Phdr segment = {};
  segment.p_type = loader.empty() ? PT_LOAD : PT_INTERP;
  segment.p_offset = sizeof header + sizeof segment;
  segment.p_filesz = loader.size();
  std::string bytes(sizeof header + sizeof segment, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, &segment, sizeof segment);
  return bytes + loader;
}

void WriteProgram(const TemporaryFolder& folder, const std::string& name,
                  const std::string& bytes) {
  folder.Write(name, bytes);
  chmod(folder.Path(name).c_str(), 0755);
}

TEST(ExamineElfTest, KnowsTheLoader) {
  EXPECT_EQ(ExamineElf(ElfWith("/lib64/ld-linux-x86-64.so.2")).loader,
            Loader::kGlibc);
  EXPECT_EQ(ExamineElf(ElfWith("/lib/ld-musl-x86_64.so.1")).loader,
            Loader::kOther);
  EXPECT_EQ(ExamineElf(ElfWith("")).loader, Loader::kNone);
}

TEST(ExamineElfTest, SurvivesDamage) {
  const std::string elf = ElfWith("/lib64/ld-linux-x86-64.so.2");
  for (size_t size = 0; size < elf.size(); ++size)
    ExamineElf(std::string_view(elf).substr(0, size));
  std::string wild = elf;
  std::memset(wild.data() + offsetof(Elf64_Ehdr, e_phoff), 0xff, 8);
  EXPECT_EQ(ExamineElf(wild).loader, Loader::kNone);
}

TEST(ExamineElfTest, SeesALinkedJemalloc) {
  const std::string elf = ElfWith("/lib64/ld-linux-x86-64.so.2");
  const std::string name("\0libjemalloc.so.2\0", 18);
  EXPECT_TRUE(ExamineElf(elf + name).links_jemalloc);
  EXPECT_FALSE(ExamineElf(elf).links_jemalloc);
  EXPECT_FALSE(ExamineElf(ElfWith("") + name).links_jemalloc);
}

TEST(ExamineProgramTest, FollowsScripts) {
  const TemporaryFolder folder;
  WriteProgram(folder, "python3.11", ElfWith("/lib64/ld-linux-x86-64.so.2"));
  WriteProgram(folder, "job", "#! " + folder.Path("python3.11") + " -u\n");
  const auto facts = ExamineProgram("job", folder.Path(""));
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->elf_path, folder.Path("python3.11"));
  EXPECT_TRUE(facts->IsScript());
  EXPECT_TRUE(facts->is_python);
  EXPECT_EQ(facts->loader, Loader::kGlibc);
}

TEST(ExamineProgramTest, TellsMissingFromNotExecutable) {
  const TemporaryFolder folder;
  folder.Write("text", "text");
  WriteProgram(folder, "loop", "#!" + folder.Path("loop") + "\n");
  WriteProgram(folder, "empty", "#!\n");
  const auto kind = [&folder](const std::string& name) {
    return ExamineProgram(name, folder.Path("")).error().kind;
  };
  EXPECT_EQ(kind("missing"), ErrorKind::kNoData);
  EXPECT_EQ(kind(folder.Path("missing")), ErrorKind::kNoData);
  EXPECT_EQ(kind(""), ErrorKind::kNoData);
  EXPECT_EQ(kind(folder.Path("text")), ErrorKind::kIo);
  EXPECT_EQ(kind("loop"), ErrorKind::kIo);
  EXPECT_EQ(kind("empty"), ErrorKind::kIo);
}

}  // namespace
}  // namespace heapprof
