// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/jemalloc_facts.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/char_class.h"
#include "heapprof/base/lower_case.h"
#include "heapprof/base/split.h"
#include "heapprof/io/input_file.h"

namespace heapprof {
namespace {

constexpr std::string_view kVariable("MALLOC_CONF\0", 12);

bool IsNameCharacter(char c) {
  return c == '_' || (c >= 'A' && c <= 'Z') || IsDigit(c);
}

// Returns the string that ends with the variable's name at `end`; empty if it
// does not begin after a 0 byte, or is longer than a prefix makes it.
std::string VariableBefore(std::string_view bytes, size_t end) {
  constexpr size_t kLongest = 64;
  size_t start = end;
  while (start > 0 && end - start < kLongest &&
         IsNameCharacter(bytes[start - 1]))
    --start;
  if (start == 0 || bytes[start - 1] != '\0') return "";
  return std::string(bytes.substr(start, end - start));
}

// True if the file has a string that begins with `start` and goes on. A program
// that searches for jemalloc's strings, as this one does, has them without what
// follows.
bool HasLongerString(std::string_view bytes, std::string_view start) {
  for (size_t at = bytes.find(start); at != bytes.npos;
       at = bytes.find(start, at + 1)) {
    const std::string_view rest = bytes.substr(at + start.size());
    if (!rest.empty() && rest.front() != '\0') return true;
  }
  return false;
}

// Returns "5.3.0" of "5.3.0-0-g54eaed1d8b56b1aa528be3bdd1877e59c56fa90c", which
// every build contains; empty if there is none.
std::string FindVersion(std::string_view bytes) {
  constexpr std::string_view kMark = "-g";
  constexpr size_t kHashLength = 40, kLongest = 24;
  for (size_t at = bytes.find(kMark); at != bytes.npos;
       at = bytes.find(kMark, at + 1)) {
    const std::string_view hash = bytes.substr(at + kMark.size(), kHashLength);
    if (hash.size() < kHashLength || !IsAllHex(hash)) continue;
    const size_t first = at < kLongest ? 0 : at - kLongest;
    std::string_view before = bytes.substr(first, at - first);
    before.remove_prefix(before.rfind('\0') + 1);
    const std::string_view version = before.substr(0, before.find('-'));
    // Builds from sources without a repository call themselves 0.0.0.
    if (!version.empty() && version != "0.0.0" &&
        version.find_first_not_of("0123456789.") == version.npos)
      return std::string(version);
  }
  return "";
}

Unwinder FindUnwinder(std::string_view bytes) {
  if (bytes.contains("_Unwind_Backtrace")) return Unwinder::kLibgcc;
  return bytes.contains("unw_backtrace") ? Unwinder::kLibunwind
                                         : Unwinder::kUnknown;
}

// True for 64-bit files of the processor that this program runs on.
bool IsForThisProcessor(std::string_view bytes) {
#if defined(__x86_64__)
  constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
  constexpr uint16_t kMachine = EM_AARCH64;
#else
  constexpr uint16_t kMachine = EM_NONE;
#endif
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header.e_ident[EI_CLASS] == ELFCLASS64 &&
         (header.e_machine == kMachine || kMachine == EM_NONE);
}

}  // namespace

std::optional<JemallocFacts> FindJemallocIn(std::string_view bytes) {
  JemallocFacts facts;
  for (size_t at = bytes.find(kVariable); at != bytes.npos;
       at = bytes.find(kVariable, at + 1)) {
    std::string name = VariableBefore(bytes, at + kVariable.size() - 1);
    if (!name.empty() && !facts.Reads(name))
      facts.variables.push_back(std::move(name));
  }
  if (facts.variables.empty() || !HasLongerString(bytes, "<jemalloc>: "))
    return std::nullopt;
  // Only code that --enable-prof compiles contains this.
  facts.has_profiler = HasLongerString(bytes, "Leak approximation summary");
  facts.names_threads = bytes.contains("prof_sys_thread_name");
  facts.keeps_recent = bytes.contains("prof_recent_alloc_max");
  facts.has_symbols = bytes.contains(std::string_view("mallctl\0", 8));
  facts.version = FindVersion(bytes);
  facts.unwinder = FindUnwinder(bytes);
  return facts;
}

std::string NamePrefix(const JemallocFacts& jemalloc) {
  std::string prefix = jemalloc.variables.front();
  prefix.resize(prefix.size() - std::min(prefix.size(), kMallocConf.size()));
  return LowerCase(prefix);
}

Result<JemallocLibrary> ReadJemallocLibrary(const std::string& path) {
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  auto facts = FindJemallocIn(file->bytes());
  if (!facts)
    return Fail(
        ErrorKind::kNoData,
        fmt::format("{}: expected a jemalloc library, found none of its "
                    "strings",
                    path));
  if (!IsForThisProcessor(file->bytes()))
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: is for another kind of processor", path));
  if (!facts->has_profiler)
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: was built without --enable-prof", path));
  return JemallocLibrary{path, *std::move(facts)};
}

Result<JemallocLibrary> FindJemallocLibrary(
    std::span<const std::string> folders) {
  std::string unfit;
  for (const std::string& folder : folders) {
    const std::string path = folder + "/libjemalloc.so.2";
    if (access(path.c_str(), R_OK) != 0) continue;
    auto library = ReadJemallocLibrary(path);
    if (library) return library;
    if (unfit.empty()) unfit = "; " + library.error().message;
  }
  return Fail(
      ErrorKind::kNoData,
      fmt::format("no jemalloc with a profiler found{}; install one, on "
                  "Debian for amd64 the package libjemalloc2, or build one "
                  "with --enable-prof, and name it with --jemalloc",
                  unfit));
}

std::vector<std::string> LibraryFolders(std::string_view library_path) {
  std::vector<std::string> folders = SplitNonEmpty(library_path, ':');
  for (const char* folder :
       {"/usr/local/lib", "/usr/local/lib64", "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64",
        "/lib"})
    folders.emplace_back(folder);
  return folders;
}

}  // namespace heapprof
