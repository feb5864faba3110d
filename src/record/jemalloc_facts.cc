// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/jemalloc_facts.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "heapprof/io/input_file.h"

namespace heapprof {
namespace {

constexpr std::string_view kVariable("MALLOC_CONF\0", 12);

bool IsNameCharacter(char c) {
  return c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
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
    if (!name.empty() &&
        std::ranges::find(facts.variables, name) == facts.variables.end())
      facts.variables.push_back(std::move(name));
  }
  if (facts.variables.empty() || !bytes.contains("<jemalloc>"))
    return std::nullopt;
  facts.has_profiler = bytes.contains("heap_v2/");
  facts.names_threads = bytes.contains("prof_sys_thread_name");
  facts.has_symbols = bytes.contains(std::string_view("mallctl\0", 8));
  return facts;
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
                  "Debian the package libjemalloc2, or name it with "
                  "--jemalloc",
                  unfit));
}

std::vector<std::string> LibraryFolders(std::string_view library_path) {
  std::vector<std::string> folders;
  for (const auto part : std::views::split(library_path, ':'))
    if (!part.empty()) folders.emplace_back(part.begin(), part.end());
  for (const char* folder :
       {"/usr/local/lib", "/usr/local/lib64", "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64",
        "/lib"})
    folders.emplace_back(folder);
  return folders;
}

}  // namespace heapprof
