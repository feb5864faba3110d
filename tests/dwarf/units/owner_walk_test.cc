// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/owner_walk.h"

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

namespace heapprof {
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

// All but kVariable have children. Those of a code with this added say where
// they end.
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

// A unit of entries in no sensible order, some of which overlap.
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
      children.Append(Entry(start + children.size(), depth + 1));
    return children.U8(0);
  }

  DwarfBytes Entry(size_t start, int depth) {
    constexpr int kMaxDepth = 5;
    const uint64_t code =
        depth == kMaxDepth ? kVariable : kFunction + Below(kVariable - 1);
    const bool has_sibling = code != kVariable && Below(3) != 0;
    DwarfBytes entry;
    entry.Uleb(code + (has_sibling ? kWithSibling : 0));
    if (code <= kInlined) entry.U64(kCodeStart + Below(500)).U32(Below(100));
    if (code == kCopy) entry.U32(11 + Below(20));
    if (code == kVariable) return entry;
    constexpr size_t kSibling = 4;
    const size_t first = start + entry.size() + (has_sibling ? kSibling : 0);
    const DwarfBytes children = Children(first, depth);
    if (has_sibling) entry.U32(first + children.size());
    return entry.Append(children);
  }

  std::mt19937_64 random_;
  DwarfBytes content_;
};

class Walks {
 public:
  explicit Walks(const DwarfBytes& unit)
      : dwarf_({{".debug_abbrev", Abbreviations()},
                {".debug_info", DwarfBytes().Unit(unit)}}),
        reader_(dwarf_.reader()) {
    const DwarfBytes abbreviations = Abbreviations();
    LittleEndianCursor cursor(abbreviations.bytes(), 0);
    std::string problem;
    table_ = AbbreviationTable::Read(cursor, dwarf_.unit().encoding, problem);
    EXPECT_TRUE(table_) << problem;
  }

  FunctionWalk Whole(const std::vector<uint64_t>& addresses) const {
    return WalkFunctions(reader_, *table_, addresses, dwarf_.image());
  }

  std::vector<WalkPart> Parts(const std::vector<uint64_t>& addresses,
                              std::vector<uint64_t> cuts) const {
    std::ranges::sort(cuts);
    cuts.push_back(UINT64_MAX);
    std::vector<WalkPart> parts;
    uint64_t start = 0;
    for (const uint64_t end : cuts) {
      parts.push_back(WalkFunctionsIn({start, end}, reader_, *table_, addresses,
                                      dwarf_.image()));
      start = end;
    }
    return parts;
  }

  // All that can be known from `walk`. Which functions are deferred depends on
  // what owned an address when they were met, which makes no difference.
  std::string TextOf(const FunctionWalk& walk) const {
    std::string text = walk.scan.problem + "\n";
    for (const FunctionNode& node : walk.nodes)
      text += fmt::format("node {} {} {} {}\n", node.entry, node.origin,
                          node.parent, node.entry_address);
    text += fmt::format("innermost {}\n", fmt::join(walk.innermost, " "));
    std::map<uint64_t, uint64_t> entries;
    for (const FunctionEntry& entry : walk.scan.entries)
      entries.try_emplace(entry.origin, entry.address);
    if (walk.scan.deferred_entries)
      for (const FunctionEntry& entry : *walk.scan.deferred_entries)
        entries.try_emplace(entry.origin, entry.address);
    for (const auto& [origin, address] : entries)
      text += fmt::format("entry {} {}\n", origin, address);
    for (const AddressRange& range : walk.scan.code)
      text += fmt::format("code {} {}\n", range.start, range.end);
    constexpr uint64_t kStep = 7;
    std::optional<uint64_t> last;
    for (uint64_t at = 0; at < reader_.unit().end; at += kStep) {
      const auto scope = FindScope(walk.scan, at);
      if (scope != last)
        text += fmt::format("scope {} {}\n", at, scope.value_or(0));
      last = scope;
    }
    return text;
  }

