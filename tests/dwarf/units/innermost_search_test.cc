// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/innermost_search.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <dwarf.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/opened_dwarf.h"
#include "dwarf/units/scope_search.h"

namespace heapprof::innermost_search_test {
namespace {

enum Code : uint64_t {
  kUnit = 1,
  kFunction,
  kCopy,
  kInlined,
  kDeclaration,
  kType,
  kNamespace,
  kBlock,
  kVariable
};

constexpr size_t kUnits = 100;

// All but kVariable have children. With kWithSibling added to their code, they
// have DW_AT_sibling.
constexpr uint64_t kWithSibling = 10;

DwarfBytes Abbreviations() {
  DwarfBytes table;
  const auto add = [&](uint64_t code, uint64_t tag, bool has_code,
                       bool has_origin, bool has_sibling) {
    table.Ulebs({code, tag, code != kVariable});
    if (has_code)
      table.Ulebs({DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4});
    if (has_origin) table.Ulebs({DW_AT_abstract_origin, DW_FORM_ref4});
    if (has_sibling) table.Ulebs({DW_AT_sibling, DW_FORM_ref4});
    table.Ulebs({0, 0});
  };
  add(kUnit, DW_TAG_compile_unit, true, false, false);
  add(kVariable, DW_TAG_variable, false, false, false);
  for (const bool sibling : {false, true}) {
    const uint64_t more = sibling ? kWithSibling : 0;
    add(kFunction + more, DW_TAG_subprogram, true, false, sibling);
    add(kCopy + more, DW_TAG_subprogram, true, true, sibling);
    add(kInlined + more, DW_TAG_inlined_subroutine, true, false, sibling);
    add(kDeclaration + more, DW_TAG_subprogram, false, false, sibling);
    add(kType + more, DW_TAG_structure_type, false, false, sibling);
    add(kNamespace + more, DW_TAG_namespace, false, false, sibling);
    add(kBlock + more, DW_TAG_lexical_block, false, false, sibling);
  }
  return table.U8(0);
}

// A unit of random DIEs. Some of their ranges overlap.
class RandomUnit {
 public:
  explicit RandomUnit(uint64_t seed) : random_(seed) {
    DwarfBytes unit = OldUnitHeader();
    unit.Uleb(kUnit).U64(kCodeStart).U32(kCodeSize);
    constexpr size_t kLength = 4;
    content_ = unit.Append(Children(kLength + unit.size(), 0));
  }

  size_t size() const { return content_.size(); }
  const DwarfBytes& content() const { return content_; }
  uint64_t Below(uint64_t limit) { return random_() % limit; }

 private:
  // The list of children that starts at `start`.
  DwarfBytes Children(size_t start, int depth) {
    DwarfBytes children;
    const size_t count = Below(depth == 0 ? 40 : 6);
    for (size_t i = 0; i < count; ++i)
      children.Append(Die(start + children.size(), depth + 1));
    return children.U8(0);
  }

  DwarfBytes Die(size_t start, int depth) {
    constexpr int kMaxDepth = 5;
    const uint64_t code =
        depth == kMaxDepth ? kVariable : kFunction + Below(kVariable - 1);
    const bool has_sibling = code != kVariable && Below(3) != 0;
    DwarfBytes die;
    die.Uleb(code + (has_sibling ? kWithSibling : 0));
    if (code <= kInlined) die.U64(kCodeStart + Below(500)).U32(Below(100));
    if (code == kCopy) die.U32(11 + Below(20));
    if (code == kVariable) return die;
    constexpr size_t kSibling = 4;
    const size_t first = start + die.size() + (has_sibling ? kSibling : 0);
    const DwarfBytes children = Children(first, depth);
    if (has_sibling) die.U32(first + children.size());
    return die.Append(children);
  }

