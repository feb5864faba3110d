// SPDX-License-Identifier: Apache-2.0
//
// Builds a ResolvedAddresses that holds each file and each function once.
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

  // Both return the index in ResolvedAddresses of the new item, or of an equal
  // one that was added before. File 0 is "".
  uint32_t AddFile(std::string file);
  // Functions with the same names, file and line are equal. The lowest of their
  // start addresses is kept (0 means unknown). Names are copied.
  uint32_t AddFunction(SourceFunction function);

  // Appends the next outer frame of the address with index `address`. Add all
  // frames of an address before those of another address.
  void AddFrame(uint32_t address, const SourceFrame& frame);
  // Replaces the function f of every frame so far with `functions[f]`.
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

  // Copies the frames of an address, whose index in each result is `from` and
  // `to`.
  void Copy(uint32_t from, uint32_t to);

 private:
  static constexpr uint32_t kNotCopied = UINT32_MAX;

  uint32_t FileOf(uint32_t from);

  const ResolvedAddresses& from_;
  AnswerBuilder& to_;
  // Indices in `to_`, by index in `from_`.
  std::vector<uint32_t> functions_;
  std::vector<uint32_t> files_;
};

// The function at `symbol`, with only a name and a start address.
SourceFunction FunctionOfSymbol(const Symbol& symbol);

}  // namespace heapprof
