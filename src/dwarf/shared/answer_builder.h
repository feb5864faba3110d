// SPDX-License-Identifier: Apache-2.0
//
// Builds a ResolvedAddresses that holds each file and each function once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/id_table.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/frame_limit.h"
#include "heapprof/dwarf/text_budget.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class AnswerBuilder {
 public:
  explicit AnswerBuilder(size_t address_count)
      : AnswerBuilder(address_count, FrameLimit(address_count)) {}
  AnswerBuilder(size_t address_count, const FrameLimit& limit)
      : frame_limit_(limit) {
    result_.runs.resize(address_count);
  }
  AnswerBuilder(const AnswerBuilder&) = delete;
  AnswerBuilder& operator=(const AnswerBuilder&) = delete;

  // AddFile() and AddFunction() return the index in ResolvedAddresses of the
  // added file or function, or of an equal one that was added before. File 0 is
  // "".
  uint32_t AddFile(std::string file);
  // Two functions are equal if their names, file and line are the same. Of
  // equal functions, the lowest start address is kept (0 means unknown). The
  // names are copied.
  uint32_t AddFunction(SourceFunction function);

  // Adds a frame to the address with index `address`. Add the frames of an
  // address from the innermost outwards. Add all frames of an address before
  // those of another address. Keeps them within the limit of frames.
  void AddFrame(uint32_t address, const SourceFrame& frame);
  // Leaves each address at most this many frames, unless `most` is 0.
  void LimitFrames(uint32_t most);
  // Changes the function number f of every frame added so far to
  // `functions[f]`.
  void RenumberFunctions(const std::vector<uint32_t>& functions);
  bool IsAnswered(uint32_t address) const {
    return result_.runs[address].count != 0;
  }
  ResolvedAddresses Take();

 private:
  uint32_t FindFile(std::string_view file) const;

  ResolvedAddresses result_;
  FrameLimit frame_limit_;
  TextBudget texts_;
  IdTable files_;
  IdTable functions_;
};

// Copies answers from a ResolvedAddresses to an AnswerBuilder.
class AnswerCopier {
 public:
  // `from` and `to` must outlive the copier.
  AnswerCopier(const ResolvedAddresses& from, AnswerBuilder& to);

  // Copies the frames of an address, which has the index `from` in the source,
  // and the index `to` in the target.
  void Copy(uint32_t from, uint32_t to);

 private:
  static constexpr uint32_t kNotCopied = UINT32_MAX;

  uint32_t FileOf(uint32_t from);

  const ResolvedAddresses& from_;
  AnswerBuilder& to_;
  // For each function and file of `from_`: its index in `to_`, or kNotCopied.
  std::vector<uint32_t> functions_;
  std::vector<uint32_t> files_;
};

// Makes a function from a symbol. It has only a name and a start address.
SourceFunction FunctionOfSymbol(const Symbol& symbol);

}  // namespace heapprof
