// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/resolution.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/for_each.h"

namespace heapprof {

uint32_t AnswerFiles::NumberOf(const LineProgram* line_program,
                               uint64_t number) {
  if (line_program == nullptr || number >= line_program->file_count()) return 0;
  std::vector<uint32_t>& ids = IdsOf(*line_program);
  if (ids[number] == kNone)
    ids[number] = answer_.AddFile(line_program->FileName(number));
  return ids[number];
}

// Returns, for each file of `line_program`, its number in the answer, or kNone
// if it is not in the answer yet. Remembers the last line program, because the
// next call is usually for the same one.
std::vector<uint32_t>& AnswerFiles::IdsOf(const LineProgram& line_program) {
  if (latest_ != &line_program) {
    latest_ = &line_program;
    latest_ids_ = &ids_[&line_program];
    if (latest_ids_->empty())
      latest_ids_->resize(line_program.file_count(), kNone);
  }
  return *latest_ids_;
}

bool Resolution::Read() {
  return ReadUnits() && units_.is_read() && !units_.has_missed_dies();
}

void Resolution::NoteProblems(ProblemLog& problems) const {
  for (uint32_t i = 0; i < lookups_.size(); ++i) {
    std::string_view problem = results_[i].problem;
    if (problem.empty() && NeedsSkippedDies(i))
      problem = results_[i].skipped_problem;
    if (!problem.empty())
      problems.Note(fmt::format("unit at {:#x} of .debug_info: {}",
                                units_.unit(lookups_[i].unit).offset, problem));
  }
  if (std::ranges::find(with_line_rows_, false) != with_line_rows_.end())
    problems.Note(kOverlappingLinePrograms);
}

// True if the answers depend on the skipped DIEs (see unit_scan.h) of the unit.
// This is so if an address was looked up in these DIEs, and no earlier unit has
// a function at that address.
bool Resolution::NeedsSkippedDies(uint32_t lookup) const {
  return std::ranges::any_of(
      results_[lookup].functions.sought_in_skipped, [&](uint32_t position) {
        const uint32_t address = lookups_[lookup].addresses[position];
        return !excluded_[address] && chosen_[address].lookup >= lookup;
      });
}

ResolvedAddresses Resolution::BuildAnswers() {
  AddFunctions();
  for (uint32_t i = 0; i < addresses_.size(); ++i) {
    if (excluded_[i]) continue;
    if (HasFunction(i))
      AddChain(i, chosen_[i]);
    else if (options_.with_symbols)
      AnswerFromSymbol(i);
  }
  return answer_.Take();
}

// Looks up the addresses in all units. If .debug_info is still being inflated,
// searches each group of units as soon as it is inflated; the result is the
// same as with all units at once. Returns false if a unit cannot be read.
bool Resolution::ReadUnits() {
  std::vector<uint8_t> unit_counts(addresses_.size());
  for (size_t i = 0; i < unit_counts.size(); ++i)
    if (excluded_[i]) unit_counts[i] = UnitRanges::kMaxUnitsPerAddress;
  if (units_.is_read())
    return LookUp(units_.ranges().Find(addresses_, unit_counts));
  while (const std::optional<UnitRanges> ranges = units_.ReadMore()) {
    if (!LookUp(ranges->Find(addresses_, unit_counts))) return false;
    if (!units_.has_window()) continue;
    AddFunctions();
    units_.DiscardRead();
  }
  return true;
}

void Resolution::LimitLinePrograms() {
  for (size_t i = with_line_rows_.size(); i < lookups_.size(); ++i) {
    const uint64_t size = units_.LineProgramSize(lookups_[i].unit);
    with_line_rows_.push_back(size <= line_budget_);
    line_budget_ -= std::min(line_budget_, size);
  }
}

bool Resolution::LookUp(std::vector<UnitLookup> lookups) {
  const size_t first = lookups_.size();
  std::ranges::move(lookups, std::back_inserter(lookups_));
  LimitLinePrograms();
  std::vector<UnitLookupRequest> requests;
  requests.reserve(lookups.size());
  for (size_t i = first; i < lookups_.size(); ++i)
    requests.push_back(RequestFor(i));
  std::ranges::move(
      LookUpUnits(requests, units_, binary_,
                  std::min(options_.jobs, units_.free_threads()), symbols_),
      std::back_inserter(results_));
  for (size_t i = first; i < lookups_.size(); ++i)
    units_.PutScan(lookups_[i].unit, std::move(results_[i].functions.scan));
  const auto added = std::span(results_).subspan(first);
  if (std::ranges::any_of(added, &UnitLookupResult::is_unreadable))
    return false;
  ChooseUnits(first);
  return true;
}

UnitLookupRequest Resolution::RequestFor(size_t lookup) const {
  UnitLookupRequest request{.unit = lookups_[lookup].unit,
                            .with_line_rows = with_line_rows_[lookup]};
  for (const uint32_t i : lookups_[lookup].addresses)
    request.addresses.push_back(addresses_[i]);
  return request;
}

// Chooses the unit that answers for each address: the first unit with a
// function there. `first` is the first lookup that is not yet considered.
void Resolution::ChooseUnits(size_t first) {
  for (auto i = static_cast<uint32_t>(first); i < lookups_.size(); ++i) {
    const UnitLookupResult& result = results_[i];
    for (uint32_t k = 0; k < lookups_[i].addresses.size(); ++k) {
      const uint32_t address = lookups_[i].addresses[k];
      if (result.functions.innermost[k] != InnermostFunctions::kNone) {
        if (chosen_[address].lookup == Choice::kNone) chosen_[address] = {i, k};
      } else if (result.rows[k].found &&
                 fallback_[address].lookup == Choice::kNone) {
        fallback_[address] = {i, k};
      }
    }
  }
}

// Adds to the answer the functions of all lookups that were made since the last
// call.
void Resolution::AddFunctions() {
  for (auto i = static_cast<uint32_t>(added_lookups_); i < lookups_.size();
       ++i) {
    node_pending_.emplace_back(results_[i].functions.nodes.size(), kNotPending);
    for (uint32_t k = 0; k < lookups_[i].addresses.size(); ++k)
      CollectFunctions(i, k);
  }
  added_lookups_ = lookups_.size();
  ReadFunctions();
}

// Collects the functions at an address, unless another lookup answers for it.
// Many addresses share the outer functions, which are then already collected.
void Resolution::CollectFunctions(uint32_t lookup, uint32_t position) {
  const uint32_t address = lookups_[lookup].addresses[position];
  const Choice& choice = chosen_[address];
  if (choice.lookup != lookup || excluded_[address]) return;
  const std::vector<FunctionNode>& nodes = results_[lookup].functions.nodes;
  std::vector<uint32_t>& pending = node_pending_[lookup];
  for (uint32_t i = NodeAt(choice);
       i != InnermostFunctions::kNone && pending[i] == kNotPending;
       i = nodes[i].parent) {
    pending[i] = PendingOf(lookup, address, nodes[i]);
    uint64_t& start = pending_[pending[i]].start_address;
    start = LowerStart(start, nodes[i].entry_pc);
  }
}

uint32_t Resolution::PendingOf(uint32_t lookup, uint32_t address,
                               const FunctionNode& node) {
  const uint32_t i = pending_by_origin_.FindOrAddIndex(
      node.origin, pending_.size(), [&](uint32_t known) {
        return pending_[known].node->origin == node.origin;
      });
  if (i == pending_.size()) pending_.emplace_back();
  Pending& pending = pending_[i];
  if (pending.node == nullptr || address < pending.address) {
    pending.unit = lookups_[lookup].unit;
    pending.node = &node;
    pending.address = address;
  }
  return i;
}

void Resolution::ReadFunctions() {
  constexpr size_t kBatch = 64;
  // Limits memory: answer_ limits the total length of the names that are added
  // to it, but until then, nothing limits the names of a batch.
  constexpr size_t kMostBatchesAhead = 64;
  constexpr size_t kAhead = 4;  // how many DIEs ahead to prefetch
  FunctionInfoReader reader(units_, symbols_());
  const std::span added = std::span(pending_).subspan(function_ids_.size());
  std::vector<std::vector<FunctionInfo>> infos((added.size() + kBatch - 1) /
                                               kBatch);
  const auto end_of = [&](size_t batch) {
    return std::min(added.size(), (batch + 1) * kBatch);
  };
  ForEachInTurn(
      infos.size(), std::min(options_.jobs, units_.free_threads()),
      [&](size_t batch) {
        std::vector<FunctionInfo>& of_batch = infos[batch];
        for (size_t i = batch * kBatch; i < end_of(batch); ++i) {
          if (i + kAhead < added.size())
            reader.Prefetch(added[i + kAhead].unit, *added[i + kAhead].node);
          of_batch.push_back(reader.Read(added[i].unit, *added[i].node));
        }
        for (size_t i = batch * kBatch; i < end_of(batch); ++i) {
          FunctionInfo& info = of_batch[i - batch * kBatch];
          reader.Recheck(added[i].unit, *added[i].node, info);
          info.FindNameEnd();
        }
      },
      [&](size_t batch) {
        size_t i = batch * kBatch;
        for (const FunctionInfo& info : std::exchange(infos[batch], {}))
          function_ids_.push_back(AddFunction(info, added[i++].start_address));
        return true;
      },
      kMostBatchesAhead);
}

uint32_t Resolution::AddFunction(const FunctionInfo& info,
                                 uint64_t start_address) {
  return answer_.AddFunction(
      {.linkage_name = info.name.linkage_name,
       .scoped_name = info.name.scoped_name,
       .file = files_.NumberOf(info.line_program, info.file),
       .start_line = info.start_line,
       .start_address = start_address});
}

// Adds the frames of an address, from the innermost outwards. The position in
// the innermost function comes from the line row. The position in each outer
// function is a call site, which is recorded in the DIE of the subroutine
// inlined there.
void Resolution::AddChain(uint32_t address, const Choice& choice) {
  const UnitLookupResult& result = results_[choice.lookup];
  const LinePosition& row = result.rows[choice.position];
  SourceFrame frame;
  if (row.found)
    frame = {.file = FileOf(choice.lookup, row.file),
             .line = row.line,
             .column = row.column};
  const std::vector<uint32_t>& pending = node_pending_[choice.lookup];
  for (uint32_t i = NodeAt(choice);;) {
    const FunctionNode& node = result.functions.nodes[i];
    frame.function = function_ids_[pending[i]];
    answer_.AddFrame(address, frame);
    i = node.parent;
    if (i == InnermostFunctions::kNone) break;
    frame = {.line = node.call_line, .column = node.call_column};
    if (node.call_file) frame.file = FileOf(choice.lookup, *node.call_file);
  }
}

void Resolution::AnswerFromSymbol(uint32_t address) {
  const std::optional<Symbol> symbol = symbols_().Find(addresses_[address]);
  if (!symbol) return;
  SourceFrame frame{.function = answer_.AddFunction(FunctionOfSymbol(*symbol))};
  const Choice& choice = fallback_[address];
  if (choice.lookup != Choice::kNone) {
    const LinePosition& row = results_[choice.lookup].rows[choice.position];
    frame.file = FileOf(choice.lookup, row.file);
    frame.line = row.line;
    frame.column = row.column;
  }
  answer_.AddFrame(address, frame);
}

}  // namespace heapprof
