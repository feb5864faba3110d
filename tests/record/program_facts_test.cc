// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/program_facts.h"

#include <elf.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
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

template <typename T>
void Append(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Adds a dynamic section with one entry, which refers to `name`.
std::string WithDynamicEntry(std::string elf, int64_t tag,
                             const std::string& name) {
  Elf64_Shdr sections[2] = {};
  sections[0].sh_type = SHT_DYNAMIC;
  sections[0].sh_link = 1;
  sections[0].sh_offset = elf.size();
  sections[0].sh_size = sizeof(Elf64_Dyn);
  Elf64_Dyn entry = {};
  entry.d_tag = tag;
  entry.d_un.d_val = 1;
  Append(entry, elf);
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = elf.size();
  elf += '\0' + name + '\0';
  sections[1].sh_size = elf.size() - sections[1].sh_offset;
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof header);
  header.e_shoff = elf.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 2;
  std::memcpy(elf.data(), &header, sizeof header);
  for (const Elf64_Shdr& section : sections) Append(section, elf);
  return elf;
}

TEST(ExamineElfTest, KnowsTheLoader) {
  EXPECT_EQ(ExamineElf(ElfWith("/lib64/ld-linux-x86-64.so.2")).loader,
            Loader::kGlibc);
  EXPECT_EQ(ExamineElf(ElfWith("/lib/ld-musl-x86_64.so.1")).loader,
            Loader::kOther);
  EXPECT_EQ(ExamineElf(ElfWith("")).loader, Loader::kNone);
}

TEST(ExamineElfTest, SurvivesDamage) {
  const std::string elf =
      WithDynamicEntry(ElfWith("/lib64/ld-linux-x86-64.so.2"), DT_NEEDED, "x");
  for (size_t size = 0; size < elf.size(); ++size)
    ExamineElf(std::string_view(elf).substr(0, size));
  std::string wild = elf;
  std::memset(wild.data() + offsetof(Elf64_Ehdr, e_phoff), 0xff, 8);
  EXPECT_EQ(ExamineElf(wild).loader, Loader::kNone);
}

TEST(ExamineElfTest, SeesALinkedJemalloc) {
  const std::string name = "libjemalloc.so.2";
  const auto links = [&](const std::string& loader, int64_t tag,
                         const std::string& library) {
    return ExamineElf(WithDynamicEntry(ElfWith(loader), tag, library))
        .LinksJemalloc();
  };
  const std::string loader = "/lib64/ld-linux-x86-64.so.2";
  EXPECT_TRUE(links(loader, DT_NEEDED, name));
  EXPECT_TRUE(links(loader, DT_NEEDED, "libjemalloc.so"));
  EXPECT_TRUE(links(loader, DT_NEEDED, "/opt/lib/libjemalloc.so"));
  EXPECT_TRUE(links(loader, DT_NEEDED, "libjemalloc_prof.so.2"));
  EXPECT_FALSE(links(loader, DT_NEEDED, "libother.so.2"));
  EXPECT_FALSE(links(loader, DT_NEEDED, "libacme_jemalloc.so.2"));
  EXPECT_FALSE(links("", DT_NEEDED, name));
  // The program only mentions it.
  EXPECT_FALSE(links(loader, DT_NULL, name));
  EXPECT_FALSE(
      ExamineElf(ElfWith(loader) + '\0' + name + '\0').LinksJemalloc());
}

TEST(FindLinkedJemallocTest, LooksWhereTheProgramSays) {
  const TemporaryFolder folder;
  for (const char* const name : {"own", "user"}) {
    std::filesystem::create_directory(folder.Path(name));
    folder.Write(std::string(name) + "/libjemalloc_x.so", "");
  }
  ProgramFacts program;
  program.linked_jemalloc = "libjemalloc_x.so";
  EXPECT_EQ(FindLinkedJemalloc(program, ""), "");
  program.library_folders = {folder.Path("none"), folder.Path("own")};
  const std::string own = folder.Path("own/libjemalloc_x.so");
  const std::string user = folder.Path("user/libjemalloc_x.so");
  EXPECT_EQ(FindLinkedJemalloc(program, ""), own);
  EXPECT_EQ(FindLinkedJemalloc(program, folder.Path("user")), own);
  program.has_runpath = true;
  EXPECT_EQ(FindLinkedJemalloc(program, folder.Path("user")), user);
  program.linked_jemalloc = own;
  EXPECT_EQ(FindLinkedJemalloc(program, folder.Path("user")), own);
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
