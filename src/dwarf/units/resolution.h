// SPDX-License-Identifier: Apache-2.0
//
// Resolves addresses with the units of one store. This is the main header of
// units/: its input is a UnitStore and file addresses, its output
// ResolvedAddresses.
//
// The files of units/ in the order of a lookup: unit_store.h (the units of a
// file, and what is cached for them), unit_lookup.h (looks up addresses in
// units, on several threads), innermost_search.h (in one unit), unit_scan.h and
// function_sink.h (the pass over its DIEs), code_attributes.h and padding.h
// (where a function's code is, and where it ends), function_info_reader.h (its
// name and declaration), scope_tree.h and scope_search.h (its scopes). Apart
// from these, split_files.h opens the units in .dwo and .dwp files.
//
// Units are read in parallel, but evaluated in their order: the number of
// threads does not change the answers. There are two steps, Read() and
// BuildAnswers(), because an address may be in several stores: all are read
// before one of them answers.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "dwarf/shared/answer_builder.h"
#include "dwarf/shared/problem_log.h"
#include "dwarf/units/function_info_reader.h"
#include "dwarf/units/unit_lookup.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/base/id_table.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

struct ResolutionOptions {
  unsigned jobs = 1;
  // Answer from the symbol table where there is no function.
  bool with_symbols = true;
};

// Maps the files of line programs to their numbers in an answer.
class AnswerFiles {
 public:
  explicit AnswerFiles(AnswerBuilder& answer) : answer_(answer) {}

  // The number of a file of `line_program`, which may be null.
  uint32_t NumberOf(const LineProgram* line_program, uint64_t number);

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
        excluded_(addresses.size()),
        answer_(addresses.size()),
        files_(answer_),
        chosen_(addresses.size()),
        fallback_(addresses.size()) {}

  // Leaves the address with this index unanswered. If called before Read(), it
  // is not looked up either.
  void Exclude(uint32_t address) { excluded_[address] = true; }
  // Reads the units whose ranges hold any of the addresses, and loads the
  // symbols at the same time. False if a unit cannot be read: then there are no
  // answers.
  bool Read();
  // Notes the problems of the units that were read.
  void NoteProblems(ProblemLog& problems) const;
  // True if a function was found at the address with this index.
  bool HasFunction(uint32_t address) const {
    return chosen_[address].lookup != Choice::kNone;
  }
  // Call once, after Read().
  ResolvedAddresses BuildAnswers();

 private:
  // The unit that answers for an address.
  struct Choice {
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t lookup = kNone;  // index into lookups_
    uint32_t position = 0;    // of the address in the lookup
  };
  // A function whose info is still to be read, and its first node.
  struct Pending {
    uint32_t unit = 0;
    const FunctionNode* node = nullptr;
    uint64_t start_address = 0;
  };

  bool NeedsSkippedDies(uint32_t lookup) const;
  void ReadUnits();
  void LookUp(std::vector<UnitLookup> lookups);
  void LimitLinePrograms();
  UnitLookupRequest RequestFor(size_t lookup) const;
  void ChooseUnits();
  void CollectFunctions();
  uint32_t PendingOf(uint32_t lookup, const FunctionNode& node);
  void ReadFunctions();
  uint32_t AddFunction(const FunctionInfo& info, uint64_t start_address);
  void AddChain(uint32_t address, const Choice& choice, size_t& next_frame);
  void AnswerFromSymbol(uint32_t address);
  uint32_t FileOf(uint32_t lookup, uint64_t number) {
    return files_.NumberOf(results_[lookup].line_program, number);
  }
  const FunctionNode* NodeAt(const Choice& choice) const;

  std::span<const uint64_t> addresses_;
  UnitStore& units_;
  const ElfImage& binary_;
  const SymbolSource& symbols_;
  ResolutionOptions options_;
  uint64_t line_budget_;        // bytes of line programs that may be read
  std::vector<bool> excluded_;  // by address
  AnswerBuilder answer_;
  AnswerFiles files_;

  std::vector<UnitLookup> lookups_;
  std::vector<bool> with_line_rows_;       // by lookup
  std::vector<UnitLookupResult> results_;  // by lookup
  std::vector<Choice> chosen_;             // by address
  // The first unit with a line row for an address that no function covers.
  std::vector<Choice> fallback_;  // by address
  std::vector<Pending> pending_;
  IdTable pending_by_origin_;            // numbers from 1
  std::vector<uint32_t> frame_pending_;  // by frame, chain after chain
  std::vector<uint32_t> function_ids_;   // of pending_, in answer_
};

}  // namespace heapprof
