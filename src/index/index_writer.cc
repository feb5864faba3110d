// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heapprof/base/common_prefix.h"
#include "heapprof/base/fast_sort.h"
#include "heapprof/base/for_each.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/put_number.h"
#include "heapprof/base/varint.h"
#include "heapprof/index/index_file.h"
#include "index/content_hash.h"
#include "index/index_format.h"
#include "index/indexed_binary.h"

namespace heapprof {
namespace {

// Appends varints to `out` through a buffer. Call Flush() after the last one.
class VarintWriter {
 public:
  explicit VarintWriter(std::string& out) : out_(out) {}

  void Put(uint64_t value) {
    if (size_ + kMaxVarintSize > bytes_.size()) Flush();
    size_ =
        static_cast<size_t>(PutVarint(&bytes_[size_], value) - bytes_.data());
  }
  // The size of `out` after Flush().
  size_t size() const { return out_.size() + size_; }
  void Flush() {
    out_.append(bytes_.data(), size_);
    size_ = 0;
  }

 private:
  std::string& out_;
  std::array<char, 4096> bytes_;
  size_t size_ = 0;
};

struct SortedString {
  std::string_view text;
  uint32_t number = 0;
};

// `uses[i]` says how often the index refers to item i. Returns the new number
// of each item: the most used item gets 0, because low numbers take fewer
// bytes.
std::vector<uint32_t> NumbersByUse(const std::vector<uint32_t>& uses) {
  // Each integer in `order` has the item in its lower half. The upper half is
  // smaller for items that are used more often, so that they come first.
  std::vector<uint64_t> order;
  order.reserve(uses.size());
  for (uint32_t i = 0; i < uses.size(); ++i)
    order.push_back(
        uint64_t{std::numeric_limits<uint32_t>::max() - uses[i]} << 32 | i);
  SortByNumber(order.begin(), order.end(), std::identity());
  std::vector<uint32_t> numbers(uses.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    numbers[static_cast<uint32_t>(order[i])] = i;
  return numbers;
}

std::vector<uint32_t> Inverse(const std::vector<uint32_t>& numbers) {
  std::vector<uint32_t> order(numbers.size());
  for (uint32_t i = 0; i < numbers.size(); ++i) order[numbers[i]] = i;
  return order;
}

// Returns how many bytes `number` needs; at least one.
size_t SizeOf(uint64_t number) {
  size_t size = 1;
  while ((number >>= 8) != 0) ++size;
  return size;
}

// Appends strings, each without the prefix that it shares with the previous
// one.
class FrontCoder {
 public:
  explicit FrontCoder(std::string& out) : out_(out) {}
  void Restart() { before_ = {}; }
  // Appends a string. `flag` is stored in the lowest `flag_bits` bits of the
  // number that has the size of the string's rest.
  void Put(std::string_view text, unsigned flag_bits = 0, uint64_t flag = 0) {
    const size_t shared = CommonPrefix(before_, text);
    VarintWriter sizes(out_);
    sizes.Put(shared);
    sizes.Put(uint64_t{text.size() - shared} << flag_bits | flag);
    sizes.Flush();
    out_.append(text.substr(shared));
    before_ = text;
  }

 private:
  std::string& out_;
  std::string_view before_;
};

// The file with more than half of the votes, if there is one (the Boyer-Moore
// majority vote). Each call of Add() is one vote.
struct MajorityFile {
  void Add(uint32_t candidate) {
    if (count == 0) file = candidate;
    count += file == candidate ? 1 : -1;
  }
  uint32_t file = 0;
  int64_t count = 0;
};

class IndexWriter {
 public:
  IndexWriter(const IndexKey& key, const CodeMap& map) : map_(map) {
    At(IndexSection::kKey) = key.text;
    At(IndexSection::kSplitFiles) = key.split_files;
    At(IndexSection::kLabel) = key.label;
  }

  void SetBinary(const IndexedBinary& binary, IndexedCode code);

  // Uses up to `jobs` threads, and returns the same bytes for any number.
  Result<std::string> Write(unsigned jobs);

 private:
  std::string& At(IndexSection section) {
    return sections_[static_cast<size_t>(section)];
  }
  void CountUses();
  void WriteInfo();
  std::string_view DemangledOf(const SortedString& string) const;
  void WriteStrings();
  void WriteFunctions();
  void WriteNodes();
  uint32_t FunctionNumberOf(const MapNode& node);
  void WriteRows();
  // Counts a row that starts at the address `start`, and begins a new block
  // after every kRowsPerBlock rows. `offset` is the offset of the row in kRows.
  void StartRow(uint64_t start, uint64_t offset);
  void WriteRow(const MapRow& row, VarintWriter& out);
  void WriteGap(uint64_t start, VarintWriter& out);
  std::string Assemble(unsigned jobs);

  const CodeMap& map_;
  std::array<std::string, kSectionCount> sections_;
  // Numbers in the index, by index in the map.
  std::vector<uint32_t> function_numbers_;
  std::vector<uint32_t> file_numbers_;
  std::vector<uint32_t> node_numbers_;
  // The function of each node of the map, in a separate array because it is
  // read often.
  std::vector<uint32_t> node_functions_;
  std::vector<uint32_t> string_numbers_;         // of files, then of names
  std::vector<uint32_t> code_files_;             // by function in the map
  std::unordered_map<uint32_t, size_t> groups_;  // by group in the map
  // The number of each variant, by its group in the map and its function.
  std::unordered_map<uint64_t, uint32_t, RandomHash> variants_;
  // The number of rows written so far, the start of the first row, and the
  // start, node and line of the last row.
  uint64_t row_count_ = 0;
  uint64_t first_start_ = 0;
  uint64_t start_ = 0;
  uint32_t node_ = 0;
  uint32_t line_ = 0;
  bool fits_ = true;
};

// Counts the uses of functions and files, and finds the code file of each
// function (see kFunctions in index_format.h). Does both in one pass, because
// there are so many rows that a second pass would take too long.
void IndexWriter::CountUses() {
  std::vector<uint32_t> functions(map_.functions.size());
  std::vector<uint32_t> files(map_.files.size());
  std::vector<MajorityFile> votes(map_.functions.size());
  node_functions_.reserve(map_.nodes.size());
  for (const MapNode& node : map_.nodes) {
    node_functions_.push_back(node.function);
    if (node.group == 0) ++functions[node.function];
    ++files[node.file];
    if (node.parent != MapNode::kNone)
      votes[node_functions_[node.parent]].Add(node.file);
  }
  for (const MapRow& row : map_.rows) {
    ++files[row.file];
    votes[node_functions_[row.node]].Add(row.file);
  }
  files[0] = std::numeric_limits<uint32_t>::max();
  function_numbers_ = NumbersByUse(functions);
  file_numbers_ = NumbersByUse(files);
  for (const MajorityFile& vote : votes) code_files_.push_back(vote.file);
}

void IndexWriter::WriteStrings() {
  std::vector<SortedString> strings;
  uint32_t number = 0;
  for (const std::string& file : map_.files)
    strings.push_back({file, number++});
  for (const std::string_view name : map_.names)
    strings.push_back({name, number++});
  // Most strings share long prefixes, which a sort that compares would read
  // again for each comparison.
  SortByText(strings.begin(), strings.end(),
             [](const SortedString& string) { return string.text; });
  std::string& out = At(IndexSection::kStrings);
  FrontCoder texts(out);
  FrontCoder demangled_texts(out);
  string_numbers_.resize(strings.size());
  for (uint32_t i = 0; i < strings.size(); ++i) {
    if (i % kStringsPerBlock == 0) {
      texts.Restart();
      demangled_texts.Restart();
      PutNumber(At(IndexSection::kStringBlocks), out.size(), 4);
    }
    const std::string_view demangled = DemangledOf(strings[i]);
    texts.Put(strings[i].text, 1, demangled.empty() ? 0 : 1);
    if (!demangled.empty()) demangled_texts.Put(demangled);
    string_numbers_[strings[i].number] = i;
  }
}

// Returns the demangled form of a name; empty if the index will not store one.
std::string_view IndexWriter::DemangledOf(const SortedString& string) const {
  const size_t first_name = map_.files.size();
  if (string.number < first_name ||
      string.number - first_name >= map_.demangled_names.size())
    return {};
  return map_.demangled_names[string.number - first_name];
}

void IndexWriter::WriteInfo() {
  std::string& out = At(IndexSection::kInfo);
  PutNumber(out, row_count_, 8);
  PutNumber(out, first_start_, 8);
}

void IndexWriter::WriteFunctions() {
  std::vector<std::array<uint64_t, kFunctionFields>> records;
  std::array<size_t, kFunctionFields> sizes = {};
  for (const uint32_t i : Inverse(function_numbers_)) {
    const MapFunction& function = map_.functions[i];
    const uint64_t name = string_numbers_[map_.files.size() + function.name];
    records.push_back({name << 1 | uint64_t{function.is_scoped},
                       file_numbers_[function.file], function.start_line,
                       file_numbers_[code_files_[i]]});
    for (size_t k = 0; k < kFunctionFields; ++k)
      sizes[k] = std::max(sizes[k], SizeOf(records.back()[k]));
  }
  for (const auto& record : records)
    for (size_t k = 0; k < kFunctionFields; ++k)
      PutNumber(At(IndexSection::kFunctions), record[k], sizes[k]);
  for (const size_t size : sizes) PutNumber(At(IndexSection::kInfo), size, 1);
  for (const uint32_t i : Inverse(file_numbers_))
    PutNumber(At(IndexSection::kFiles), string_numbers_[i], 4);
}

uint32_t IndexWriter::FunctionNumberOf(const MapNode& node) {
  const uint32_t number = function_numbers_[node.function];
  if (node.group == 0) return number;
  const uint64_t key = uint64_t{node.group} << 32 | number;
  const auto next =
      static_cast<uint32_t>(map_.functions.size() + variants_.size());
  auto [at, is_new] = variants_.try_emplace(key, next);
  if (is_new) {
    // Groups of the map have numbers with gaps, because some groups were
    // dropped. Groups of the index have numbers without gaps.
    const auto group = groups_.try_emplace(node.group, groups_.size() + 1);
    PutNumber(At(IndexSection::kVariants), group.first->second, 4);
    PutNumber(At(IndexSection::kVariants), number, 4);
  }
  return at->second;
}

void IndexWriter::WriteNodes() {
  VarintWriter out(At(IndexSection::kNodes));
  node_numbers_.reserve(map_.nodes.size());
  for (const MapNode& node : map_.nodes) {
    const auto number = static_cast<uint32_t>(out.size() + 1);
    node_numbers_.push_back(number);
    out.Put(FunctionNumberOf(node));
    if (node.parent == MapNode::kNone) {
      out.Put(0);
      out.Put(node.entry_pc);
      continue;
    }
    const uint32_t caller = node_functions_[node.parent];
    const bool is_code_file = node.file == code_files_[caller];
    out.Put(uint64_t{number - node_numbers_[node.parent]} << 1 |
            uint64_t{is_code_file});
    if (!is_code_file) out.Put(file_numbers_[node.file]);
    out.Put(LineStep(map_.functions[caller].start_line, node.line));
    out.Put(node.column);
  }
  out.Flush();
}

void IndexWriter::WriteRows() {
  constexpr size_t kBytesPerRow = 5;
  At(IndexSection::kRows).reserve(kBytesPerRow * map_.rows.size());
  VarintWriter out(At(IndexSection::kRows));
  for (size_t i = 0; i < map_.ranges.size(); ++i) {
    const MapRange& range = map_.ranges[i];
    auto row = map_.rows.begin() + range.first_row;
    for (uint32_t k = 0; k < range.row_count; ++k) WriteRow(*row++, out);
    if (i + 1 == map_.ranges.size() || map_.ranges[i + 1].start != range.end)
      WriteGap(range.end, out);
  }
  out.Flush();
}

void IndexWriter::StartRow(uint64_t start, uint64_t offset) {
  if (row_count_ == 0) first_start_ = start;
  fits_ = fits_ && start - first_start_ <= std::numeric_limits<uint32_t>::max();
  if (row_count_++ % kRowsPerBlock == 0) {
    PutNumber(At(IndexSection::kBlockStarts), start - first_start_, 4);
    PutNumber(At(IndexSection::kBlockOffsets), offset, 4);
    start_ = start;
    node_ = 0;
  }
}

void IndexWriter::WriteRow(const MapRow& row, VarintWriter& out) {
  StartRow(row.start, out.size());
  const uint32_t node = node_numbers_[row.node];
  const uint32_t function = node_functions_[row.node];
  const bool is_same = node == node_;
  const bool is_code_file = row.file == code_files_[function];
  out.Put((row.start - start_) << 2 | (is_code_file ? kIsCodeFile : 0) |
          (is_same ? kSameNode : 0));
  if (!is_same) out.Put(ZigZag(int64_t{node} - int64_t{node_}));
  if (!is_code_file) out.Put(file_numbers_[row.file]);
  out.Put(LineStep(is_same ? line_ : map_.functions[function].start_line,
                   row.line));
  out.Put(row.column);
  start_ = row.start;
  node_ = node;
  line_ = row.line;
}

void IndexWriter::WriteGap(uint64_t start, VarintWriter& out) {
  StartRow(start, out.size());
  const bool is_same = node_ == 0;
  out.Put((start - start_) << 2 | (is_same ? kSameNode : 0));
  if (!is_same) out.Put(ZigZag(-int64_t{node_}));
  start_ = start;
  node_ = 0;
}

void IndexWriter::SetBinary(const IndexedBinary& binary, IndexedCode code) {
  At(IndexSection::kBinary) = EncodeBinary(binary);
  At(IndexSection::kReturnAddresses) = std::move(code.return_addresses);
  VarintWriter out(At(IndexSection::kUnnamedFunctions));
  uint64_t last = 0;
  for (const auto& [start, end] : code.unnamed_functions) {
    // Overlapping functions do not fit into the format; valid files have none.
    if (start < last) continue;
    out.Put(start - last);
    out.Put(end - start);
    last = end;
  }
  out.Flush();
}

Result<std::string> IndexWriter::Write(unsigned jobs) {
  ForEach(2, jobs, [this](size_t part) {
    if (part == 0) return WriteStrings();
    CountUses();
    WriteNodes();
    WriteRows();
  });
  WriteInfo();
  WriteFunctions();
  for (const std::string& section : sections_)
    if (!fits_ || section.size() >= std::numeric_limits<uint32_t>::max())
      return Fail(ErrorKind::kNoData, "too large for an index");
  return Assemble(jobs);
}

std::string IndexWriter::Assemble(unsigned jobs) {
  uint64_t size = kIndexHeaderSize;
  for (const std::string& section : sections_) size += section.size();
  std::string out(kIndexMagic);
  out.reserve(size);
  PutNumber(out, kIndexVersion, 4);
  PutNumber(out, 0, 4);
  out.append(kHashedFrom - kHashOffset, '\0');
  PutNumber(out, size, 8);
  uint64_t offset = kIndexHeaderSize;
  for (const std::string& section : sections_) {
    PutNumber(out, offset, 8);
    PutNumber(out, section.size(), 8);
    offset += section.size();
  }
  for (std::string& section : sections_) {
    out += section;
    section = {};
  }
  const ContentHash hash = HashContent(
      std::span(reinterpret_cast<const uint8_t*>(out.data()), out.size())
          .subspan(kHashedFrom),
      jobs);
  std::string text;
  for (const uint64_t word : hash) PutNumber(text, word, 8);
  out.replace(kHashOffset, text.size(), text);
  return out;
}

}  // namespace

Result<std::string> EncodeIndex(const IndexKey& key, const CodeMap* map,
                                unsigned jobs) {
  const CodeMap empty;
  return IndexWriter(key, map == nullptr ? empty : *map).Write(jobs);
}

Result<std::string> EncodePortableIndex(std::string_view name,
                                        const IndexedBinary& binary,
                                        IndexedCode code, const CodeMap& map,
                                        unsigned jobs) {
  IndexKey key;
  key.label = name;
  IndexWriter writer(key, map);
  writer.SetBinary(binary, std::move(code));
  return writer.Write(jobs);
}

}  // namespace heapprof
