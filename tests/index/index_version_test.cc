// SPDX-License-Identifier: Apache-2.0
//
// An index on disk is only rebuilt if kIndexVersion changes. So the version
// must change with all that decides what an index says: the DWARF reader, the
// demangler and the format.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "heapprof/demangle/demangle.h"
#include "heapprof/dwarf/code_map.h"
#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "heapprof/index/index_file.h"
#include "index/content_hash.h"
#include "index/index_format.h"
#include "index/index_testing.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

// Made by testdata/index/make.sh and checked in, so that their indexes depend
// on neither the machine nor the compiler.
constexpr std::array kBinaries = {"cc.so", "cc.dwarf4.so", "rust.so"};

// What the binaries have no functions for: abbreviations of the standard
// library, return types, lambdas, template packs, ABI tags, both Rust
// manglings.
const std::vector<std::string_view> kLinkageNames = {
    "_ZN4demo5ParseERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
    "_ZZN4demo3RunEvENKUliE_clEi",
    "_ZN4demo4EmitIJidPKcEEEvDpOT_",
    "_ZN4demo4NameB5cxx11Ev",
    "_ZNKSs4findEPKcm",
    "_ZN4core3ptr85drop_in_place$LT$std..rt..lang_start$LT$$LP$$RP$$GT$"
    "..$u7b$$u7b$closure$u7d$$u7d$$GT$17h8a7d5b3c2e1f0a9bE",
    "_RNvMs_NtCs1234_7mycrate3fooINtB4_3BarmE3baz"};

std::string PathOf(std::string_view name) {
  return fmt::format("{}/index/{}", HEAPPROF_TESTDATA, name);
}

// The index of a binary, as a run leaves it that demangles all mangled names.
std::string IndexOf(std::string_view name) {
  const auto image = ElfImage::Open(PathOf(name));
  if (!image) return image.error().message;
  const SymbolTable symbols = SymbolTable::Load({&*image});
  const auto resolver = OpenDwarfResolver(*image, *image, symbols, 1);
  if (!resolver) return resolver.error().message;
  std::optional<CodeMap> map = (*resolver)->MapCode(1);
  if (!map) return "no map";
  const std::vector<std::string> demangled = DemangleAll(map->names);
  map->demangled_names.assign(demangled.begin(), demangled.end());
  for (size_t i = 0; i < demangled.size(); ++i)
    if (demangled[i] == map->names[i]) map->demangled_names[i] = {};
  // The path of the binary is not part of this key.
  const auto bytes = EncodeIndex(SmallKey(), &*map);
  return bytes ? *bytes : bytes.error().message;
}

// Without the header, which has the version.
std::string DigestOfIndexes() {
  std::string all;
  for (const std::string_view name : kBinaries) {
    const std::string bytes = IndexOf(name);
    EXPECT_GT(bytes.size(), size_t{500}) << name << ": " << bytes;
    if (bytes.size() > kIndexHeaderSize) all += bytes.substr(kIndexHeaderSize);
  }
  for (const std::string& demangled : DemangleAll(kLinkageNames))
    all += demangled + '\n';
  const ContentHash hash = HashContent(BytesOf(all));
  return fmt::format("{:016x}{:016x}", hash[0], hash[1]);
}

TEST(IndexVersionTest, ChangesWithWhatAnIndexSays) {
  const std::string path = PathOf("version");
  const std::string digest = DigestOfIndexes();
  const std::string expected =
      fmt::format("format version {}: digest {}\n", kIndexVersion, digest);
  EXPECT_EQ(ReadFile(path), expected)
      << "The reader, the demangler or the format makes other indexes than it "
         "did. Indexes that users have would go on giving the old answers. If "
         "the change is intended, increase kIndexVersion in "
         "src/index/index_format.h unless this change has already done so, "
         "and write the line above that begins with \"format version\" to "
      << path << ".";
}

}  // namespace
}  // namespace heapprof
