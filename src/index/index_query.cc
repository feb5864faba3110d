// SPDX-License-Identifier: Apache-2.0
#include "index/index_query.h"

#include <algorithm>
#include <utility>

#include "heapprof/base/for_each.h"
#include "heapprof/base/little_endian_cursor.h"
#include "index/index_format.h"

namespace heapprof {
namespace {

// How work is divided among threads. Parts are small, so that the results of
// all parts stay in the processor's cache until they are used.
constexpr size_t kParts = 16;
constexpr size_t kAddressesPerPart = 1024;
constexpr size_t kFunctionsPerRound = 16384;
constexpr size_t kMinFunctionsPerPart = 64;
constexpr size_t kNamesAhead = 4;  // how far ahead names are prefetched

constexpr uint64_t kStringBudget = uint64_t{256} << 20;

size_t PartCount(size_t count, size_t part_size) {
  return std::min(kParts, (count + part_size - 1) / part_size);
}

template <typename T>
std::span<T> Chunk(std::span<T> all, size_t part, size_t part_size) {
  const size_t first = std::min(all.size(), part * part_size);
  return all.subspan(first, std::min(part_size, all.size() - first));
}

RowFinder FindRows(std::span<const uint8_t> index) {
  LittleEndianCursor info(SectionOf(index, IndexSection::kInfo));
  const uint64_t row_count = info.U64();
  const uint64_t first_start = info.U64();
  return {SectionOf(index, IndexSection::kBlockStarts),
          SectionOf(index, IndexSection::kBlockOffsets),
          SectionOf(index, IndexSection::kRows), row_count, first_start};
}

}  // namespace

IndexQuery::IndexQuery(std::span<const uint8_t> index, unsigned jobs,
                       IndexMemo* memo)
    : jobs_(jobs),
      memo_(memo),
      nodes_(SectionOf(index, IndexSection::kNodes)),
      functions_(SectionOf(index, IndexSection::kInfo),
                 SectionOf(index, IndexSection::kFunctions),
                 SectionOf(index, IndexSection::kVariants)),
      files_(SectionOf(index, IndexSection::kFiles)),
      rows_(FindRows(index)),
      file_strings_(SectionOf(index, IndexSection::kStringBlocks),
                    SectionOf(index, IndexSection::kStrings), kStringBudget,
                    memo == nullptr ? nullptr : &memo->files) {
  if (memo != nullptr) {
    std::swap(function_index_, memo->function_index);
    std::swap(file_index_, memo->file_index);
  }
  function_index_.Reserve(functions_.function_count());
  file_index_.Reserve(files_.size() / sizeof(uint32_t));
  name_parts_.reserve(kParts);
  for (size_t i = 0; i < kParts; ++i)
    name_parts_.push_back(
        {.strings = {SectionOf(index, IndexSection::kStringBlocks),
                     SectionOf(index, IndexSection::kStrings),
                     kStringBudget / kParts,
                     memo == nullptr ? nullptr : &memo->names}});
}

std::optional<ResolvedAddresses> IndexQuery::Run(
    std::span<const uint64_t> addresses) {
  address_count_ = addresses.size();
  limit_ = FrameLimit(address_count_);
  const bool is_valid = AddAllChains(addresses) && ReadFunctions();
  if (memo_ != nullptr) {
    function_index_.Clear();
    file_index_.Clear();
    std::swap(function_index_, memo_->function_index);
    std::swap(file_index_, memo_->file_index);
  }
  if (!is_valid) return std::nullopt;
  answer_.most_frames = limit_.most();
  return std::move(answer_);
}

bool IndexQuery::AddAllChains(std::span<const uint64_t> addresses) {
  constexpr size_t kRound = kParts * kAddressesPerPart;
  answer_.runs.reserve(addresses.size());
  answer_.frames.reserve(kUsualFrames * addresses.size());
  for (size_t i = 0; i * kRound < addresses.size(); ++i)
    if (!(memo_ == nullptr ? AddChains(Chunk(addresses, i, kRound))
                           : AddKnownChains(Chunk(addresses, i, kRound))))
      return false;
  return true;
}

bool IndexQuery::AddChains(std::span<const uint64_t> addresses) {
  std::vector<InlineChains> parts(
      PartCount(addresses.size(), kAddressesPerPart));
  return ForEachInTurn(
      parts.size(), jobs_,
      [&](size_t i) {
        parts[i] = ReadChains(Chunk(addresses, i, kAddressesPerPart));
      },
      [&](size_t i) {
        const InlineChains part =
            std::move(parts[i]);  // frees its memory when used
        return Take(part);
      },
      size_t{jobs_} + 1);
}

bool IndexQuery::AddKnownChains(std::span<const uint64_t> addresses) {
  return Take(memo_->chains.Find(
      addresses,
      [this](std::span<const uint64_t> added) { return ReadChains(added); }));
}

InlineChains IndexQuery::ReadChains(std::span<const uint64_t> addresses) const {
  return ChainReader(nodes_, functions_, rows_, FrameLimit(address_count_))
      .Read(addresses);
}

bool IndexQuery::Take(const InlineChains& part) {
  if (!part.is_valid) return false;
  if (part.most_frames != 0)
    limit_.Lower(answer_.runs, answer_.frames, part.most_frames);
  for (size_t i = 0; i < part.runs.size(); ++i) {
    const FrameRun run = part.runs[i];
    answer_.runs.push_back({});
    for (const SourceFrame& frame :
         std::span(part.frames).subspan(run.first, run.count)) {
      uint32_t function = frame.function;
      uint32_t file = frame.file;
      if (!ReplaceVariant(function) || !AddFunction(function, function) ||
          !AddFile(file, file))
        return false;
      limit_.Add({.function = function,
                  .file = file,
                  .line = frame.line,
                  .column = frame.column},
                 answer_.runs.back(), answer_.frames);
    }
    if (run.count == 0) continue;
    uint64_t& start = starts_[answer_.frames.back().function];
    start = LowerStart(start, part.entry_pcs[i]);
  }
  if (limit_.IsExceeded(answer_.frames))
    limit_.Lower(answer_.runs, answer_.frames);
  return true;
}

// If `number` is that of a variant, replaces it with the number of a function.
// Uses the same function for all variants of a group: the function of the first
// variant of the group that this query met.
bool IndexQuery::ReplaceVariant(uint32_t& number) {
  if (!functions_.IsVariant(number)) return true;
  const uint32_t group = functions_.GroupOf(number);
  // Groups are numbered from 1, and there are no more groups than variants. A
  // higher number means that the index is damaged.
  if (group > functions_.variant_count()) return false;
  if (chosen_.empty()) chosen_.resize(functions_.variant_count() + 1, kNone);
  if (chosen_[group] == kNone) {
    FunctionRecord record;
    if (!functions_.Read(number, record)) return false;
    chosen_[group] = record.number;
  }
  number = chosen_[group];
  return true;
}

bool IndexQuery::AddFunction(uint32_t number, uint32_t& index) {
  index = function_index_[number];
  if (index != kNone) return true;
  FunctionRecord record;
  if (!functions_.Read(number, record) || !AddFile(record.file, record.file))
    return false;
  index = static_cast<uint32_t>(records_.size());
  function_index_.Add(number, index);
  records_.push_back(record);
  starts_.push_back(0);
  return true;
}

bool IndexQuery::AddFile(uint32_t number, uint32_t& index) {
  if (number >= file_index_.limit()) return false;
  index = number == 0 ? 0 : file_index_[number];
  if (index != kNone) return true;
  const uint32_t string =
      LittleEndianCursor(files_, number * sizeof(uint32_t)).U32();
  TextStore whole;
  auto name = file_strings_.Get(string, whole);
  if (!name) return false;
  if (memo_ != nullptr) memo_->files.Add(string, *name);
  texts_.Limit(name->text);
  index = static_cast<uint32_t>(answer_.files.size());
  file_index_.Add(number, index);
  answer_.files.emplace_back(name->text);
  return true;
}

// Reads kFunctionsPerRound functions at a time. After each such round, limits
// the total length of the names.
bool IndexQuery::ReadFunctions() {
  answer_.functions.resize(records_.size());
  for (size_t first = 0; first < records_.size(); first += kFunctionsPerRound) {
    const size_t size = std::min(kFunctionsPerRound, records_.size() - first);
    if (!ReadRound(first, size)) return false;
    if (memo_ != nullptr) KeepInMemo(first, size);
    KeepNames(std::span(answer_.functions).subspan(first, size));
  }
  return true;
}

void IndexQuery::KeepInMemo(size_t first, size_t size) {
  for (size_t i = first; i < first + size; ++i) {
    const SourceFunction& function = answer_.functions[i];
    memo_->names.Add(
        records_[i].name,
        {records_[i].is_scoped ? function.scoped_name : function.linkage_name,
         function.demangled_name});
  }
}

// Moves the names of a round to answer_. If a name was cut, copies all names
// instead, because keeping the memory of the original names would also keep the
// parts that were cut off.
void IndexQuery::KeepNames(std::span<SourceFunction> functions) {
  bool is_cut = false;
  for (SourceFunction& function : functions)
    if (LimitNames(function)) is_cut = true;
  if (is_cut)
    for (SourceFunction& function : functions)
      for (std::string_view* name :
           {&function.linkage_name, &function.demangled_name,
            &function.scoped_name})
        *name = answer_.texts.Add(*name);
  for (NamePart& part : name_parts_) {
    if (!is_cut) answer_.texts.Adopt(std::move(part.names));
    part.names = {};
  }
}

// Limits the lengths of the names. Returns true if one of the names was cut.
bool IndexQuery::LimitNames(SourceFunction& function) {
  const size_t size = function.linkage_name.size();
  const size_t demangled_size = function.demangled_name.size();
  const size_t scoped_size = function.scoped_name.size();
  texts_.Limit(function.scoped_name);
  texts_.Limit(function.linkage_name);
  demangled_texts_.Limit(function.demangled_name);
  const bool is_whole = function.linkage_name.size() == size &&
                        function.demangled_name.size() == demangled_size &&
                        function.scoped_name.size() == scoped_size;
  // Drops the demangled form if it was cut, or if the name was cut and now has
  // another one.
  if (!is_whole) function.demangled_name = {};
  return !is_whole;
}

bool IndexQuery::ReadRound(size_t first, size_t size) {
  const size_t part_size =
      std::max(kMinFunctionsPerPart, (size + kParts - 1) / kParts);
  ForEach(PartCount(size, part_size), jobs_, [&](size_t number) {
    NamePart& part = name_parts_[number];
    const size_t begin = first + number * part_size;
    const size_t end = std::min(first + size, begin + part_size);
    for (size_t i = begin; i < end && part.is_valid; ++i) {
      if (i + kNamesAhead < end)
        part.strings.Prefetch(records_[i + kNamesAhead].name);
      part.is_valid = ReadFunction(i, part);
    }
  });
  return std::ranges::all_of(name_parts_, &NamePart::is_valid);
}

bool IndexQuery::ReadFunction(size_t index, NamePart& part) {
  const FunctionRecord& record = records_[index];
  SourceFunction& function = answer_.functions[index];
  auto name = part.strings.Get(record.name, part.names);
  if (!name) return false;
  // Answers may outlive the memo.
  if (memo_ != nullptr)
    *name = {part.names.Add(name->text), part.names.Add(name->demangled)};
  (record.is_scoped ? function.scoped_name : function.linkage_name) =
      name->text;
  function.demangled_name = name->demangled;
  function.file = record.file;
  function.start_line = record.start_line;
  function.start_address = starts_[index];
  return true;
}

}  // namespace heapprof
