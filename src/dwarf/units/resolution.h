// SPDX-License-Identifier: Apache-2.0
//
// Resolves addresses with the units of one UnitStore.
//
// This is the main header of units/. Its input is a UnitStore and file
// addresses, its output ResolvedAddresses. The files in the order of a lookup:
//   unit_store.h                    the units of a file, with cached data
//   unit_lookup.h                   looks up addresses in units, in parallel
//   innermost_search.h              looks up addresses in one unit
//   unit_scan.h, function_sink.h    the pass over the DIEs of a unit
//   code_attributes.h               where the code of a function is
//   padding.h                       code after the end of a function
//   function_info_reader.h          the name and declaration of a function
//   scope_tree.h, scope_search.h    the scopes around a function
//   split_files.h                   opens units in .dwo and .dwp files
//   package_index.h                 finds the units of a .dwp file
//   type_units.h                    finds types in .debug_types and .dwp files
//   read_budget.h                   limits the work for malicious files
//
// Units are read in parallel, but evaluated in their order in the file.
// Therefore the number of threads does not change the answers. There are two
// steps, Read() and BuildAnswers(), because several stores (for example those
// of split units) may have an answer for an address. The caller first reads all
// stores, then decides which store answers for each address.
#pragma once

#include <algorithm>
#include <cstddef>
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
  // Whether the symbol table answers for addresses without a function.
  bool with_symbols = true;
  // The number of addresses of the whole lookup, if others are looked up
  // elsewhere.
  size_t all_addresses = 0;
};

// Converts the file numbers of line programs to those of an answer, and adds
// the paths of these files to the answer.
class AnswerFiles {
 public:
  explicit AnswerFiles(AnswerBuilder& answer) : answer_(answer) {}

  // Returns the number that the file `number` of `line_program` has in the
  // answer; 0 if the line program has no such file. `line_program` may be null.
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
  // `addresses` must be sorted. All arguments except `options` must outlive
  // this object.
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
        answer_(addresses.size(),
                FrameLimit(std::max(addresses.size(), options.all_addresses))),
        files_(answer_),
        chosen_(addresses.size()),
        fallback_(addresses.size()) {}

  // Leaves the address with the index `address` without an answer. Before
  // Read(), this also saves the lookup of the address.
  void Exclude(uint32_t address) { excluded_[address] = true; }
  // Reads the units whose ranges hold any of the addresses, and loads the
  // symbols at the same time. Returns false if a unit cannot be read. In that
  // case there are no answers, and BuildAnswers() must not be called.
  bool Read();
  // Adds to `problems` the problems of the units that were read.
  void NoteProblems(ProblemLog& problems) const;
  // True if a function was found at the address with the index `address`.
  bool HasFunction(uint32_t address) const {
    return chosen_[address].lookup != Choice::kNone;
  }
  // Returns the answers. Call once, after Read().
  ResolvedAddresses BuildAnswers();

 private:
  // Where the answer for an address is: the lookup in the unit that answers,
  // and the position of the address in this lookup.
  struct Choice {
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t lookup = kNone;  // index into lookups_
    uint32_t position = 0;    // index of the address in that lookup
  };
  // A function whose name and declaration are still to be read. Of several
  // nodes that describe it, `node` is the one at the lowest address, as in an
  // index (see MapNode::group).
  struct Pending {
    uint32_t unit = 0;
    const FunctionNode* node = nullptr;
    uint32_t address = 0;  // index into addresses_
    uint64_t start_address = 0;
  };

  bool NeedsSkippedDies(uint32_t lookup) const;
  bool ReadUnits();
  bool LookUp(std::vector<UnitLookup> lookups);
  void LimitLinePrograms();
  UnitLookupRequest RequestFor(size_t lookup) const;
  void ChooseUnits(size_t first);
  void AddFunctions();
  void CollectFunctions(uint32_t lookup, uint32_t position);
  uint32_t PendingOf(uint32_t lookup, uint32_t address,
                     const FunctionNode& node);
  void ReadFunctions();
  uint32_t AddFunction(const FunctionInfo& info, uint64_t start_address);
  void AddChain(uint32_t address, const Choice& choice);
  void AnswerFromSymbol(uint32_t address);
  uint32_t FileOf(uint32_t lookup, uint64_t number) {
    return files_.NumberOf(results_[lookup].line_program, number);
  }
  uint32_t NodeAt(const Choice& choice) const {
    return results_[choice.lookup].functions.innermost[choice.position];
  }

  static constexpr uint32_t kNotPending = UINT32_MAX;

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
  // For each address: the first unit that has a line row, but no function,
  // there. It gives the source position if the symbol table names the function.
  std::vector<Choice> fallback_;
  size_t added_lookups_ = 0;  // number of lookups whose functions are added
  std::vector<Pending> pending_;
  IdTable pending_by_origin_;  // of pending_
  // By lookup and node: the node's function, as an index into pending_, or
  // kNotPending if no address needs it.
  std::vector<std::vector<uint32_t>> node_pending_;
  // For each function in pending_: its number in answer_.
  std::vector<uint32_t> function_ids_;
};

}  // namespace heapprof
