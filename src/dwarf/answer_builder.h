// SPDX-License-Identifier: Apache-2.0
//
// Fills a ResolvedAddresses: every file and every function gets one entry.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

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
  // Entries with equal names, file and line are one function, whose start
  // address is the lowest one given (0 counts for none).
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
  // Of functions of the result, given by their numbers: equal names, file and
  // line are one function.
  struct HashOfFunction {
    const ResolvedAddresses* result;
    size_t operator()(uint32_t number) const;
  };
  struct AreOneFunction {
    const ResolvedAddresses* result;
    bool operator()(uint32_t a, uint32_t b) const;
  };

  ResolvedAddresses result_;
  TextBudget texts_;
  std::unordered_map<std::string, uint32_t> files_;
  std::unordered_set<uint32_t, HashOfFunction, AreOneFunction> functions_{
      0, HashOfFunction{&result_}, AreOneFunction{&result_}};
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

  const ResolvedAddresses& from_;
  AnswerBuilder& to_;
  std::vector<uint32_t> functions_;  // in `to_`, by index in `from_`
  std::vector<uint32_t> files_;
};

// The function that `symbol` stands for, as far as a symbol can tell.
SourceFunction FunctionOfSymbol(const Symbol& symbol);

}  // namespace heapprof
