// SPDX-License-Identifier: Apache-2.0
#include "dwarf/answer_builder.h"

#include <functional>

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
  const auto next = static_cast<uint32_t>(result_.functions.size());
  result_.functions.push_back(std::move(function));
  const auto [known, is_new] = functions_.insert(next);
  if (!is_new) {
    uint64_t& start = result_.functions[*known].start_address;
    start = LowerStart(start, result_.functions[next].start_address);
    result_.functions.pop_back();
  }
  return *known;
}

size_t AnswerBuilder::HashOfFunction::operator()(uint32_t number) const {
  const SourceFunction& f = result->functions[number];
  constexpr size_t kOdd = 0x9e3779b97f4a7c15;
  size_t hash = f.start_line;
  for (const std::string* text : {&f.linkage_name, &f.scoped_name, &f.file})
    hash = hash * kOdd + std::hash<std::string>()(*text);
  return hash;
}

bool AnswerBuilder::AreOneFunction::operator()(uint32_t a, uint32_t b) const {
  const SourceFunction& x = result->functions[a];
  const SourceFunction& y = result->functions[b];
  return x.start_line == y.start_line && x.linkage_name == y.linkage_name &&
         x.scoped_name == y.scoped_name && x.file == y.file;
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
