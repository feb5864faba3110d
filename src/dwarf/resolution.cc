// SPDX-License-Identifier: Apache-2.0
#include "dwarf/resolution.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "dwarf/answer_builder.h"
#include "dwarf/function_describer.h"
#include "dwarf/problem_log.h"
#include "dwarf/unit_answers.h"
#include "dwarf/unit_store.h"
#include "heapprof/base/for_each.h"
#include "heapprof/base/id_table.h"

namespace heapprof {
namespace {

// The files of line tables in the answer.
class FileIds {
 public:
  explicit FileIds(AnswerBuilder& answer) : answer_(answer) {}

  // Of the file with that number in `lines`, which may be null.
  uint32_t Of(const LineTable* lines, uint64_t number) {
    if (lines == nullptr || number >= lines->file_count()) return 0;
    std::vector<uint32_t>& ids = IdsOf(*lines);
    if (ids[number] == kNone)
      ids[number] = answer_.AddFile(lines->FileName(number));
    return ids[number];
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  // The same table is asked many times in a row.
  std::vector<uint32_t>& IdsOf(const LineTable& lines) {
    if (latest_ != &lines) {
      latest_ = &lines;
      latest_ids_ = &ids_[&lines];
      if (latest_ids_->empty()) latest_ids_->resize(lines.file_count(), kNone);
    }
    return *latest_ids_;
  }

  AnswerBuilder& answer_;
  const LineTable* latest_ = nullptr;
  std::vector<uint32_t>* latest_ids_ = nullptr;
  std::unordered_map<const LineTable*, std::vector<uint32_t>> ids_;
};

// One call of Resolve(). Units are read side by side; then their answers are
// taken in the order of the units, so that the threads' order is of no
// consequence.
class Resolution {
 public:
  Resolution(std::span<const uint64_t> addresses, UnitStore& units,
             const ElfImage& binary, const SymbolSource& symbols,
             const ResolutionOptions& options)
      : addresses_(addresses),
        units_(units),
        binary_(binary),
        symbols_(symbols),
        options_(options),
        line_budget_(units.LineBudget()),
        answer_(addresses.size()),
        files_(answer_),
        chosen_(addresses.size()),
        fallback_(addresses.size()) {}

  // Nothing if a unit that claims an address cannot be read.
  std::optional<ResolvedAddresses> Run(ProblemLog& problems);

 private:
  // Which unit's answer holds at an address.
  struct Choice {
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t query = kNone;  // index into queries_
    uint32_t position = 0;   // of the address in the query
  };
  // A function to be described, met first at a node.
  struct Pending {
    uint32_t unit = 0;
    const FunctionNode* node = nullptr;
    uint64_t start_address = 0;
  };

  void ReadUnits();
  void Ask(std::vector<UnitQuery> queries);
  void LimitLinePrograms();
  UnitQuestion QuestionOf(size_t query) const;
  void Choose();
  void CollectFunctions();
  uint32_t PendingOf(uint32_t query, const FunctionNode& node);
  void DescribeFunctions();
  uint32_t AddFunction(const FunctionDescription& description,
                       uint64_t start_address);
  void AddChain(uint32_t address, const Choice& choice, size_t& next_frame);
  void AnswerFromSymbol(uint32_t address);
  uint32_t FileOf(uint32_t query, uint64_t number) {
    return files_.Of(answers_[query].lines, number);
  }
  const FunctionNode* NodeAt(const Choice& choice) const;

  std::span<const uint64_t> addresses_;
  UnitStore& units_;
  const ElfImage& binary_;
  const SymbolSource& symbols_;
  ResolutionOptions options_;
  uint64_t line_budget_;  // bytes of line programs that may be read
  AnswerBuilder answer_;
  FileIds files_;

  std::vector<UnitQuery> queries_;
  std::vector<bool> with_lines_;     // by query
  std::vector<UnitAnswer> answers_;  // by query
  std::vector<Choice> chosen_;       // by address
  // The first line row found for an address that no function covers.
  std::vector<Choice> fallback_;  // by address
  std::vector<Pending> pending_;
  IdTable pending_by_origin_;            // numbers from 1
  std::vector<uint32_t> frame_pending_;  // by frame, chain after chain
  std::vector<uint32_t> function_ids_;   // of pending_, in answer_
};

std::optional<ResolvedAddresses> Resolution::Run(ProblemLog& problems) {
  ReadUnits();
  if (!units_.is_read()) return std::nullopt;
  if (std::ranges::any_of(answers_, &UnitAnswer::declined)) return std::nullopt;
  for (size_t i = 0; i < queries_.size(); ++i)
    if (!answers_[i].problem.empty())
      problems.Note(fmt::format("unit at {:#x} of .debug_info: {}",
                                units_.unit(queries_[i].unit).offset,
                                answers_[i].problem));
  if (std::ranges::find(with_lines_, false) != with_lines_.end())
    problems.Note("line tables overlap; the rest of them is not read");
  Choose();
  CollectFunctions();
  DescribeFunctions();
  size_t frame = 0;
  for (uint32_t i = 0; i < addresses_.size(); ++i) {
    if (chosen_[i].query != Choice::kNone)
      AddChain(i, chosen_[i], frame);
    else if (options_.with_symbols)
      AnswerFromSymbol(i);
  }
  return answer_.Take();
}

// While .debug_info is being inflated, units are asked as they come. The
// queries are the same as those made of all claims at once.
void Resolution::ReadUnits() {
  if (units_.is_read()) return Ask(units_.claims().Find(addresses_));
  std::vector<uint8_t> taken(addresses_.size());
  while (const std::optional<UnitClaims> claims = units_.ReadMore())
    Ask(claims->Find(addresses_, taken));
}

void Resolution::LimitLinePrograms() {
  for (size_t i = with_lines_.size(); i < queries_.size(); ++i) {
    const uint64_t size = units_.LineProgramSize(queries_[i].unit);
    with_lines_.push_back(size <= line_budget_);
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
  const auto load_symbols = [this] { symbols_(); };
  std::ranges::move(
      AskUnits(questions, units_, binary_,
               std::min(options_.jobs, units_.free_threads()), load_symbols),
      std::back_inserter(answers_));
  for (size_t i = first; i < queries_.size(); ++i)
    units_.PutScan(queries_[i].unit, std::move(answers_[i].walk.scan));
}

UnitQuestion Resolution::QuestionOf(size_t query) const {
  UnitQuestion question{.unit = queries_[query].unit,
                        .with_lines = with_lines_[query]};
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
  for (const Choice& choice : chosen_) {
    if (choice.query == Choice::kNone) continue;
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
       .file = files_.Of(description.lines, description.file),
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

}  // namespace

std::optional<ResolvedAddresses> ResolveInUnits(
    std::span<const uint64_t> addresses, UnitStore& units,
    const ElfImage& binary, const SymbolSource& symbols,
    const ResolutionOptions& options, ProblemLog& problems) {
  return Resolution(addresses, units, binary, symbols, options).Run(problems);
}

}  // namespace heapprof
