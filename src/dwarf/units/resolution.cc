// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/resolution.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/for_each.h"

namespace heapprof {

uint32_t AnswerFiles::Of(const LineProgram* line_program, uint64_t number) {
  if (line_program == nullptr || number >= line_program->file_count()) return 0;
  std::vector<uint32_t>& ids = IdsOf(*line_program);
  if (ids[number] == kNone)
    ids[number] = answer_.AddFile(line_program->FileName(number));
  return ids[number];
}

// The same table is asked many times in a row.
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
  ReadUnits();
  if (!units_.is_read()) return false;
  if (std::ranges::any_of(answers_, &UnitAnswer::declined)) return false;
  Choose();
  return true;
}

void Resolution::NoteProblems(ProblemLog& problems) const {
  for (uint32_t i = 0; i < queries_.size(); ++i) {
    std::string_view problem = answers_[i].problem;
    if (problem.empty() && NeedsDeferred(i))
      problem = answers_[i].deferred_problem;
    if (!problem.empty())
      problems.Note(fmt::format("unit at {:#x} of .debug_info: {}",
                                units_.unit(queries_[i].unit).offset, problem));
  }
  if (std::ranges::find(with_line_rows_, false) != with_line_rows_.end())
    problems.Note("line tables overlap; the rest of them is not read");
}

// False if the unit's deferred DIEs were read for nothing: other units that
// come first have functions at those addresses.
bool Resolution::NeedsDeferred(uint32_t query) const {
  return std::ranges::any_of(
      answers_[query].walk.awaited, [&](uint32_t position) {
        const uint32_t address = queries_[query].addresses[position];
        return !left_out_[address] && chosen_[address].query >= query;
      });
}

ResolvedAddresses Resolution::Answer() {
  CollectFunctions();
  DescribeFunctions();
  size_t frame = 0;
  for (uint32_t i = 0; i < addresses_.size(); ++i) {
    if (left_out_[i]) continue;
    if (HasFunction(i))
      AddChain(i, chosen_[i], frame);
    else if (options_.with_symbols)
      AnswerFromSymbol(i);
  }
  return answer_.Take();
}

// While .debug_info is being inflated, units are asked as they come. The
// queries are the same as those made of all claims at once.
void Resolution::ReadUnits() {
  std::vector<uint8_t> taken(addresses_.size());
  for (size_t i = 0; i < taken.size(); ++i)
    if (left_out_[i]) taken[i] = UnitClaims::kMaxClaims;
  if (units_.is_read()) return Ask(units_.claims().Find(addresses_, taken));
  while (const std::optional<UnitClaims> claims = units_.ReadMore())
    Ask(claims->Find(addresses_, taken));
}

void Resolution::LimitLinePrograms() {
  for (size_t i = with_line_rows_.size(); i < queries_.size(); ++i) {
    const uint64_t size = units_.LineProgramSize(queries_[i].unit);
    with_line_rows_.push_back(size <= line_budget_);
    line_budget_ -= std::min(line_budget_, size);
  }
}

void Resolution::Ask(std::vector<UnitQuery> queries) {
  const size_t first = queries_.size();
  std::ranges::move(queries, std::back_inserter(queries_));
  LimitLinePrograms();
  std::vector<UnitQuestion> questions;
  questions.reserve(queries.size());
  for (size_t i = first; i < queries_.size(); ++i)
    questions.push_back(QuestionOf(i));
  std::ranges::move(
      AskUnits(questions, units_, binary_,
               std::min(options_.jobs, units_.free_threads()), symbols_),
      std::back_inserter(answers_));
  for (size_t i = first; i < queries_.size(); ++i)
    units_.PutScan(queries_[i].unit, std::move(answers_[i].walk.scan));
}

UnitQuestion Resolution::QuestionOf(size_t query) const {
  UnitQuestion question{.unit = queries_[query].unit,
                        .with_line_rows = with_line_rows_[query]};
  for (const uint32_t i : queries_[query].addresses)
    question.addresses.push_back(addresses_[i]);
  return question;
}

// The first unit with a function at an address owns it.
void Resolution::Choose() {
  for (uint32_t q = 0; q < queries_.size(); ++q) {
    const UnitAnswer& answer = answers_[q];
    for (uint32_t k = 0; k < queries_[q].addresses.size(); ++k) {
      const uint32_t address = queries_[q].addresses[k];
      if (answer.walk.innermost[k] != AddressOwners::kNone) {
        if (chosen_[address].query == Choice::kNone) chosen_[address] = {q, k};
      } else if (answer.rows[k].found &&
                 fallback_[address].query == Choice::kNone) {
        fallback_[address] = {q, k};
      }
    }
  }
}

const FunctionNode* Resolution::NodeAt(const Choice& choice) const {
  const FunctionWalk& walk = answers_[choice.query].walk;
  return &walk.nodes[walk.innermost[choice.position]];
}

