// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heapprof/index/index_file.h"
#include "index/content_hash.h"
#include "index/index_format.h"

namespace heapprof {
namespace {

void PutNumber(std::string& out, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xff);
}

void PutVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>((value & 0x7f) | 0x80);
  out += static_cast<char>(value);
}

// Numbers such that what is used most has the lowest: these are written often.
std::vector<uint32_t> NumbersByUse(const std::vector<uint32_t>& uses) {
  std::vector<uint32_t> order(uses.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&uses](uint32_t a, uint32_t b) {
    return uses[a] != uses[b] ? uses[a] > uses[b] : a < b;
  });
  std::vector<uint32_t> numbers(uses.size());
  for (uint32_t i = 0; i < order.size(); ++i) numbers[order[i]] = i;
  return numbers;
}

std::vector<uint32_t> Inverse(const std::vector<uint32_t>& numbers) {
  std::vector<uint32_t> order(numbers.size());
  for (uint32_t i = 0; i < numbers.size(); ++i) order[numbers[i]] = i;
  return order;
}

class IndexWriter {
 public:
  IndexWriter(const IndexKey& key, const CodeMap& map) : map_(map) {
    At(IndexSection::kKey) = key.text;
    At(IndexSection::kLabel) = key.label;
  }

  Result<std::string> Write();

 private:
  std::string& At(IndexSection section) {
    return sections_[static_cast<size_t>(section)];
  }
  void CountUses();
  void WriteStrings();
  void WriteFunctions();
  void WriteNodes();
  uint32_t NumberOfFunction(const MapNode& node);
  void WriteSegments();
  void StartSegment(uint64_t start);
  void WriteSegment(const MapSegment& segment);
  void WriteGap(uint64_t start);

  const CodeMap& map_;
  std::array<std::string, kSectionCount> sections_;
  // By index in the map, in the file.
  std::vector<uint32_t> function_numbers_;
  std::vector<uint32_t> file_numbers_;
  std::vector<uint32_t> node_numbers_;
  std::unordered_map<std::string_view, uint32_t> string_numbers_;
  // By group and function.
  std::unordered_map<uint64_t, uint32_t> variants_;
  // The segment before.
  uint64_t segment_count_ = 0;
  uint64_t start_ = 0;
  uint32_t node_ = 0;
  uint32_t line_ = 0;
  bool fits_ = true;
};

void IndexWriter::CountUses() {
  std::vector<uint32_t> functions(map_.functions.size());
  std::vector<uint32_t> files(map_.files.size());
  for (const MapNode& node : map_.nodes) {
    if (node.group == 0) ++functions[node.function];
    ++files[node.file];
  }
  for (const MapSegment& segment : map_.segments) ++files[segment.file];
  files[0] = std::numeric_limits<uint32_t>::max();
  function_numbers_ = NumbersByUse(functions);
  file_numbers_ = NumbersByUse(files);
}

void IndexWriter::WriteStrings() {
  std::vector<std::string_view> strings(map_.files.begin(), map_.files.end());
  for (const MapFunction& function : map_.functions)
    strings.push_back(function.name);
  std::ranges::sort(strings);
  const auto rest = std::ranges::unique(strings);
  strings.erase(rest.begin(), rest.end());
  std::string& out = At(IndexSection::kStrings);
  std::string_view before;
  string_numbers_.reserve(strings.size());
  for (uint32_t i = 0; i < strings.size(); ++i) {
    if (i % kStringsPerBlock == 0) {
      before = {};
      PutNumber(At(IndexSection::kStringBlocks), out.size(), 4);
    }
    const std::string_view text = strings[i];
    const auto shared = static_cast<size_t>(
        std::ranges::mismatch(before, text).in1 - before.begin());
    PutVarint(out, shared);
    PutVarint(out, text.size() - shared);
    out += text.substr(shared);
    before = text;
    string_numbers_.emplace(text, i);
  }
}

void IndexWriter::WriteFunctions() {
  std::string& out = At(IndexSection::kFunctions);
  for (const uint32_t i : Inverse(function_numbers_)) {
    const MapFunction& function = map_.functions[i];
    PutNumber(out,
              uint64_t{string_numbers_.at(function.name)} << 1 |
                  uint64_t{function.is_scoped},
              4);
    PutNumber(out, file_numbers_[function.file], 4);
    PutNumber(out, function.start_line, 4);
  }
  for (const uint32_t i : Inverse(file_numbers_))
    PutNumber(At(IndexSection::kFiles), string_numbers_.at(map_.files[i]), 4);
}

uint32_t IndexWriter::NumberOfFunction(const MapNode& node) {
  const uint32_t number = function_numbers_[node.function];
  if (node.group == 0) return number;
  const uint64_t key = uint64_t{node.group} << 32 | number;
  const auto next =
      static_cast<uint32_t>(map_.functions.size() + variants_.size());
  auto [at, is_new] = variants_.try_emplace(key, next);
  if (is_new) {
    PutNumber(At(IndexSection::kVariants), node.group, 4);
    PutNumber(At(IndexSection::kVariants), number, 4);
  }
  return at->second;
}

