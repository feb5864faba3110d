// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/line_program.h"

#include <algorithm>
#include <utility>

#include <dwarf.h>
#include <fmt/core.h>

#include "dwarf/shared/interval_set.h"
#include "dwarf/shared/problem_log.h"
#include "dwarf/shared/row_budget.h"

namespace heapprof {
namespace {

// Longer paths cannot be opened (PATH_MAX).
constexpr size_t kMaxPathSize = 4096;

bool Overlap(const LineSpan& a, const LineSpan& b) {
  return a.range.end > b.range.start;
}

// Sorts spans by address. The spans of one sequence are sorted already, but the
// sequences come in any order. If sequences overlap, which the standard
// forbids, the first one in the program counts.
void SortSpans(std::vector<LineSpan>& spans) {
  std::vector<std::span<const LineSpan>> runs;
  for (size_t first = 0; first < spans.size();) {
    size_t end = first + 1;
    while (end < spans.size() &&
           spans[end - 1].range.end == spans[end].range.start)
      ++end;
    runs.push_back(std::span(spans).subspan(first, end - first));
    first = end;
  }
  if (runs.size() < 2) return;
  std::ranges::sort(runs, {}, [](std::span<const LineSpan> run) {
    return run.front().range.start;
  });
  std::vector<LineSpan> sorted;
  sorted.reserve(spans.size());
  for (const std::span<const LineSpan> run : runs)
    sorted.insert(sorted.end(), run.begin(), run.end());
  spans = std::ranges::adjacent_find(sorted, Overlap) == sorted.end()
              ? std::move(sorted)
              : CutOverlaps<LineSpan>(spans);
}

}  // namespace

std::optional<LineProgram> LineProgram::Read(const UnitReader& reader,
                                             uint64_t& budget,
                                             std::string& problem) {
  LineProgram program(reader);
  if (!program.ReadHeader(budget, problem)) return std::nullopt;
  problem.clear();
  return program;
}

bool LineProgram::ReadHeader(uint64_t& budget, std::string& problem) {
  const CompilationUnit& unit = reader_->unit();
  LittleEndianCursor section(reader_->sections().line,
                             *unit.line_program_offset);
  encoding_ = unit.encoding;
  const uint64_t length = ReadInitialLength(section, encoding_.offset_size);
  problem = fmt::format("line table at {:#x} of .debug_line is damaged",
                        *unit.line_program_offset);
  LittleEndianCursor program = section.Take(length);
  encoding_.version = program.U16();
  if (!section.ok() || !program.ok()) return false;
  if (encoding_.version < 2 || encoding_.version > 5) {
    problem =
        fmt::format("line table at {:#x} of .debug_line has unknown version {}",
                    *unit.line_program_offset, encoding_.version);
    return false;
  }
  if (encoding_.version == 5) {
    encoding_.address_size = program.U8();
    program.U8();  // segment selector size
  }
  const uint64_t header_length = program.Unsigned(encoding_.offset_size);
  LittleEndianCursor header = program.Take(header_length);
  if (header.remaining() > budget) {
    problem = kOverlappingLinePrograms;
    return false;
  }
  budget -= header.remaining();
  opcodes_ = program.Take(program.remaining());
  min_instruction_length_ = header.U8();
  // The maximum number of operations per instruction is more than one only on
  // VLIW machines, which are not supported.
  if (encoding_.version >= 4 && header.U8() > 1) return false;
  header.U8();  // default_is_stmt
  line_base_ = static_cast<int8_t>(header.U8());
  line_range_ = header.U8();
  opcode_base_ = header.U8();
  if (!header.ok() || line_range_ == 0 || opcode_base_ == 0) return false;
  opcode_lengths_ = header.Bytes(opcode_base_ - 1u);
  if (!header.ok() || !program.ok()) return false;
  return encoding_.version >= 5 ? ReadNewTables(header) : ReadOldTables(header);
}

bool LineProgram::ReadOldTables(LittleEndianCursor& header) {
  // The tables of versions 2 to 4 start with directory 1 and file 1. Directory
  // 0 is the compilation directory; there is no file 0.
  directories_.emplace_back();
  while (header.ok()) {
    const std::string_view directory = header.String();
    if (directory.empty()) break;
    directories_.push_back(directory);
  }
  files_.emplace_back();
  while (header.ok()) {
    File file{.name = header.String()};
    if (file.name.empty()) break;
    file.directory = header.Uleb();
    header.SkipLeb();  // time of modification
    header.SkipLeb();  // size
    files_.push_back(file);
  }
  return header.ok();
}

bool LineProgram::ReadNewTables(LittleEndianCursor& header) {
  return ReadNameTable(header, false) && ReadNameTable(header, true);
}

// Reads the table of files (if `files` is true) or directories in a version 5
// header. The table starts with the format of its entries: a content type
// (DW_LNCT_*) and a form for each column.
bool LineProgram::ReadNameTable(LittleEndianCursor& header, bool files) {
  struct Column {
    uint64_t content = 0;  // DW_LNCT_*
    AttributeSpec spec;
  };
  std::vector<Column> format;
  for (unsigned left = header.U8(); left > 0; --left) {
    const uint64_t content = header.Uleb();
    const auto spec = MakeAttributeSpec(header.Uleb(), encoding_);
    if (!spec) return false;
    format.push_back({content, *spec});
  }
  const uint64_t count = header.Uleb();
  // Limits the number of entries, because a damaged format may describe entries
  // that take no bytes.
  if (count > header.remaining()) return false;
  for (uint64_t i = 0; i < count && header.ok(); ++i) {
    File file;
    for (const Column& column : format) {
      const FormValue value = reader_->Read(column.spec, header);
      if (column.content == DW_LNCT_path)
        file.name = reader_->StringOf(value);
      else if (column.content == DW_LNCT_directory_index)
        file.directory = value.number;
    }
    if (files)
      files_.push_back(file);
    else
      directories_.push_back(file.name);
  }
  return header.ok();
}

std::string LineProgram::FileName(uint64_t number) const {
  if (number >= files_.size() || files_[number].name.empty()) return "";
  const File& file = files_[number];
  std::string_view directory;
  if (file.directory < directories_.size() && !file.name.starts_with('/'))
    directory = directories_[file.directory];
  // In version 5, directory 0 is the compilation directory itself. So paths in
  // directory 0 must not get the compilation directory a second time.
  std::string_view start;
  if ((encoding_.version < 5 || file.directory != 0) &&
      !(directory.empty() ? file.name : directory).starts_with('/'))
    start = reader_->unit().directory;
  std::string path;
  for (const std::string_view part : {start, directory}) {
    path.append(part);
    if (!part.empty() && !part.ends_with('/')) path.append("/");
  }
  path.append(file.name);
  if (path.size() > kMaxPathSize) path.resize(kMaxPathSize);
  return path;
}

// The registers of the line number machine, and the search that line_program.h
// describes.
class LineProgram::PositionFinder {
 public:
  PositionFinder(std::span<const uint64_t> addresses, const ElfImage& binary,
                 std::vector<LinePosition>& rows)
      : addresses_(addresses),
        binary_(binary),
        rows_(rows),
        budget_(RowBudget(addresses.size())),
        missing_(addresses.size()) {}