  std::mt19937_64 random_;
  DwarfBytes content_;
};

class SearchedUnit {
 public:
  explicit SearchedUnit(const DwarfBytes& unit)
      : dwarf_({{".debug_abbrev", Abbreviations()},
                {".debug_info", DwarfBytes().Unit(unit)}}),
        reader_(dwarf_.reader()) {
    const DwarfBytes abbreviations = Abbreviations();
    LittleEndianCursor cursor(abbreviations.bytes(), 0);
    std::string problem;
    table_ = AbbreviationTable::Read(cursor, dwarf_.unit().encoding, problem);
    EXPECT_TRUE(table_) << problem;
  }

  InnermostNodes FindInUnit(const std::vector<uint64_t>& addresses) const {
    return FindInnermost(reader_, *table_, addresses, dwarf_.image());
  }

  std::vector<InnermostChunk> FindInChunks(
      const std::vector<uint64_t>& addresses,
      std::vector<uint64_t> starts) const {
    std::ranges::sort(starts);
    starts.push_back(UINT64_MAX);
    std::vector<InnermostChunk> chunks;
    uint64_t start = 0;
    for (const uint64_t end : starts) {
      chunks.push_back(FindInnermostInChunk({start, end}, reader_, *table_,
                                            addresses, dwarf_.image()));
      start = end;
    }
    return chunks;
  }

  // All of `found` that matters. Which functions were skipped does not: that
  // depends on which addresses already had a function.
  std::string TextOf(const InnermostNodes& found) const {
    std::string text = found.scan.problem + "\n";
    for (const FunctionNode& node : found.nodes)
      text += fmt::format("node {} {} {} {}\n", node.die, node.origin,
                          node.parent, node.entry_pc);
    text += fmt::format("innermost {}\n", fmt::join(found.innermost, " "));
    std::map<uint64_t, uint64_t> entry_pcs;
    for (const EntryPc& entry_pc : found.scan.entry_pcs)
      entry_pcs.try_emplace(entry_pc.origin, entry_pc.address);
    if (found.scan.skipped_entry_pcs)
      for (const EntryPc& entry_pc : *found.scan.skipped_entry_pcs)
        entry_pcs.try_emplace(entry_pc.origin, entry_pc.address);
    for (const auto& [origin, address] : entry_pcs)
      text += fmt::format("entry PC {} {}\n", origin, address);
    for (const AddressRange& range : found.scan.code)
      text += fmt::format("code {} {}\n", range.start, range.end);
    for (const uint64_t die :
         ScopesIn({reader_.unit().root, reader_.unit().end}))
      text += fmt::format("scope {} {}\n", die,
                          FindScope(found.scan, die).value_or(0));
    return text;
  }

  // Finds the scopes of skipped functions, types and namespaces in both ways.
  // Returns how many there are, except those that are too far for
  // SearchScope().
  size_t CompareScopes(const InnermostNodes& found) const {
    size_t count = 0;
    for (const SkippedDies& dies : found.scan.skipped) {
      const ScopeTree tree =
          ScopesOfSkipped(reader_, *table_, dwarf_.image(), dies);
      for (const uint64_t die : ScopesIn(dies)) {
        const auto around = SearchScope(reader_, *table_, dies, die);
        if (!around) continue;
        EXPECT_EQ(around->scope, tree.FindScope(die)) << die;
        ++count;
      }
    }
    return count;
  }

  std::optional<InnermostNodes> Join(std::vector<InnermostChunk> chunks) const {
    return JoinInnermostChunks(std::move(chunks), reader_, *table_,
                               dwarf_.image());
  }

 private:
  // Returns the functions, types and namespaces among some DIEs, up to where
  // the DIEs are damaged.
  std::vector<uint64_t> ScopesIn(const SkippedDies& dies) const {
    std::vector<uint64_t> scopes;
    LittleEndianCursor cursor(reader_.sections().info.first(dies.end),
                              dies.start);
    while (!cursor.AtEnd()) {
      const uint64_t die = cursor.offset();
      const uint64_t code = cursor.Uleb();
      if (code == 0) continue;
      const Abbreviation* abbreviation = table_->Find(code);
      if (abbreviation == nullptr) break;
      table_->Skip(*abbreviation, cursor);
      if (abbreviation->kind == DieKind::kScope ||
          abbreviation->kind == DieKind::kFunction)
        scopes.push_back(die);
    }
    return scopes;
  }

