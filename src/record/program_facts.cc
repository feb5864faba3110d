// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/program_facts.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>
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

// Returns the strings of the dynamic section with that tag, all of which are
// paths.
std::vector<std::string_view> DynamicStrings(const Table<Elf64_Dyn>& dynamic,
                                             int64_t tag) {
  std::vector<std::string_view> found;
  for (const Elf64_Dyn& entry : dynamic.entries) {
    if (entry.d_tag != tag) continue;
    const std::string_view strings =
        dynamic.StringsFrom(entry.d_un.d_val).substr(0, PATH_MAX);
    found.push_back(strings.substr(0, strings.find('\0')));
  }
  return found;
}

// Returns the libjemalloc.so that the loader loads together with the program. A
// program that only mentions its name may load it later, or never. A build of
// one's own may have no version, "libjemalloc.so", or a name such as
// "libjemalloc_prof.so.2"; without a DT_SONAME, it is a path. Other names,
// "libacme_jemalloc.so", may stand for one with a prefix, which does not
// replace malloc().
std::string LinkedJemalloc(const Table<Elf64_Dyn>& dynamic) {
  for (const std::string_view needed : DynamicStrings(dynamic, DT_NEEDED))
    if (BaseName(needed).starts_with("libjemalloc")) return std::string(needed);
  return "";
}

void AddLinkedJemalloc(std::string_view elf, ProgramFacts& facts) {
  const auto dynamic = ReadTable<Elf64_Dyn>(elf, SHT_DYNAMIC);
  facts.linked_jemalloc = LinkedJemalloc(dynamic);
  auto paths = DynamicStrings(dynamic, DT_RUNPATH);
  facts.has_runpath = !paths.empty();
  if (paths.empty()) paths = DynamicStrings(dynamic, DT_RPATH);
  if (!paths.empty())  // the loader takes the last one
    std::ranges::copy(SplitNonEmpty(paths.back(), ':'),
                      std::back_inserter(facts.library_folders));
}

// Replaces $ORIGIN, the folder of the program.
void ReplaceOrigin(std::string_view folder, std::string& path) {
  for (const std::string_view origin : {"${ORIGIN}", "$ORIGIN"})
    if (const size_t at = path.find(origin); at != path.npos)
      path.replace(at, origin.size(), folder);
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
  if (facts.loader != Loader::kNone) AddLinkedJemalloc(elf, facts);
  return facts;
}

std::string FindLinkedJemalloc(const ProgramFacts& program,
                               std::string_view library_path) {
  const std::string& name = program.linked_jemalloc;
  if (name.empty() || name.contains('/')) return name;
  std::vector<std::string> folders = LibraryFolders(library_path);
  const auto after =
      program.has_runpath ? SplitNonEmpty(library_path, ':').size() : size_t{0};
  folders.insert(folders.begin() + static_cast<ptrdiff_t>(after),
                 program.library_folders.begin(),
                 program.library_folders.end());
  for (const std::string& folder : folders)
    if (std::string path = folder + '/' + name; access(path.c_str(), R_OK) == 0)
      return path;
  return "";
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
      std::error_code error;
      const std::string real = std::filesystem::canonical(file, error);
      for (std::string& folder : facts.library_folders)
        ReplaceOrigin(FolderOf(error ? file : real), folder);
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