void Resolution::CollectFunctions() {
  for (uint32_t i = 0; i < addresses_.size(); ++i) {
    if (!HasFunction(i) || left_out_[i]) continue;
    const Choice& choice = chosen_[i];
    const FunctionWalk& walk = answers_[choice.query].walk;
    for (const FunctionNode* node = NodeAt(choice);;
         node = &walk.nodes[node->parent]) {
      const uint32_t pending = PendingOf(choice.query, *node);
      frame_pending_.push_back(pending);
      uint64_t& start = pending_[pending].start_address;
      start = LowerStart(start, node->entry_address);
      if (node->parent == AddressOwners::kNone) break;
    }
  }
}

uint32_t Resolution::PendingOf(uint32_t query, const FunctionNode& node) {
  const uint32_t known =
      pending_by_origin_.Find(node.origin, [&](uint32_t number) {
        return pending_[number - 1].node->origin == node.origin;
      });
  if (known != 0) return known - 1;
  pending_.push_back({queries_[query].unit, &node, 0});
  const auto added = static_cast<uint32_t>(pending_.size());
  pending_by_origin_.Add(node.origin, added);
  return added - 1;
}

void Resolution::DescribeFunctions() {
  // Names may be long until answer_ has them, which limits their total.
  constexpr size_t kBatch = 64;
  constexpr size_t kBatchesPerRound = 64;
  constexpr size_t kRound = kBatch * kBatchesPerRound;
  constexpr size_t kAhead = 4;  // entries that are fetched meanwhile
  FunctionDescriber describer(units_, symbols_());
  std::vector<FunctionDescription> functions(std::min(kRound, pending_.size()));
  for (size_t start = 0; start < pending_.size(); start += kRound) {
    const std::span round = std::span(pending_).subspan(
        start, std::min(kRound, pending_.size() - start));
    const size_t batches = (round.size() + kBatch - 1) / kBatch;
    const auto end_of = [&](size_t batch) {
      return std::min(round.size(), (batch + 1) * kBatch);
    };
    ForEachInTurn(
        batches, options_.jobs,
        [&](size_t batch) {
          for (size_t i = batch * kBatch; i < end_of(batch); ++i) {
            if (i + kAhead < round.size())
              describer.Prefetch(round[i + kAhead].unit,
                                 *round[i + kAhead].node);
            functions[i] = describer.Describe(round[i].unit, *round[i].node);
          }
          for (size_t i = batch * kBatch; i < end_of(batch); ++i) {
            describer.Check(round[i].unit, *round[i].node, functions[i]);
            functions[i].EndName();
          }
        },
        [&](size_t batch) {
          for (size_t i = batch * kBatch; i < end_of(batch); ++i)
            function_ids_.push_back(
                AddFunction(functions[i], round[i].start_address));
          return true;
        });
  }
}

uint32_t Resolution::AddFunction(const FunctionDescription& description,
                                 uint64_t start_address) {
  return answer_.AddFunction(
      {.linkage_name = description.name.linkage_name,
       .scoped_name = description.name.scoped_name,
       .file = files_.Of(description.line_program, description.file),
       .start_line = description.start_line,
       .start_address = start_address});
}

// An inlined call's entry says which function runs there and where that is
// called from; the position inside the function comes from one level below,
// or from the line table for the innermost.
void Resolution::AddChain(uint32_t address, const Choice& choice,
                          size_t& next_frame) {
  const UnitAnswer& answer = answers_[choice.query];
  const LinePosition& row = answer.rows[choice.position];
  SourceFrame frame;
  if (row.found)
    frame = {.file = FileOf(choice.query, row.file),
             .line = row.line,
             .column = row.column};
  for (const FunctionNode* node = NodeAt(choice);;
       node = &answer.walk.nodes[node->parent]) {
    frame.function = function_ids_[frame_pending_[next_frame++]];
    answer_.AddFrame(address, frame);
    if (node->parent == AddressOwners::kNone) break;
    frame = {.line = node->call_line, .column = node->call_column};
    if (node->call_file) frame.file = FileOf(choice.query, *node->call_file);
  }
}

void Resolution::AnswerFromSymbol(uint32_t address) {
  const std::optional<Symbol> symbol = symbols_().Find(addresses_[address]);
  if (!symbol) return;
  SourceFrame frame{.function = answer_.AddFunction(FunctionOfSymbol(*symbol))};
  const Choice& choice = fallback_[address];
  if (choice.query != Choice::kNone) {
    const LinePosition& row = answers_[choice.query].rows[choice.position];
    frame.file = FileOf(choice.query, row.file);
    frame.line = row.line;
    frame.column = row.column;
  }
  answer_.AddFrame(address, frame);
}

}  // namespace heapprof