  void Advance(uint64_t by) { address_ += by; }
  void SetAddress(uint64_t address) { address_ = address; }

  // Makes a row from the registers. This row ends the code of the previous row.
  // Returns false if no later row is needed.
  bool Emit() {
    if (!in_sequence_) {
      StartSequence();
    } else if (address_ > next_wanted_ || address_ < row_address_) {
      Assign();
      if (missing_ == 0) return false;
    }
    current_ = {row.file, row.line, row.column, true};
    row_address_ = address_;
    return true;
  }

  bool EndSequence() {
    if (in_sequence_ && address_ > next_wanted_) Assign();
    in_sequence_ = false;
    row = {.file = 1, .line = 1};
    address_ = 0;
    return missing_ != 0;
  }

  bool exhausted() const { return budget_ == 0; }

  LinePosition row = {.file = 1, .line = 1};

 private:
  void StartSequence() {
    in_sequence_ = true;
    is_code_ = binary_.MayBeCode(address_);
    Seek();
  }

  void Seek() {
    next_ = static_cast<size_t>(std::ranges::lower_bound(addresses_, address_) -
                                addresses_.begin());
    UpdateNextWanted();
  }

  void UpdateNextWanted() {
    next_wanted_ =
        is_code_ && next_ < addresses_.size() ? addresses_[next_] : UINT64_MAX;
  }

