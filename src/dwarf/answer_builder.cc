// SPDX-License-Identifier: Apache-2.0
#include "dwarf/answer_builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "heapprof/base/clone_suffix.h"

namespace heapprof {

uint32_t AnswerBuilder::AddFile(std::string file) {
  if (file.empty()) return 0;
  if (const auto known = files_.find(file); known != files_.end())
    return known->second;
  texts_.Limit(file);
  const auto next = static_cast<uint32_t>(result_.files.size());
  auto [entry, is_new] = files_.try_emplace(file, next);
  if (is_new) result_.files.push_back(file);
  return entry->second;
}

uint32_t AnswerBuilder::AddFunction(SourceFunction function) {
  texts_.Limit(function.linkage_name);
  texts_.Limit(function.scoped_name);
  texts_.Limit(function.file);
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", function.linkage_name, function.scoped_name,
                  function.file, function.start_line);
  const auto next = static_cast<uint32_t>(result_.functions.size());
  auto [entry, is_new] = functions_.try_emplace(key, next);
  if (is_new) {
    result_.functions.push_back(std::move(function));
  } else {
    uint64_t& start = result_.functions[entry->second].start_address;
    start = LowerStart(start, function.start_address);
  }
  return entry->second;
}

void AnswerBuilder::RenumberFunctions(const std::vector<uint32_t>& functions) {
  for (SourceFrame& frame : result_.frames)
    frame.function = functions[frame.function];
}

void AnswerBuilder::AddFrame(uint32_t address, const SourceFrame& frame) {
  FrameRun& run = result_.runs[address];
  if (run.count == 0) run.first = static_cast<uint32_t>(result_.frames.size());
  ++run.count;
  result_.frames.push_back(frame);
}

SourceFunction FunctionOfSymbol(const Symbol& symbol) {
  SourceFunction function;
  function.linkage_name = CutCloneSuffix(symbol.name);
  function.start_address = symbol.address;
  return function;
}

AnswerCopier::AnswerCopier(const ResolvedAddresses& from, AnswerBuilder& to)
    : from_(from),
      to_(to),
      functions_(from.functions.size(), kNotCopied),
      files_(from.files.size(), kNotCopied) {}

void AnswerCopier::Copy(uint32_t from, uint32_t to) {
  const FrameRun run = from_.runs[from];
  for (uint32_t i = run.first; i < run.first + run.count; ++i) {
    SourceFrame frame = from_.frames[i];
    uint32_t& function = functions_[frame.function];
    if (function == kNotCopied)
      function = to_.AddFunction(from_.functions[frame.function]);
    uint32_t& file = files_[frame.file];
    if (file == kNotCopied) file = to_.AddFile(from_.files[frame.file]);
    frame.function = function;
    frame.file = file;
    to_.AddFrame(to, frame);
  }
}

}  // namespace heapprof
