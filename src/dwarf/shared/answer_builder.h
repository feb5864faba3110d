// SPDX-License-Identifier: Apache-2.0
//
// Fills a ResolvedAddresses: every file and every function is stored once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/id_table.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/text_budget.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class AnswerBuilder {
 public:
  explicit AnswerBuilder(size_t address_count) {
    result_.runs.resize(address_count);
  }
  AnswerBuilder(const AnswerBuilder&) = delete;
  AnswerBuilder& operator=(const AnswerBuilder&) = delete;

  uint32_t AddFile(std::string file);
  // Functions with equal names, file and line are one, whose start
  // address is the lowest one given (0 counts for none). Names are copied.
  uint32_t AddFunction(SourceFunction function);

  // Appends the next outer frame of the address with index `address`. The
  // frames of one address must follow each other.
  void AddFrame(uint32_t address, const SourceFrame& frame);
  // Replaces the function of every frame so far by what `functions` has at
  // that index.
  void RenumberFunctions(const std::vector<uint32_t>& functions);
  bool IsAnswered(uint32_t address) const {
    return result_.runs[address].count != 0;
  }
  ResolvedAddresses Take() { return std::move(result_); }

 private:
  uint32_t FindFile(std::string_view file) const;

  ResolvedAddresses result_;
  TextBudget texts_;
  IdTable files_;
  IdTable functions_;  // numbers from 1
};

// Copies answers from one result to another.
class AnswerCopier {
 public:
  // Both must outlive the copier.
  AnswerCopier(const ResolvedAddresses& from, AnswerBuilder& to);

  // Answers the address `to` as `from` is answered in the source.
  void Copy(uint32_t from, uint32_t to);

 private:
  static constexpr uint32_t kNotCopied = UINT32_MAX;

  uint32_t FileOf(uint32_t from);

  const ResolvedAddresses& from_;
  AnswerBuilder& to_;
  std::vector<uint32_t> functions_;  // in `to_`, by index in `from_`
  std::vector<uint32_t> files_;
};

// The function that `symbol` stands for, as far as a symbol can tell.
SourceFunction FunctionOfSymbol(const Symbol& symbol);

}  // namespace heapprof
