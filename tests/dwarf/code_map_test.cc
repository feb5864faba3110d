// SPDX-License-Identifier: Apache-2.0
//
// The functions of a code map if a name is stored in several places or several
// functions share it.
#include "heapprof/dwarf/code_map.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

constexpr uint64_t kFunctionSize = 0x10;

// The names in .debug_str, some of them twice.
class Names {
 public:
  Names() = default;
  explicit Names(DwarfBytes bytes) : bytes_(std::move(bytes)) {}

  uint64_t Add(std::string_view name) {
    const uint64_t at = bytes_.size();
    bytes_.Text(name);
    return at;
  }
  const DwarfBytes& bytes() const { return bytes_; }

 private:
  DwarfBytes bytes_;
};

// A unit whose functions follow each other.
class Unit {
 public:
  enum Code : uint64_t { kUnit = 1, kFunction, kMember, kDeclaration };

  static DwarfBytes Abbreviations() {
    DwarfBytes table;
    table.Ulebs({kUnit, DW_TAG_compile_unit, 1, DW_AT_low_pc, DW_FORM_addr,
                 DW_AT_high_pc, DW_FORM_data4, 0, 0});
    table.Ulebs({kFunction, DW_TAG_subprogram, 0, DW_AT_linkage_name,
                 DW_FORM_strp, DW_AT_name, DW_FORM_strp});
    AddCode(table);
    table.Ulebs({kMember, DW_TAG_subprogram, 0, DW_AT_linkage_name,
                 DW_FORM_strp, DW_AT_specification, DW_FORM_ref4});
    AddCode(table);
    table.Ulebs({kDeclaration, DW_TAG_subprogram, 0, DW_AT_linkage_name,
                 DW_FORM_strp, 0, 0});
    return table.U8(0);
  }

  Unit() { dies_.Uleb(kUnit).U64(kCodeStart).U32(kCodeSize); }
  Unit& Function(uint64_t linkage_name, uint64_t name, uint64_t line) {
    dies_.Uleb(kFunction).U32(linkage_name).U32(name);
    return Code(line);
  }
  // With a declaration before it.
  Unit& Member(uint64_t linkage_name, uint64_t declared_name, uint64_t line) {
    const uint64_t declaration = kHeaderSize + dies_.size();
    dies_.Uleb(kDeclaration).U32(declared_name);
    dies_.Uleb(kMember).U32(linkage_name).U32(declaration);
    return Code(line);
  }
  DwarfBytes bytes() const {
    return DwarfBytes().Unit(OldUnitHeader().Append(dies_).U8(0));
  }

 private:
  static constexpr uint64_t kHeaderSize = 11;

  static void AddCode(DwarfBytes& table) {
    table.Ulebs({DW_AT_decl_line, DW_FORM_data1, DW_AT_low_pc, DW_FORM_addr,
                 DW_AT_high_pc, DW_FORM_data4, 0, 0});
  }
  Unit& Code(uint64_t line) {
    dies_.U8(line).U64(next_).U32(kFunctionSize);
    next_ += kFunctionSize;
    return *this;
  }

  DwarfBytes dies_;
  uint64_t next_ = kCodeStart;
};

class CodeMapTest : public testing::Test {
 protected:
  void Open(const Unit& unit) {
    file_.emplace(MakeElf({{".debug_info", unit.bytes()},
                           {".debug_abbrev", Unit::Abbreviations()},
                           {".debug_str", names_.bytes()}}));
    auto image = ElfImage::Open(file_->path());
    ASSERT_TRUE(image) << image.error().message;
    image_ = *std::move(image);
    symbols_ = SymbolTable::Load({&*image_});
    auto resolver = OpenDwarfResolver(*image_, *image_, symbols_, 1);
    ASSERT_TRUE(resolver) << resolver.error().message;
    resolver_ = *std::move(resolver);
    map_ = resolver_->MapCode(1);
    ASSERT_TRUE(map_);
  }

  // The `i`-th function, as the resolver answers it.
  std::string NameResolved(uint64_t i) {
    const ResolvedAddresses answer =
        resolver_->Resolve(std::vector{kCodeStart + i * kFunctionSize});
    if (answer.functions.size() != 1) return "";
    const SourceFunction& function = answer.functions[0];
    return std::string(function.linkage_name) +
           std::string(function.scoped_name);
  }
  const MapFunction& Mapped(uint64_t i) const {
    return map_->functions.at(map_->nodes.at(map_->rows.at(i).node).function);
  }
  std::string_view NameMapped(uint64_t i) const {
    return map_->names.at(Mapped(i).name);
  }

  Names names_;
  std::optional<TemporaryFile> file_;
  std::optional<ElfImage> image_;
  SymbolTable symbols_;
  std::unique_ptr<AddressResolver> resolver_;
  std::optional<CodeMap> map_;
};

TEST_F(CodeMapTest, HasEachFunctionOfANameOnce) {
  const uint64_t name = names_.Add("_Z1fv");
  const uint64_t copy = names_.Add("_Z1fv");
  Open(Unit()
           .Function(name, name, 1)
           .Function(name, name, 2)
           .Function(name, name, 3)
           .Function(copy, name, 2)
           .Function(name, name, 3)
           .Function(name, name, 1));
  const std::vector<uint32_t> lines = {1, 2, 3, 2, 3, 1};
  ASSERT_EQ(map_->rows.size(), lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(NameMapped(i), "_Z1fv") << i;
    EXPECT_EQ(Mapped(i).start_line, lines[i]) << i;
    EXPECT_EQ(NameResolved(i), "_Z1fv") << i;
  }
  EXPECT_EQ(map_->functions.size(), 3U);
  EXPECT_EQ(map_->names.size(), 1U);
}

TEST_F(CodeMapTest, CutsCloneSuffixes) {
  const uint64_t name = names_.Add("_Z1fv");
  const uint64_t clone = names_.Add("_Z1fv.isra.0");
  Open(Unit().Function(clone, name, 1).Function(name, name, 1));
  ASSERT_EQ(map_->rows.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(NameMapped(i), "_Z1fv") << i;
    EXPECT_EQ(NameResolved(i), "_Z1fv") << i;
  }
  EXPECT_EQ(map_->functions.size(), 1U);
}

TEST_F(CodeMapTest, IgnoresEmptyLinkageNames) {
  const uint64_t empty = names_.Add("");
  const uint64_t plain = names_.Add("plain");
  const uint64_t member = names_.Add("_ZN1a1fEv");
  Open(Unit().Function(empty, plain, 1).Member(member, empty, 2));
  ASSERT_EQ(map_->rows.size(), 2U);
  EXPECT_EQ(NameMapped(0), "plain");
  EXPECT_TRUE(Mapped(0).is_scoped);
  EXPECT_EQ(NameResolved(0), "plain");
  EXPECT_EQ(NameMapped(1), "_ZN1a1fEv");
  EXPECT_FALSE(Mapped(1).is_scoped);
  EXPECT_EQ(NameResolved(1), "_ZN1a1fEv");
}

// The last string of a section may lack its NUL.
TEST_F(CodeMapTest, EndsANameAtTheEndOfItsSection) {
  DwarfBytes text;
  text.U8('_').U8('Z').U8('1').U8('f').U8('v');
  names_ = Names(text);
  Open(Unit().Function(0, 0, 1));
  ASSERT_EQ(map_->rows.size(), 1U);
  EXPECT_EQ(NameMapped(0), "_Z1fv");
  EXPECT_EQ(NameResolved(0), "_Z1fv");
}

}  // namespace
}  // namespace heapprof
