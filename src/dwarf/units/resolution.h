// SPDX-License-Identifier: Apache-2.0
//
// Answers addresses from the units of one store, in steps: where several stores
// may know an address, all can be read side by side before one of them answers.
//
// Units are read side by side; then their answers are taken in the order of the
// units, so that the number of threads changes nothing.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "dwarf/shared/answer_builder.h"
#include "dwarf/shared/problem_log.h"
#include "dwarf/units/function_describer.h"
#include "dwarf/units/unit_answers.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/base/id_table.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

struct ResolutionOptions {
  unsigned jobs = 1;
  // Answer from the symbol table where no function is.
  bool with_symbols = true;
};

// The files of line tables in an answer.
class AnswerFiles {
 public:
  explicit AnswerFiles(AnswerBuilder& answer) : answer_(answer) {}

  // Of the file with that number in `line_program`, which may be null.
  uint32_t Of(const LineProgram* line_program, uint64_t number);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  std::vector<uint32_t>& IdsOf(const LineProgram& line_program);

  AnswerBuilder& answer_;
  const LineProgram* latest_ = nullptr;
  std::vector<uint32_t>* latest_ids_ = nullptr;
  std::unordered_map<const LineProgram*, std::vector<uint32_t>> ids_;
};

class Resolution {
 public:
  // All must outlive this object; `addresses` are sorted.
  Resolution(std::span<const uint64_t> addresses, UnitStore& units,
             const ElfImage& binary, const SymbolSource& symbols,
             const ResolutionOptions& options)
      : addresses_(addresses),
        units_(units),
        binary_(binary),
        symbols_(symbols),
        options_(options),
        line_budget_(units.LineBudget()),
        left_out_(addresses.size()),
        answer_(addresses.size()),
        files_(answer_),
        chosen_(addresses.size()),
        fallback_(addresses.size()) {}

  // Does not answer the address with this index. Before Read(), it is not even
  // looked up.
  void LeaveOut(uint32_t address) { left_out_[address] = true; }
  // Reads the units that claim an address. False if one of them cannot be read:
  // then there is no answer. The symbols are loaded beside the units.
  bool Read();
  // What is wrong with the units that were read.
  void NoteProblems(ProblemLog& problems) const;
  // True if a function was found at the address with this index.
  bool HasFunction(uint32_t address) const {
    return chosen_[address].query != Choice::kNone;
  }
  // The answers. Call once, behind Read().
  ResolvedAddresses Answer();

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

  bool NeedsDeferred(uint32_t query) const;
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
    return files_.Of(answers_[query].line_program, number);
  }
  const FunctionNode* NodeAt(const Choice& choice) const;

  std::span<const uint64_t> addresses_;
  UnitStore& units_;
  const ElfImage& binary_;
  const SymbolSource& symbols_;
  ResolutionOptions options_;
  uint64_t line_budget_;        // bytes of line programs that may be read
  std::vector<bool> left_out_;  // by address
  AnswerBuilder answer_;
  AnswerFiles files_;

  std::vector<UnitQuery> queries_;
  std::vector<bool> with_line_rows_;  // by query
  std::vector<UnitAnswer> answers_;   // by query
  std::vector<Choice> chosen_;        // by address
  // The first line row found for an address that no function covers.
  std::vector<Choice> fallback_;  // by address
  std::vector<Pending> pending_;
  IdTable pending_by_origin_;            // numbers from 1
  std::vector<uint32_t> frame_pending_;  // by frame, chain after chain
  std::vector<uint32_t> function_ids_;   // of pending_, in answer_
};

}  // namespace heapprof