void IndexWriter::WriteNodes() {
  std::string& out = At(IndexSection::kNodes);
  node_numbers_.reserve(map_.nodes.size());
  for (const MapNode& node : map_.nodes) {
    const auto number = static_cast<uint32_t>(out.size() + 1);
    node_numbers_.push_back(number);
    PutVarint(out, NumberOfFunction(node));
    if (node.parent == MapNode::kNone) {
      PutVarint(out, 0);
      PutVarint(out, node.entry_address);
      continue;
    }
    const MapFunction& caller =
        map_.functions[map_.nodes[node.parent].function];
    const bool is_home = node.file == caller.file;
    PutVarint(out, uint64_t{number - node_numbers_[node.parent]} << 1 |
                       uint64_t{is_home});
    if (!is_home) PutVarint(out, file_numbers_[node.file]);
    PutVarint(out, LineStep(caller.start_line, node.line));
    PutVarint(out, node.column);
  }
}

void IndexWriter::WriteSegments() {
  for (size_t i = 0; i < map_.stretches.size(); ++i) {
    const MapStretch& stretch = map_.stretches[i];
    for (uint32_t k = 0; k < stretch.segment_count; ++k)
      WriteSegment(map_.segments[stretch.first_segment + k]);
    if (i + 1 == map_.stretches.size() ||
        map_.stretches[i + 1].start != stretch.end)
      WriteGap(stretch.end);
  }
  PutNumber(At(IndexSection::kInfo), segment_count_, 8);
}

void IndexWriter::StartSegment(uint64_t start) {
  if (segment_count_++ % kSegmentsPerBlock == 0) {
    PutNumber(At(IndexSection::kBlockStarts), start, 8);
    PutNumber(At(IndexSection::kBlockOffsets),
              At(IndexSection::kSegments).size(), 4);
    start_ = start;
    node_ = 0;
  }
}

void IndexWriter::WriteSegment(const MapSegment& segment) {
  StartSegment(segment.start);
  std::string& out = At(IndexSection::kSegments);
  fits_ = fits_ && segment.start - start_ <= UINT64_MAX >> 2;
  const uint32_t node = node_numbers_[segment.node];
  const MapFunction& function =
      map_.functions[map_.nodes[segment.node].function];
  const bool is_same = node == node_;
  const bool is_home = segment.file == function.file;
  PutVarint(out, (segment.start - start_) << 2 | (is_home ? kHomeFile : 0) |
                     (is_same ? kSameNode : 0));
  if (!is_same) PutVarint(out, ZigZag(int64_t{node} - int64_t{node_}));
  if (!is_home) PutVarint(out, file_numbers_[segment.file]);
  PutVarint(out, LineStep(is_same ? line_ : function.start_line, segment.line));
  PutVarint(out, segment.column);
  start_ = segment.start;
  node_ = node;
  line_ = segment.line;
}

void IndexWriter::WriteGap(uint64_t start) {
  StartSegment(start);
  std::string& out = At(IndexSection::kSegments);
  fits_ = fits_ && start - start_ <= UINT64_MAX >> 2;
  const bool is_same = node_ == 0;
  PutVarint(out, (start - start_) << 2 | (is_same ? kSameNode : 0));
  if (!is_same) PutVarint(out, ZigZag(-int64_t{node_}));
  start_ = start;
  node_ = 0;
}

Result<std::string> IndexWriter::Write() {
  CountUses();
  WriteStrings();
  WriteFunctions();
  WriteNodes();
  WriteSegments();
  uint64_t size = kIndexHeaderSize;
  std::string header(kIndexMagic);
  PutNumber(header, kIndexVersion, 4);
  PutNumber(header, 0, 4);
  std::string hashed;
  for (const std::string& section : sections_) {
    if (!fits_ || section.size() >= std::numeric_limits<uint32_t>::max())
      return Fail(ErrorKind::kNoData, "too large for an index");
    PutNumber(hashed, size, 8);
    PutNumber(hashed, section.size(), 8);
    size += section.size();
  }
  std::string out;
  out.reserve(size);
  out += header;
  out.append(kHashedFrom - kHashOffset, '\0');
  PutNumber(out, size, 8);
  out += hashed;
  for (std::string& section : sections_) {
    out += section;
    section = {};
  }
  const ContentHash hash = HashContent(
      std::span(reinterpret_cast<const uint8_t*>(out.data()), out.size())
          .subspan(kHashedFrom));
  std::string text;
  for (const uint64_t word : hash) PutNumber(text, word, 8);
  out.replace(kHashOffset, text.size(), text);
  return out;
}

}  // namespace

Result<std::string> EncodeIndex(const IndexKey& key, const CodeMap* map) {
  const CodeMap empty;
  return IndexWriter(key, map == nullptr ? empty : *map).Write();
}

}  // namespace heapprof
