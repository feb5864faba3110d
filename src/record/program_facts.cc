// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/program_facts.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/split.h"
#include "heapprof/io/input_file.h"

namespace heapprof {
namespace {

bool IsRunnable(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

Result<std::string> FindProgram(const std::string& program,
                                std::string_view search_path) {
  if (program.contains('/')) {
    if (IsRunnable(program)) return program;
    const bool exists = access(program.c_str(), F_OK) == 0;
    return Fail(exists ? ErrorKind::kIo : ErrorKind::kNoData,
                fmt::format("cannot run {}: {}", program,
                            exists ? "it is no executable file"
                                   : "there is no such file"));
  }
  for (const std::string_view folder : Split(search_path, ':')) {
    std::string path(folder.empty() ? "." : folder);
    path += '/' + program;
    if (!program.empty() && IsRunnable(path)) return path;
  }
  const std::string local = "./" + program;
  std::string hint;
  if (!program.empty() && IsRunnable(local))
    hint = "; did you mean " + local + "?";
  else if (program.contains(' '))
    hint = "; leave out the quotes around a program and its arguments";
  return Fail(ErrorKind::kNoData,
              fmt::format("cannot run '{}': no folder in PATH has it{}",
                          program, hint));
}

// ELF files are read here without ElfImage: a recording needs three facts of
// the headers and the dynamic section, of a file that is mapped already, and is
// no reason to link libelf into this module.

// Reads a structure at `offset`. Returns false if it is beyond the end.
template <typename T>
bool ReadAt(std::string_view bytes, uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof value)
    return false;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return true;
}

Loader LoaderOf(std::string_view bytes) {
  Elf64_Ehdr header;
  if (!ReadAt(bytes, 0, header) || header.e_ident[EI_CLASS] != ELFCLASS64)
    return Loader::kNone;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!ReadAt(bytes, header.e_phoff + i * header.e_phentsize, segment))
      return Loader::kNone;
    if (segment.p_type != PT_INTERP || segment.p_offset > bytes.size())
      continue;
    const std::string_view name =
        bytes.substr(segment.p_offset, segment.p_filesz);
    return name.contains("/ld-linux") ? Loader::kGlibc : Loader::kOther;
  }
  return Loader::kNone;
}

// A section of entries of the type T, and the strings that they refer to.
template <typename T>
struct Table {
  std::vector<T> entries = {};
  std::string_view strings = {};

  // Returns the string that begins at `offset`, up to the end of all.
  std::string_view StringsFrom(uint64_t offset) const {
    return offset < strings.size() ? strings.substr(offset)
                                   : std::string_view();
  }
};

// Reads the first section of that type; returns an empty table if there is
// none.
template <typename T>
Table<T> ReadTable(std::string_view elf, uint32_t type) {
  Elf64_Ehdr header;
  if (!ReadAt(elf, 0, header) || header.e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto section_at = [&](uint64_t i) {
    Elf64_Shdr found;
    if (!ReadAt(elf, header.e_shoff + i * header.e_shentsize, found))
      found = {};
    return found;
  };
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr section = section_at(i);
    if (section.sh_type != type) continue;
    Table<T> table;
    T entry;
    for (uint64_t at = 0;
         at < section.sh_size && ReadAt(elf, section.sh_offset + at, entry);
         at += sizeof entry)
      table.entries.push_back(entry);
    const Elf64_Shdr strings = section_at(section.sh_link);
    if (strings.sh_offset <= elf.size())
      table.strings = elf.substr(strings.sh_offset, strings.sh_size);
    return table;
  }
  return {};
}

// True if the dynamic symbols have malloc(): then those of no library count.
bool DefinesMalloc(std::string_view elf) {
  constexpr std::string_view kMalloc("malloc\0", 7);
  const auto symbols = ReadTable<Elf64_Sym>(elf, SHT_DYNSYM);
  return std::ranges::any_of(symbols.entries, [&](const Elf64_Sym& symbol) {
    return symbol.st_shndx != SHN_UNDEF &&
           symbols.StringsFrom(symbol.st_name).starts_with(kMalloc);
  });
}

// True if the loader loads a libjemalloc.so together with the program. One that
// only mentions its name may load it later, or never. A build of one's own may
// have no version, "libjemalloc.so", or a name such as "libjemalloc_prof.so.2".
// Other names, "libacme_jemalloc.so", may stand for one with a prefix, which
// does not replace malloc().
bool LinksJemalloc(std::string_view elf) {
  constexpr std::string_view kStart = "libjemalloc";
  const auto tags = ReadTable<Elf64_Dyn>(elf, SHT_DYNAMIC);
  return std::ranges::any_of(tags.entries, [&](const Elf64_Dyn& tag) {
    if (tag.d_tag != DT_NEEDED) return false;
    const std::string_view strings = tags.StringsFrom(tag.d_un.d_val);
    // A path if the library that the linker was given has no DT_SONAME.
    const std::string_view path = strings.substr(0, strings.find('\0'));
    return BaseName(path).starts_with(kStart);
  });
}

// Returns the words of the first line of a script, after "#!".
std::vector<std::string> InterpreterOf(std::string_view script) {
  const std::string_view line =
      script.substr(2, std::min(script.find('\n'), script.size()) - 2);
  return SplitNonEmpty(line, ' ');
}

// True for "python3" and "/usr/bin/python3.11".
bool IsPython(std::string_view program) {
  std::string_view name = BaseName(program);
  if (!name.starts_with("python")) return false;
  name.remove_prefix(std::string_view("python").size());
  return name.find_first_not_of("0123456789.") == name.npos;
}

}  // namespace

ProgramFacts ExamineElf(std::string_view elf) {
  ProgramFacts facts;
  facts.loader = LoaderOf(elf);
  facts.jemalloc = FindJemallocIn(elf);
  facts.has_static_glibc =
      facts.loader == Loader::kNone && elf.contains("GLIBC_TUNABLES");
  facts.has_malloc = DefinesMalloc(elf);
  facts.links_jemalloc = facts.loader != Loader::kNone && LinksJemalloc(elf);
  return facts;
}

Result<ProgramFacts> ExamineProgram(const std::string& program,
                                    std::string_view search_path) {
  auto path = FindProgram(program, search_path);
  if (!path) return std::unexpected(path.error());
  bool is_python = IsPython(program);
  std::string file = *path;
  // The interpreter of a script may be a script; the kernel follows a few.
  constexpr int kMostScripts = 4;
  for (int i = 0; i <= kMostScripts; ++i) {
    const auto input = InputFile::Open(file);
    if (!input) return std::unexpected(input.error());
    if (!input->bytes().starts_with("#!")) {
      ProgramFacts facts = ExamineElf(input->bytes());
      facts.path = *std::move(path);
      facts.elf_path = file;
      facts.is_python = is_python;
      return facts;
    }
    const std::vector<std::string> words = InterpreterOf(input->bytes());
    is_python = is_python || std::ranges::any_of(words, IsPython);
    if (words.empty()) break;
    file = words.front();
  }
  return Fail(ErrorKind::kIo,
              fmt::format("cannot run {}: its first line names no interpreter",
                          program));
}

}  // namespace heapprof
