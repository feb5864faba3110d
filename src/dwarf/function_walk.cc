// SPDX-License-Identifier: Apache-2.0
#include "dwarf/function_walk.h"

#include <algorithm>
#include <utility>

#include <dwarf.h>

#include "dwarf/range_list.h"

namespace heapprof {
namespace {

// More list entries than any compiler writes for a unit of that size. A file
// may have a unit per dozen bytes.
uint64_t RangeBudgetOf(const CompilationUnit& unit) {
  return 4096 + 2 * (unit.end - unit.offset);
}

// The attributes of a function or inlined call that say where its code is.
struct CodeAttributes {
  std::optional<FormValue> low_pc;
  std::optional<FormValue> high_pc;
  std::optional<FormValue> ranges;
  std::optional<FormValue> entry_pc;
  std::optional<uint64_t> abstract_origin;
  std::optional<uint64_t> specification;
};

class Walker {
 public:
  Walker(const UnitReader& reader, const AbbreviationTable& abbreviations,
         const ElfImage& binary, uint64_t range_budget, CodeSink* sink)
      : reader_(reader),
        abbreviations_(abbreviations),
        sink_(sink),
        ranges_(reader, binary, range_budget) {}

  UnitScan Run();
  std::vector<AddressRange> CollectRanges();
  uint64_t range_budget() const { return ranges_.budget(); }

 private:
  // What encloses the entries at one depth.
  struct Level {
    uint32_t node = AddressOwners::kNone;
    uint32_t scope = ScopeEntry::kTop;
  };

  Level Visit(const Abbreviation& abbreviation, uint64_t entry, Level level);
  CodeAttributes ReadCode(const Abbreviation& abbreviation, FunctionNode& node);
  void ReadRanges(const CodeAttributes& code);
  uint32_t EnterFunction(const Abbreviation& abbreviation, uint64_t entry);
  uint32_t EnterInlinedCall(const Abbreviation& abbreviation, uint64_t entry,
                            uint32_t parent);
  uint64_t FindEntry(const CodeAttributes& code) const;