  // Looks for the scope of each deferred function, type and namespace in both
  // ways. Returns how many there are.
  size_t CompareScopes(const FunctionWalk& walk) const {
    size_t count = 0;
    for (const DeferredEntries& part : walk.scan.deferred) {
      const ScopeTree tree =
          ScopesOfDeferred(reader_, *table_, dwarf_.image(), part);
      LittleEndianCursor cursor(reader_.sections().info.first(part.end),
                                part.start);
      while (!cursor.AtEnd()) {
        const uint64_t entry = cursor.offset();
        const uint64_t code = cursor.Uleb();
        if (code == 0) continue;
        const Abbreviation& abbreviation = *table_->Find(code);
        table_->Skip(abbreviation, cursor);
        if (abbreviation.kind != EntryKind::kScope &&
            abbreviation.kind != EntryKind::kFunction)
          continue;
        const auto found = SearchScope(reader_, *table_, part, entry);
        EXPECT_TRUE(found) << entry;
        EXPECT_EQ(found ? found->scope : std::nullopt, tree.FindScope(entry))
            << entry;
        ++count;
      }
    }
    return count;
  }

  std::optional<ScopeAround> Search(const DeferredEntries& part,
                                    uint64_t entry) const {
    return SearchScope(reader_, *table_, part, entry);
  }

  std::optional<FunctionWalk> Join(std::vector<WalkPart> parts) const {
    return JoinParts(std::move(parts), reader_, *table_, dwarf_.image());
  }

 private:
  std::optional<uint64_t> FindScope(const UnitScan& scan, uint64_t at) const {
    const auto found =
        std::ranges::find_if(scan.deferred, [at](const DeferredEntries& part) {
          return part.start <= at && at < part.end;
        });
    if (found == scan.deferred.end()) return scan.scopes.FindScope(at);
    const ScopeTree inside =
        ScopesOfDeferred(reader_, *table_, dwarf_.image(), *found);
    if (const auto scope = inside.FindScope(at)) return scope;
    return scan.scopes.FindScope(found->start);
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

std::vector<uint64_t> Cuts(RandomUnit& unit) {
  std::vector<uint64_t> cuts(1 + unit.Below(5));
  for (uint64_t& cut : cuts) cut = unit.Below(unit.size());
  return cuts;
}

TEST(OwnerWalkTest, FindsTheSameInPartsAsAtOnce) {
  size_t read = 0;
  for (uint64_t seed = 0; seed < kUnits; ++seed) {
    RandomUnit unit(seed);
    const Walks walks(unit.content());
    const std::vector<uint64_t> addresses = Addresses(unit);
    std::vector<WalkPart> parts = walks.Parts(addresses, Cuts(unit));
    for (const WalkPart& part : parts)
      read += part.scanned.start != part.scanned.end;
    const auto joined = walks.Join(std::move(parts));
    ASSERT_TRUE(joined) << seed;
    ASSERT_EQ(walks.TextOf(*joined), walks.TextOf(walks.Whole(addresses)))
        << seed;
  }
  EXPECT_GT(read, 2 * kUnits);
}

TEST(ScopeSearchTest, FindsWhatATreeOfAllScopesSays) {
  size_t compared = 0;
  for (uint64_t seed = 0; seed < kUnits; ++seed) {
    RandomUnit unit(seed);
    const Walks walks(unit.content());
    compared += walks.CompareScopes(walks.Whole(Addresses(unit)));
  }
  EXPECT_GT(compared, 10 * kUnits);
}

// A place where no entry starts, and entries that end too early.
TEST(ScopeSearchTest, FindsNothingOnAWayThatLeadsPast) {
  RandomUnit unit(0);
  const Walks walks(unit.content());
  EXPECT_FALSE(walks.Search({.start = unit.size() - 2, .end = unit.size() - 1},
                            unit.size()));
}

TEST(OwnerWalkTest, LeavesDamagedUnitsToOneWalk) {
  size_t left = 0;
  for (uint64_t seed = 0; seed < kUnits; ++seed) {
    RandomUnit unit(seed);
    std::vector<uint8_t> bytes(unit.content().bytes().begin(),
                               unit.content().bytes().end());
    constexpr size_t kInRoot = 10;
    for (int i = 0; i < 3 && bytes.size() > kInRoot; ++i)
      bytes[kInRoot + unit.Below(bytes.size() - kInRoot)] =
          static_cast<uint8_t>(unit.Below(20));
    const Walks walks{DwarfBytes(bytes)};
    const std::vector<uint64_t> addresses = Addresses(unit);
    const auto joined = walks.Join(walks.Parts(addresses, Cuts(unit)));
    left += !joined;
    if (!joined) continue;
    ASSERT_EQ(walks.TextOf(*joined), walks.TextOf(walks.Whole(addresses)))
        << seed;
  }
  EXPECT_GT(left, kUnits / 4);
  EXPECT_LT(left, kUnits);
}

}  // namespace
}  // namespace heapprof