  std::optional<uint64_t> FindScope(const UnitScan& scan, uint64_t at) const {
    const auto found =
        std::ranges::find_if(scan.skipped, [at](const SkippedDies& dies) {
          return dies.start <= at && at < dies.end;
        });
    if (found == scan.skipped.end()) return scan.scopes.FindScope(at);
    const ScopeTree inside =
        ScopesOfSkipped(reader_, *table_, dwarf_.image(), *found);
    if (const auto scope = inside.FindScope(at)) return scope;
    return found->scope;
  }

  OpenedDwarf dwarf_;
  UnitReader reader_;
  std::unique_ptr<AbbreviationTable> table_;
};

std::vector<uint64_t> Addresses(RandomUnit& unit) {
  std::vector<uint64_t> addresses;
  const uint64_t step = 1 + unit.Below(60);
  for (uint64_t at = unit.Below(300); at < 600; at += step)
    addresses.push_back(kCodeStart + at);
  return addresses;
}

std::vector<uint64_t> ChunkStarts(RandomUnit& unit) {
  std::vector<uint64_t> starts(1 + unit.Below(5));
  for (uint64_t& start : starts) start = unit.Below(unit.size());
  return starts;
}

TEST(InnermostSearchTest, FindsTheSameInChunksAsInTheWholeUnit) {
  size_t read = 0;
  for (uint64_t seed = 0; seed < kUnits; ++seed) {
    RandomUnit unit(seed);
    const SearchedUnit searched(unit.content());
    const std::vector<uint64_t> addresses = Addresses(unit);
    std::vector<InnermostChunk> chunks =
        searched.FindInChunks(addresses, ChunkStarts(unit));
    for (const InnermostChunk& chunk : chunks)
      read += chunk.scanned.start != chunk.scanned.end;
    const auto joined = searched.Join(std::move(chunks));
    ASSERT_TRUE(joined) << seed;
    ASSERT_EQ(searched.TextOf(*joined),
              searched.TextOf(searched.FindInUnit(addresses)))
        << seed;
  }
  EXPECT_GT(read, 2 * kUnits);
}

TEST(InnermostSearchTest, FindsTheSameScopesOfSkippedDiesInBothWays) {
  size_t compared = 0;
  for (uint64_t seed = 0; seed < kUnits; ++seed) {
    RandomUnit unit(seed);
    const SearchedUnit searched(unit.content());
    compared += searched.CompareScopes(searched.FindInUnit(Addresses(unit)));
  }
  EXPECT_GT(compared, 200 * kUnits);
}

TEST(InnermostSearchTest, DoesNotJoinChunksOfDamagedUnits) {
  size_t left = 0;
  for (uint64_t seed = 0; seed < kUnits; ++seed) {
    RandomUnit unit(seed);
    std::vector<uint8_t> bytes(unit.content().bytes().begin(),
                               unit.content().bytes().end());
    constexpr size_t kInRoot = 10;
    for (int i = 0; i < 3 && bytes.size() > kInRoot; ++i)
      bytes[kInRoot + unit.Below(bytes.size() - kInRoot)] =
          static_cast<uint8_t>(unit.Below(20));
    const SearchedUnit searched{DwarfBytes(bytes)};
    const std::vector<uint64_t> addresses = Addresses(unit);
    const auto joined =
        searched.Join(searched.FindInChunks(addresses, ChunkStarts(unit)));
    left += !joined;
    if (!joined) continue;
    ASSERT_EQ(searched.TextOf(*joined),
              searched.TextOf(searched.FindInUnit(addresses)))
        << seed;
  }
  EXPECT_GT(left, kUnits / 4);
  EXPECT_LT(left, kUnits);
}

}  // namespace
}  // namespace heapprof::innermost_search_test