  const UnitReader& reader_;
  const AbbreviationTable& abbreviations_;
  CodeSink* sink_;
  RangeListReader ranges_;
  LittleEndianCursor cursor_;
  UnitScan result_;
  std::vector<AddressRange> scratch_;  // ranges of the entry at hand
};

UnitScan Walker::Run() {
  const CompilationUnit& unit = reader_.unit();
  cursor_ =
      LittleEndianCursor(reader_.sections().info.first(unit.end), unit.root);
  std::vector<Level> levels;  // of the entries that are open
  while (!cursor_.AtEnd()) {
    const uint64_t entry = cursor_.offset();
    const uint64_t code = cursor_.Uleb();
    if (code == 0) {
      if (levels.empty()) continue;  // padding
      levels.pop_back();
      if (levels.empty()) break;
      continue;
    }
    const Abbreviation* abbreviation = abbreviations_.Find(code);
    if (abbreviation == nullptr || !cursor_.ok()) {
      result_.problem = "its entries are damaged; the rest is not read";
      break;
    }
    Level level = levels.empty() ? Level{} : levels.back();
    if (abbreviation->kind == EntryKind::kOther) {
      abbreviations_.Skip(*abbreviation, cursor_);
    } else {
      level = Visit(*abbreviation, entry, level);
    }
    if (abbreviation->has_children) {
      levels.push_back(level);
    } else if (levels.empty()) {
      break;
    }
  }
  if (result_.problem.empty() && !cursor_.ok())
    result_.problem = "its entries are cut off";
  if (ranges_.budget() == 0) result_.problem = kTooManyRanges;
  // The first of several copies counts.
  std::ranges::stable_sort(result_.entries, {}, &FunctionEntry::origin);
  const auto rest =
      std::ranges::unique(result_.entries, {}, &FunctionEntry::origin);
  result_.entries.erase(rest.begin(), rest.end());
  return std::move(result_);
}

std::vector<AddressRange> Walker::CollectRanges() {
  const CompilationUnit& unit = reader_.unit();
  cursor_ =
      LittleEndianCursor(reader_.sections().info.first(unit.end), unit.root);
  std::vector<AddressRange> all;
  while (!cursor_.AtEnd()) {
    const uint64_t code = cursor_.Uleb();
    if (code == 0) continue;
    const Abbreviation* abbreviation = abbreviations_.Find(code);
    if (abbreviation == nullptr) break;
    if (abbreviation->kind == EntryKind::kFunction && abbreviation->has_code) {
      FunctionNode node;
      ReadRanges(ReadCode(*abbreviation, node));
      all.insert(all.end(), scratch_.begin(), scratch_.end());
    } else {
      abbreviations_.Skip(*abbreviation, cursor_);
    }
  }
  return all;
}

Walker::Level Walker::Visit(const Abbreviation& abbreviation, uint64_t entry,
                            Level level) {
  if (abbreviation.kind == EntryKind::kInlinedCall) {
    if (level.node == AddressOwners::kNone)
      abbreviations_.Skip(abbreviation, cursor_);
    else
      level.node = EnterInlinedCall(abbreviation, entry, level.node);
    return level;
  }
  const auto scope = static_cast<uint32_t>(result_.scopes.size());
  result_.scopes.push_back({entry, level.scope});
  level.scope = scope;
  if (abbreviation.kind == EntryKind::kFunction && abbreviation.has_code &&
      sink_ != nullptr) {
    level.node = EnterFunction(abbreviation, entry);
  } else {
    abbreviations_.Skip(abbreviation, cursor_);
    if (abbreviation.kind == EntryKind::kFunction)
      level.node = AddressOwners::kNone;
  }
  return level;
}

CodeAttributes Walker::ReadCode(const Abbreviation& abbreviation,
                                FunctionNode& node) {
  CodeAttributes code;
  for (const AttributeSpec& spec : abbreviations_.AttributesOf(abbreviation)) {
    const FormValue value = reader_.Read(spec, cursor_);
    switch (spec.attribute) {
      case DW_AT_low_pc:
        code.low_pc = value;
        break;
      case DW_AT_high_pc:
        code.high_pc = value;
        break;
      case DW_AT_ranges:
        code.ranges = value;
        break;
      case DW_AT_entry_pc:
        code.entry_pc = value;
        break;
      case DW_AT_abstract_origin:
        code.abstract_origin = reader_.ReferenceOf(value);
        break;
      case DW_AT_specification:
        code.specification = reader_.ReferenceOf(value);
        break;
      case DW_AT_call_file:
        node.call_file = value.number;
        break;
      case DW_AT_call_line:
        node.call_line = static_cast<uint32_t>(value.number);
        break;
      case DW_AT_call_column:
        node.call_column = static_cast<uint32_t>(value.number);
        break;
      default:
        break;
    }
  }
  node.origin =
      code.abstract_origin.value_or(code.specification.value_or(node.entry));
  return code;
}

void Walker::ReadRanges(const CodeAttributes& code) {
  scratch_.clear();
  if (code.ranges) {
    ranges_.ReadList(*code.ranges, scratch_);
  } else if (code.low_pc && code.high_pc) {
    if (const auto low_pc = reader_.AddressOf(*code.low_pc))
      ranges_.ReadPair(*low_pc, *code.high_pc, scratch_);
  }
}

// Where the function with the ranges in scratch_ starts. The first range
// holds the entry of a split function; the others, like its cold part, may
// lie before it.
uint64_t Walker::FindEntry(const CodeAttributes& code) const {
  const auto& recorded = code.entry_pc ? code.entry_pc : code.low_pc;
  if (recorded) {
    const auto address = reader_.AddressOf(*recorded);
    if (address && ranges_.IsCode(*address)) return *address;
  }
  return scratch_.front().start;
}

uint32_t Walker::EnterFunction(const Abbreviation& abbreviation,
                               uint64_t entry) {
  FunctionNode node{.entry = entry};
  const CodeAttributes code = ReadCode(abbreviation, node);
  ReadRanges(code);
  if (scratch_.empty()) return AddressOwners::kNone;
  node.entry_address = FindEntry(code);
  if (code.abstract_origin)
    result_.entries.push_back({*code.abstract_origin, node.entry_address});

  return sink_->AddFunction(node, scratch_);
}

uint32_t Walker::EnterInlinedCall(const Abbreviation& abbreviation,
                                  uint64_t entry, uint32_t parent) {
  FunctionNode node{.entry = entry, .parent = parent};
  ReadRanges(ReadCode(abbreviation, node));
  // All copies of a function are described alike.
  node.entry = node.origin;
  return sink_->AddInlinedCall(node, scratch_);
}

}  // namespace

UnitScan ScanUnit(const UnitReader& reader,
                  const AbbreviationTable& abbreviations,
                  const ElfImage& binary, CodeSink* sink) {
  return Walker(reader, abbreviations, binary, RangeBudgetOf(reader.unit()),
                sink)
      .Run();
}

uint32_t OwnerSink::AddFunction(const FunctionNode& function,
                                std::span<const AddressRange> ranges) {
  const uint32_t number = owners_.AddFunction(ranges);
  if (number != AddressOwners::kNone) nodes_.push_back(function);
  return number;
}

uint32_t OwnerSink::AddInlinedCall(const FunctionNode& call,
                                   std::span<const AddressRange> ranges) {
  const uint32_t number = owners_.AddInlinedCall(call.parent, ranges);
  if (number != call.parent) nodes_.push_back(call);
  return number;
}

FunctionWalk WalkFunctions(const UnitReader& reader,
                           const AbbreviationTable& abbreviations,
                           std::span<const uint64_t> addresses,
                           const ElfImage& binary) {
  OwnerSink sink(addresses);
  FunctionWalk walk;
  walk.scan = ScanUnit(reader, abbreviations, binary, &sink);
  if (sink.exhausted()) walk.scan.problem = kTooManyRanges;
  walk.nodes = sink.TakeNodes();
  walk.innermost = sink.TakeInnermost();
  return walk;
}

std::vector<AddressRange> FunctionRanges(const UnitReader& reader,
                                         const AbbreviationTable& abbreviations,
                                         const ElfImage& binary,
                                         uint64_t& budget) {
  Walker walker(reader, abbreviations, binary, budget, nullptr);
  std::vector<AddressRange> ranges = walker.CollectRanges();
  budget = walker.range_budget();
  return ranges;
}

}  // namespace heapprof