  // Gives the latest row to the wanted addresses that the row covers.
  void Assign() {
    if (address_ < row_address_)
      return Seek();  // rows are not sorted, against the standard
    for (; next_wanted_ < address_; UpdateNextWanted()) {
      if (budget_ == 0) return;
      --budget_;
      if (!rows_[next_].found) {
        rows_[next_] = current_;
        --missing_;
      }
      ++next_;
    }
  }

  std::span<const uint64_t> addresses_;
  const ElfImage& binary_;
  std::vector<LinePosition>& rows_;
  uint64_t budget_;  // how often a row may still be assigned to an address
  size_t missing_;   // number of addresses without a row
  uint64_t address_ = 0;
  uint64_t row_address_ = 0;
  LinePosition current_;  // the latest row, at row_address_
  size_t next_ = 0;       // index of the next address that needs a row
  // The address with index next_; UINT64_MAX if there is none, or if this
  // sequence is not code.
  uint64_t next_wanted_ = UINT64_MAX;
  bool in_sequence_ = false;
  bool is_code_ = false;
};

// The registers of the line number machine, and a collector for the rows of all
// sequences that contain wanted addresses.
class LineProgram::SpanFinder {
 public:
  SpanFinder(const ElfImage& binary, std::span<const AddressRange> wanted,
             std::vector<LineSpan>& spans)
      : binary_(binary), wanted_(wanted), spans_(spans) {}

  void Advance(uint64_t by) { address_ += by; }
  void SetAddress(uint64_t address) { address_ = address; }

  bool Emit() {
    if (in_sequence_) {
      EndRow();
    } else {
      in_sequence_ = true;
      is_code_ = binary_.MayBeCode(address_);
      first_ = spans_.size();
      extent_ = {UINT64_MAX, 0};
    }
    current_ = {row.file, row.line, row.column, true};
    row_address_ = address_;
    return true;
  }

  bool EndSequence() {
    if (in_sequence_) {
      EndRow();
      if (!IsWanted()) spans_.resize(first_);
    }
    in_sequence_ = false;
    row = {.file = 1, .line = 1};
    address_ = 0;
    return true;
  }

  LinePosition row = {.file = 1, .line = 1};

 private:
  // The registers hold the address of the next row, where the code of the
  // current row ends. If this address is not higher than the address of the
  // current row, the current row covers nothing.
  void EndRow() {
    if (!is_code_ || address_ <= row_address_) return;
    extent_ = {std::min(extent_.start, row_address_),
               std::max(extent_.end, address_)};
    if (spans_.size() > first_ && spans_.back().range.end == row_address_ &&
        spans_.back().row == current_)
      spans_.back().range.end = address_;
    else
      spans_.push_back({{row_address_, address_}, current_});
  }

  bool IsWanted() const {
    const auto at =
        std::ranges::upper_bound(wanted_, extent_.start, {},
                                 [](const AddressRange& w) { return w.end; });
    return at != wanted_.end() && at->start < extent_.end;
  }

