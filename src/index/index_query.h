// SPDX-License-Identifier: Apache-2.0
//
// Resolves addresses with an index. Threads look up parts of the addresses in
// parallel. One thread then uses their results in the order of the addresses,
// so that the number of threads does not change the answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/frame_limit.h"
#include "heapprof/dwarf/text_budget.h"
#include "index/chain_reader.h"
#include "index/function_records.h"
#include "index/index_memo.h"
#include "index/index_strings.h"
#include "index/row_finder.h"

namespace heapprof {

class IndexQuery {
 public:
  // `index` must outlive this object; IndexFile::Open() has checked it.
  // `memo` may be null.
  IndexQuery(std::span<const uint8_t> index, unsigned jobs,
             IndexMemo* memo = nullptr);

  // See IndexFile::Resolve. May be called once.
  std::optional<ResolvedAddresses> Run(std::span<const uint64_t> addresses);

 private:
  static constexpr uint32_t kNone = NumberTable::kNone;
  static constexpr size_t kCacheLine = 64;

  // The objects with which one thread assembles a part of the names. Each
  // NamePart has its own cache lines, because threads that write to the same
  // cache line slow each other down.
  struct alignas(kCacheLine) NamePart {
    IndexStrings strings;
    TextStore names = {};  // of the current round
    bool is_valid = true;
  };

  // These functions return false if the index is damaged.
  bool AddChains(std::span<const uint64_t> addresses);
  bool AddKnownChains(std::span<const uint64_t> addresses);
  InlineChains ReadChains(std::span<const uint64_t> addresses) const;
  bool Take(const InlineChains& part);
  bool AddAllChains(std::span<const uint64_t> addresses);
  bool ReadFunctions();
  bool ReadRound(size_t first, size_t size);
  bool ReadFunction(size_t index, NamePart& part);
  bool ReplaceVariant(uint32_t& number);
  bool AddFunction(uint32_t number, uint32_t& index);
  bool AddFile(uint32_t number, uint32_t& index);

  void KeepInMemo(size_t first, size_t size);
  void KeepNames(std::span<SourceFunction> functions);
  bool LimitNames(SourceFunction& function);

  unsigned jobs_;
  IndexMemo* memo_;
  std::span<const uint8_t> nodes_;
  FunctionRecords functions_;
  std::span<const uint8_t> files_;
  RowFinder rows_;
  IndexStrings file_strings_;
  std::vector<NamePart> name_parts_;
  TextBudget texts_;
  TextBudget demangled_texts_;
  size_t address_count_ = 0;
  FrameLimit limit_{0};

  ResolvedAddresses answer_;
  // The record and the lowest entry PC of each function in answer_. The file
  // numbers in these records are indices into answer_.files.
  std::vector<FunctionRecord> records_;
  std::vector<uint64_t> starts_;
  NumberTable function_index_;  // in answer_, by number in the index
  NumberTable file_index_;
  std::vector<uint32_t> chosen_;  // by group: the function to show
};

}  // namespace heapprof
