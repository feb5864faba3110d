// SPDX-License-Identifier: Apache-2.0
#include "index/index_query.h"

#include <utility>

#include "heapprof/base/large_pages.h"
#include "heapprof/base/little_endian_cursor.h"
#include "index/index_format.h"

namespace heapprof {
namespace {

// Calls are inlined up to a thousand deep, as a rule a dozen.
constexpr uint32_t kMaxFrames = 1100;
constexpr size_t kUsualFrames = 8;
constexpr uint64_t kSpareFrames = 1'000'000;
constexpr uint64_t kFramesPerAddress = 200;

}  // namespace

IndexQuery::IndexQuery(const IndexFile& index)
    : nodes_(index.Section(static_cast<size_t>(IndexSection::kNodes))),
      functions_(index.Section(static_cast<size_t>(IndexSection::kFunctions))),
      variants_(index.Section(static_cast<size_t>(IndexSection::kVariants))),
      files_(index.Section(static_cast<size_t>(IndexSection::kFiles))),
      strings_(index.Section(static_cast<size_t>(IndexSection::kStringBlocks)),
               index.Section(static_cast<size_t>(IndexSection::kStrings))),
      segments_(index.Section(static_cast<size_t>(IndexSection::kBlockStarts)),
                index.Section(static_cast<size_t>(IndexSection::kBlockOffsets)),
                index.Section(static_cast<size_t>(IndexSection::kSegments)),
                index.segment_count_, index.first_start_),
      file_index_(files_.size() / sizeof(uint32_t), kNone) {
  LittleEndianCursor info(
      index.Section(static_cast<size_t>(IndexSection::kInfo)),
      kFunctionFieldsOffset);
  for (size_t& size : function_fields_) {
    size = info.U8() % (sizeof(uint64_t) + 1);
    function_size_ += size;
  }
  if (function_size_ != 0)
    function_index_.assign(functions_.size() / function_size_, kNone);
}

std::optional<ResolvedAddresses> IndexQuery::Run(
    std::span<const uint64_t> addresses) {
  frame_budget_ = kSpareFrames + kFramesPerAddress * addresses.size();
  answer_.runs.resize(addresses.size());
  ReserveLargeTable(answer_.frames, kUsualFrames * addresses.size());
  for (size_t i = 0; i < addresses.size(); ++i) {
    const IndexSegment segment = segments_.Find(addresses[i]);
    if (segment.node != 0 && !AddChain(segment, answer_.runs[i]))
      return std::nullopt;
  }
  if (!segments_.ok()) return std::nullopt;
  return std::move(answer_);
}

// The position inside a function comes from one level below: from the segment
// for the innermost, else from the call inlined there.
bool IndexQuery::AddChain(const IndexSegment& segment, FrameRun& run) {
  run.first = static_cast<uint32_t>(answer_.frames.size());
  Position position = {segment.has_code_file, segment.file, segment.line_step,
                       segment.column};
  uint64_t node = segment.node - 1;
  while (run.count < kMaxFrames && frame_budget_ > 0) {
    --frame_budget_;
    LittleEndianCursor cursor(nodes_, node);
    const uint64_t number = cursor.Uleb();
    const uint64_t link = cursor.Uleb();
    Function function;
    if (!cursor.ok() || !ReadFunction(number, function)) return false;
    SourceFrame frame = {.line = function.start_line + position.line_step,
                         .column = position.column};
    uint32_t shown = function.number;
    if (!Represent(number, shown) || !AddFunction(shown, frame.function) ||
        !AddFile(position.is_home ? function.code_file : position.file,
                 frame.file))
      return false;
    answer_.frames.push_back(frame);
    ++run.count;
    if (link == 0) {
      uint64_t& start = answer_.functions[frame.function].start_address;
      start = LowerStart(start, cursor.Uleb());
      return cursor.ok();
    }
    position.is_home = (link & 1) != 0;
    position.file = position.is_home ? 0 : static_cast<uint32_t>(cursor.Uleb());
    position.line_step = static_cast<uint32_t>(UnZigZag(cursor.Uleb()));
    position.column = static_cast<uint32_t>(cursor.Uleb());
    const uint64_t distance = link >> 1;
    if (!cursor.ok() || distance == 0 || distance > node) return false;
    node -= distance;
  }
  return false;
}

bool IndexQuery::ReadFunction(uint64_t number, Function& function) {
  if (number >= function_index_.size()) {
    const uint64_t variant = number - function_index_.size();
    if (variant >= variants_.size() / kVariantSize) return false;
    LittleEndianCursor cursor(variants_, variant * kVariantSize);
    cursor.U32();
    number = cursor.U32();
    if (number >= function_index_.size()) return false;
  }
  LittleEndianCursor cursor(functions_, number * function_size_);
  std::array<uint64_t, kFunctionFields> fields = {};
  for (size_t i = 0; i < kFunctionFields; ++i)
    fields[i] = cursor.Unsigned(function_fields_[i]);
  function = {.number = static_cast<uint32_t>(number),
              .name = static_cast<uint32_t>(fields[0] >> 1),
              .is_scoped = (fields[0] & 1) != 0,
              .file = static_cast<uint32_t>(fields[1]),
              .start_line = static_cast<uint32_t>(fields[2]),
              .code_file = static_cast<uint32_t>(fields[3])};
  return cursor.ok();
}

// Replaces `function`, as which `number` was read, by the first one of its
// group that was met.
bool IndexQuery::Represent(uint64_t number, uint32_t& function) {
  if (number < function_index_.size()) return true;
  const uint64_t variant = number - function_index_.size();
  const uint32_t group =
      LittleEndianCursor(variants_, variant * kVariantSize).U32();
  // There are no more groups than variants.
  if (group > variants_.size() / kVariantSize) return false;
  if (chosen_.empty())
    chosen_.resize(variants_.size() / kVariantSize + 1, kNone);
  if (chosen_[group] == kNone) chosen_[group] = function;
  function = chosen_[group];
  return true;
}

bool IndexQuery::AddFunction(uint32_t number, uint32_t& index) {
  uint32_t& known = function_index_[number];
  if (known == kNone) {
    Function function;
    if (!ReadFunction(number, function)) return false;
    auto name = strings_.Get(function.name);
    uint32_t file = 0;
    if (!name || !AddFile(function.file, file)) return false;
    texts_.Limit(*name);
    SourceFunction added;
    added.file = answer_.files[file];
    added.start_line = function.start_line;
    (function.is_scoped ? added.scoped_name : added.linkage_name) =
        *std::move(name);
    known = static_cast<uint32_t>(answer_.functions.size());
    answer_.functions.push_back(std::move(added));
  }
  index = known;
  return true;
}

bool IndexQuery::AddFile(uint64_t number, uint32_t& index) {
  if (number >= file_index_.size()) return false;
  uint32_t& known = file_index_[number];
  if (number == 0) known = 0;
  if (known == kNone) {
    LittleEndianCursor cursor(files_, number * sizeof(uint32_t));
    auto name = strings_.Get(cursor.U32());
    if (!name) return false;
    texts_.Limit(*name);
    known = static_cast<uint32_t>(answer_.files.size());
    answer_.files.push_back(*std::move(name));
  }
  index = known;
  return true;
}

}  // namespace heapprof
