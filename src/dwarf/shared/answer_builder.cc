// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/answer_builder.h"

#include "heapprof/base/clone_suffix.h"
#include "heapprof/base/hash.h"

namespace heapprof {
namespace {

uint64_t HashOf(const SourceFunction& function) {
  uint64_t hash = uint64_t{function.file} << 32 | function.start_line;
  for (const std::string_view text :
       {function.linkage_name, function.scoped_name})
    hash = hash * kHashMultiplier + HashOfText(text);
  return hash;
}

bool AreSame(const SourceFunction& a, const SourceFunction& b) {
  return a.start_line == b.start_line && a.file == b.file &&
         a.linkage_name == b.linkage_name && a.scoped_name == b.scoped_name;
}

}  // namespace

uint32_t AnswerBuilder::FindFile(std::string_view file) const {
  return files_.Find(HashOfText(file), [&](uint32_t number) {
    return result_.files[number] == file;
  });
}

uint32_t AnswerBuilder::AddFile(std::string file) {
  if (file.empty()) return 0;
  if (const uint32_t known = FindFile(file)) return known;
  texts_.Limit(file);
  if (const uint32_t known = FindFile(file)) return known;
  const auto added = static_cast<uint32_t>(result_.files.size());
  files_.Add(HashOfText(file), added);
  result_.files.push_back(std::move(file));
  return added;
}

uint32_t AnswerBuilder::AddFunction(SourceFunction function) {
  texts_.Limit(function.linkage_name);
  texts_.Limit(function.scoped_name);
  std::vector<SourceFunction>& rows = result_.functions;
  const uint32_t i = functions_.FindOrAddIndex(
      HashOf(function), rows.size(),
      [&](uint32_t known) { return AreSame(rows[known], function); });
  if (i < rows.size()) {
    uint64_t& start = rows[i].start_address;
    start = LowerStart(start, function.start_address);
    return i;
  }
  for (std::string_view* name : {&function.linkage_name, &function.scoped_name})
    *name = result_.texts.Add(*name);
  rows.push_back(function);
  return i;
}

void AnswerBuilder::RenumberFunctions(const std::vector<uint32_t>& functions) {
  for (SourceFrame& frame : result_.frames)
    frame.function = functions[frame.function];
}

void AnswerBuilder::AddFrame(uint32_t address, const SourceFrame& frame) {
  frame_limit_.Add(frame, result_.runs[address], result_.frames);
  if (frame_limit_.IsExceeded(result_.frames))
    frame_limit_.Lower(result_.runs, result_.frames);
}

void AnswerBuilder::LimitFrames(uint32_t most) {
  if (most != 0) frame_limit_.Lower(result_.runs, result_.frames, most);
}

ResolvedAddresses AnswerBuilder::Take() {
  result_.most_frames = frame_limit_.most();
  return std::move(result_);
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
      files_(from.files.size(), kNotCopied) {
  to.LimitFrames(from.most_frames);
}

uint32_t AnswerCopier::FileOf(uint32_t from) {
  uint32_t& file = files_[from];
  if (file == kNotCopied) file = to_.AddFile(from_.files[from]);
  return file;
}

void AnswerCopier::Copy(uint32_t from, uint32_t to) {
  const FrameRun run = from_.runs[from];
  for (uint32_t i = run.first; i < run.first + run.count; ++i) {
    SourceFrame frame = from_.frames[i];
    uint32_t& function = functions_[frame.function];
    if (function == kNotCopied) {
      SourceFunction copy = from_.functions[frame.function];
      copy.file = FileOf(copy.file);
      function = to_.AddFunction(copy);
    }
    frame.function = function;
    frame.file = FileOf(frame.file);
    to_.AddFrame(to, frame);
  }
}

}  // namespace heapprof
