// SPDX-License-Identifier: Apache-2.0
//
// One question to an index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/text_budget.h"
#include "heapprof/index/index_file.h"
#include "index/index_format.h"
#include "index/index_strings.h"
#include "index/segment_finder.h"

namespace heapprof {

class IndexQuery {
 public:
  explicit IndexQuery(const IndexFile& index);

  // See IndexFile::Resolve.
  std::optional<ResolvedAddresses> Run(std::span<const uint64_t> addresses);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  // A record of kFunctions, and what became of it.
  struct Function {
    uint32_t number = 0;  // in kFunctions
    uint32_t name = 0;
    bool is_scoped = false;
    uint32_t file = 0;
    uint32_t start_line = 0;
    uint32_t code_file = 0;
  };
  // Where a frame is.
  struct Position {
    bool is_home = false;  // the file is the code file of the function
    uint32_t file = 0;
    uint32_t line_step = 0;
    uint32_t column = 0;
  };

  bool AddChain(const IndexSegment& segment, FrameRun& run);
  // The function with `number`, which may be a variant; and the one that
  // stands for it in the answer.
  bool ReadFunction(uint64_t number, Function& function);
  bool Represent(uint64_t number, uint32_t& function);
  bool AddFunction(uint32_t number, uint32_t& index);
  bool AddFile(uint64_t number, uint32_t& index);

  std::span<const uint8_t> nodes_;
  std::span<const uint8_t> functions_;
  std::array<size_t, kFunctionFields> function_fields_ = {};  // their bytes
  size_t function_size_ = 0;
  std::span<const uint8_t> variants_;
  std::span<const uint8_t> files_;
  IndexStrings strings_;
  SegmentFinder segments_;
  TextBudget texts_;

  ResolvedAddresses answer_;
  std::vector<uint32_t> function_index_;  // in answer_, by number
  std::vector<uint32_t> file_index_;
  std::vector<uint32_t> chosen_;  // of each group, function
  uint64_t frame_budget_ = 0;
};

}  // namespace heapprof
