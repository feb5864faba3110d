// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <strings.h>

#include "preload.h"

OLD_VERSION(dlsym);

extern char** environ;

enum { kMostPrefixes = 8, kLongestPrefixOfName = 32, kLongestName = 64 };
// Of functions: none, jemalloc's own, that of Rust's crates, and others.
static char prefixes[kMostPrefixes][kLongestPrefixOfName] = {"", "je_",
                                                             "_rjem_"};
static size_t prefix_count = 3;
static const char kMallctl[] = "mallctl", kPrintStats[] = "malloc_stats_print";

// An ELF file in memory. It is read without a library: what this one loads, the
// recorded program loads, too.
struct Image {
  const char* bytes;
  size_t size;
};

// Returns `count` elements of `size` bytes at `offset`; null if the file is too
// short.
static const void* At(struct Image image, uint64_t offset, uint64_t count,
                      size_t size) {
  if (offset > image.size || count > (image.size - offset) / size) return NULL;
  return image.bytes + offset;
}

// Adds the prefix of a variable of the environment, such as SHOP_MALLOC_CONF.
static void AddPrefix(const char* entry) {
  static const char kEnd[] = "MALLOC_CONF=";
  const char* const end = strchr(entry, '=');
  if (end == NULL || end - entry < (ptrdiff_t)sizeof kEnd - 2) return;
  const size_t length = (size_t)(end - entry) - (sizeof kEnd - 2);
  if (length >= kLongestPrefixOfName || prefix_count == kMostPrefixes ||
      strncmp(entry + length, kEnd, sizeof kEnd - 1) != 0)
    return;
  char* const prefix = prefixes[prefix_count];
  for (size_t i = 0; i < length; ++i) prefix[i] = (char)tolower(entry[i]);
  prefix[length] = 0;
  size_t i = 0;
  while (strcmp(prefixes[i], prefix) != 0) ++i;
  if (i == prefix_count) ++prefix_count;
}

// Returns true if `name` is that of `function`, with any prefix.
static bool IsNamed(const char* name, const char* function) {
  for (size_t i = 0; i < prefix_count; ++i) {
    const size_t length = strlen(prefixes[i]);
    if (strncasecmp(name, prefixes[i], length) == 0 &&
        strcmp(name + length, function) == 0)
      return true;
  }
  return false;
}

// Returns the address of a function in a table of symbols; 0 if it is not
// there.
static ElfW(Addr) FindSymbol(struct Image image, const ElfW(Shdr) * table,
                             const ElfW(Shdr) * names, const char* function) {
  const size_t count = table->sh_size / sizeof(ElfW(Sym));
  const ElfW(Sym)* symbol = At(image, table->sh_offset, count, sizeof *symbol);
  const char* const text = At(image, names->sh_offset, names->sh_size, 1);
  if (symbol == NULL || text == NULL || names->sh_size == 0 ||
      text[names->sh_size - 1] != 0)
    return 0;
  for (size_t i = 0; i < count; ++i, ++symbol)
    if ((symbol->st_info & 15) == STT_FUNC && symbol->st_shndx != SHN_UNDEF &&
        symbol->st_name < names->sh_size &&
        IsNamed(text + symbol->st_name, function))
      return symbol->st_value;
  return 0;
}

static ElfW(Addr) FindInImage(struct Image image, const char* function) {
  const ElfW(Ehdr)* const header = At(image, 0, 1, sizeof *header);
  if (header == NULL || header->e_shentsize != sizeof(ElfW(Shdr))) return 0;
  const ElfW(Shdr)* const sections =
      At(image, header->e_shoff, header->e_shnum, sizeof *sections);
  if (sections == NULL) return 0;
  for (size_t i = 0; i < header->e_shnum; ++i)
    if (sections[i].sh_type == SHT_SYMTAB &&
        sections[i].sh_link < header->e_shnum)
      return FindSymbol(image, &sections[i], &sections[sections[i].sh_link],
                        function);
  return 0;
}

static int GetBase(struct dl_phdr_info* info, size_t size, void* base) {
  (void)size;
  *(ElfW(Addr)*)base = info->dlpi_addr;
  return 1;  // the program is the first module
}

// Finds the functions in a program that contains jemalloc. Its dynamic symbols
// lack them, because no library refers to them.
static struct Jemalloc FindInProgram(void) {
  struct Jemalloc found = {NULL, NULL};
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return found;
  const off_t size = lseek(file, 0, SEEK_END);
  void* const bytes =
      size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0)
               : MAP_FAILED;
  close(file);
  if (bytes == MAP_FAILED) return found;
  const struct Image image = {bytes, (size_t)size};
  const ElfW(Addr) mallctl = FindInImage(image, kMallctl);
  const ElfW(Addr) print = FindInImage(image, kPrintStats);
  munmap(bytes, (size_t)size);
  ElfW(Addr) base = 0;
  if (mallctl == 0 || dl_iterate_phdr(GetBase, &base) == 0) return found;
  found.mallctl = (Mallctl*)(base + mallctl);
  if (print != 0) found.print_stats = (PrintStats*)(base + print);
  return found;
}

static void* FindInLibraries(const char* prefix, const char* function) {
  char name[kLongestName];
  strcpy(name, prefix);
  return dlsym(RTLD_DEFAULT, strcat(name, function));
}

bool ReadBool(Mallctl* mallctl, const char* name) {
  bool value = false;
  size_t size = sizeof value;
  return mallctl(name, &value, &size, NULL, 0) == 0 && value;
}

static bool HasProfiler(Mallctl* mallctl) {
  return mallctl != NULL && ReadBool(mallctl, "config.prof");
}

// The one in the program may have no profiler, but a library may have one.
struct Jemalloc FindJemalloc(void) {
  for (char** entry = environ; *entry != NULL; ++entry) AddPrefix(*entry);
  struct Jemalloc found = FindInProgram();
  for (size_t i = 0; !HasProfiler(found.mallctl) && i < prefix_count; ++i) {
    const struct Jemalloc other = {
        (Mallctl*)FindInLibraries(prefixes[i], kMallctl),
        (PrintStats*)FindInLibraries(prefixes[i], kPrintStats)};
    if (found.mallctl == NULL || HasProfiler(other.mallctl)) found = other;
  }
  return found;
}