  const ElfImage& binary_;
  std::span<const AddressRange> wanted_;
  std::vector<LineSpan>& spans_;
  uint64_t address_ = 0;
  uint64_t row_address_ = 0;
  LinePosition current_;
  size_t first_ = 0;     // index of the sequence's first span
  AddressRange extent_;  // of the sequence
  bool in_sequence_ = false;
  bool is_code_ = false;
};

bool LineProgram::FindPositions(std::span<const uint64_t> addresses,
                                const ElfImage& binary,
                                std::vector<LinePosition>& rows) const {
  rows.assign(addresses.size(), LinePosition{});
  PositionFinder machine(addresses, binary, rows);
  return Run(machine) && !machine.exhausted();
}

bool LineProgram::FindSpans(const ElfImage& binary,
                            std::span<const AddressRange> wanted,
                            std::vector<LineSpan>& spans) const {
  spans.clear();
  constexpr size_t kBytesPerSpan = 8;
  spans.reserve(opcodes_.remaining() / kBytesPerSpan);
  SpanFinder machine(binary, wanted, spans);
  const bool is_valid = Run(machine);
  SortSpans(spans);
  return is_valid;
}

// Computes the steps of all special opcodes in advance, because most opcodes
// are special. Computing the step each time an opcode is run would take two
// divisions, which cost more than the rest of the work.
LineProgram::SpecialSteps LineProgram::MakeSpecialSteps() const {
  SpecialSteps steps;
  for (unsigned opcode = opcode_base_; opcode < steps.size(); ++opcode) {
    const unsigned adjusted = opcode - opcode_base_;
    steps[opcode] = {
        .address = uint32_t{min_instruction_length_} * (adjusted / line_range_),
        .line = static_cast<uint32_t>(
            line_base_ + static_cast<int>(adjusted % line_range_))};
  }
  return steps;
}

// Runs the program until the machine needs no more rows. Returns false if the
// program is damaged before that.
template <typename Machine>
bool LineProgram::Run(Machine& machine) const {
  LittleEndianCursor cursor = opcodes_;
  const uint64_t unit_length = min_instruction_length_;
  const SpecialSteps special = MakeSpecialSteps();
  const uint64_t const_add_pc = special[255].address;
  while (!cursor.AtEnd()) {
    const uint8_t opcode = cursor.U8();
    if (opcode >= opcode_base_) {
      machine.Advance(special[opcode].address);
      machine.row.line += special[opcode].line;
      if (!machine.Emit()) return true;
      continue;
    }
    switch (opcode) {
      case 0: {
        const uint64_t length = cursor.Uleb();
        LittleEndianCursor operands = cursor.Take(length);
        const uint8_t extended = operands.U8();
        if (extended == DW_LNE_end_sequence) {
          if (!machine.EndSequence()) return true;
        } else if (extended == DW_LNE_set_address &&
                   operands.remaining() <= 8) {
          machine.SetAddress(operands.Unsigned(operands.remaining()));
        }
        break;
      }
      case DW_LNS_copy:
        if (!machine.Emit()) return true;
        break;
      case DW_LNS_advance_pc:
        machine.Advance(unit_length * cursor.Uleb());
        break;
      case DW_LNS_advance_line:
        machine.row.line += static_cast<uint32_t>(cursor.Sleb());
        break;
      case DW_LNS_set_file:
        machine.row.file = static_cast<uint32_t>(cursor.Uleb());
        break;
      case DW_LNS_set_column:
        machine.row.column = static_cast<uint32_t>(cursor.Uleb());
        break;
      case DW_LNS_const_add_pc:
        machine.Advance(const_add_pc);
        break;
      case DW_LNS_fixed_advance_pc:
        machine.Advance(cursor.U16());
        break;
      default:
        // An unknown standard opcode. The header says how many operands it has;
        // all of them are LEB128.
        for (uint8_t i = 0; i < opcode_lengths_[opcode - 1u]; ++i)
          cursor.SkipLeb();
        break;
    }
  }
  return cursor.ok();
}

}  // namespace heapprof
