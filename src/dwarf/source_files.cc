// SPDX-License-Identifier: Apache-2.0
#include "dwarf/source_files.h"

#include <algorithm>
#include <string_view>

#include <dwarf.h>
#include <fmt/format.h>

#include "dwarf/dwarf_section.h"
#include "dwarf/scope_table.h"

namespace heapprof {
namespace {

// The name that libdw gives to file 0 of tables that count from 1.
constexpr std::string_view kNoFile = "???";

// For the file tables of an alternate debug file, which hold few rows.
constexpr uint64_t kSpareRows = 1'000'000;

std::string JoinDirectory(std::string_view directory, std::string_view file) {
  if (file.empty() || file == kNoFile) return "";
  // libdw has put the directory in front of files in directory 0, but not in
  // front of other relative directories.
  const bool complete =
      file.front() == '/' || directory.empty() ||
      (file.starts_with(directory) && file.size() > directory.size() &&
       file[directory.size()] == '/');
  if (complete) return std::string(file);
  return fmt::format("{}/{}", directory, file);
}

// Decides which rows hold while libdw's rows, sorted by address, go by.
//
// libdw merges all sequences of a unit into one sorted list. A sequence of a
// discarded function starts at 0 or so; its rows there are left out. If it is
// long enough to reach into real code, its rows there cannot be told from the
// real ones, but the first end_sequence is taken for its end and does not cut
// the real sequence short.
class RowFilter {
 public:
  explicit RowFilter(const RangeReader& ranges) : ranges_(ranges) {}

  // The row that holds from this one on; nullptr if none does.
  Dwarf_Line* Next(Dwarf_Line* row) {
    Dwarf_Addr address = 0;
    bool is_end = false;
    if (dwarf_lineaddr(row, &address) != 0 ||
        dwarf_lineendsequence(row, &is_end) != 0)
      return current_ = nullptr;
    if (!ranges_.IsCode(address)) {
      if (is_end && current_ != nullptr) return current_ = nullptr;
      discarded_open_ = !is_end;
      return current_ = nullptr;
    }
    if (discarded_open_) mixed_ = true;
    if (!is_end) return current_ = row;
    if (!discarded_open_) return current_ = nullptr;
    discarded_open_ = false;
    return current_;
  }
  bool mixed() const { return mixed_; }

 private:
  const RangeReader& ranges_;
  Dwarf_Line* current_ = nullptr;
  bool discarded_open_ = false;
  bool mixed_ = false;
};

SourcePosition PositionOf(Dwarf_Line* row, std::string_view directory) {
  SourcePosition position;
  if (row == nullptr) return position;
  position.found = true;
  int number = 0;
  if (dwarf_lineno(row, &number) == 0 && number > 0)
    position.line = static_cast<uint32_t>(number);
  if (dwarf_linecol(row, &number) == 0 && number > 0)
    position.column = static_cast<uint32_t>(number);
  const char* file = dwarf_linesrc(row, nullptr, nullptr);
  if (file != nullptr) position.file = JoinDirectory(directory, file);
  return position;
}

std::string_view CompilationDirectory(Dwarf_Die* root) {
  return StringAttribute(root, DW_AT_comp_dir);
}

}  // namespace

SourceFiles::SourceFiles(Dwarf* dwarf, const RangeReader& ranges,
                         ProblemLog& problems)
    : ranges_(ranges),
      problems_(problems),
      row_budget_(kSpareRows + DwarfSection(dwarf, "debug_line").size()) {}

bool SourceFiles::ReadTable(Dwarf_Die* root, Dwarf_Lines** lines,
                            size_t* count) {
  if (!dwarf_hasattr(root, DW_AT_stmt_list)) return false;
  if (row_budget_ == 0) {
    problems_.Note("line tables overlap; the rest of them is not read");
    return false;
  }
  if (dwarf_getsrclines(root, lines, count) != 0) {
    problems_.Note(
        fmt::format("unit with its root at {:#x} of .debug_info: "
                    "cannot read its line table: {}",
                    dwarf_dieoffset(root), dwarf_errmsg(-1)));
    return false;
  }
  if (counted_.insert(*lines).second)
    row_budget_ -= std::min<uint64_t>(row_budget_, *count);
  return true;
}

std::string SourceFiles::FileName(Dwarf_Die* die, uint64_t index) {
  Dwarf_Die root;
  Dwarf_Lines* lines = nullptr;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_diecu(die, &root, nullptr, nullptr) == nullptr ||
      !ReadTable(&root, &lines, &count) ||
      dwarf_getsrcfiles(&root, &files, &count) != 0 || index >= count)
    return "";
  const char* file = dwarf_filesrc(files, index, nullptr, nullptr);
  if (file == nullptr) return "";
  return JoinDirectory(CompilationDirectory(&root), file);
}

std::vector<SourcePosition> SourceFiles::FindLines(
    Dwarf_Die* root, std::span<const uint64_t> addresses) {
  std::vector<SourcePosition> positions(addresses.size());
  Dwarf_Lines* lines = nullptr;
  size_t count = 0;
  if (!ReadTable(root, &lines, &count)) return positions;
  const std::string_view directory = CompilationDirectory(root);
  RowFilter filter(ranges_);
  Dwarf_Line* current = nullptr;
  size_t next = 0;
  for (size_t i = 0; i < count && next < addresses.size(); ++i) {
    Dwarf_Line* row = dwarf_onesrcline(lines, i);
    Dwarf_Addr address = 0;
    if (dwarf_lineaddr(row, &address) != 0) continue;
    for (; next < addresses.size() && addresses[next] < address; ++next)
      positions[next] = PositionOf(current, directory);
    current = filter.Next(row);
  }
  if (filter.mixed())
    problems_.Note(fmt::format(
        "unit with its root at {:#x} of .debug_info: lines of discarded code "
        "are mixed with real ones",
        dwarf_dieoffset(root)));
  return positions;
}

}  // namespace heapprof
