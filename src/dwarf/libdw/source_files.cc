// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/source_files.h"

#include <elf.h>

#include <algorithm>
#include <string_view>

#include <dwarf.h>
#include <fmt/core.h>
#include <libelf.h>

#include "dwarf/libdw/dwarf_section.h"
#include "dwarf/libdw/libdw_error.h"
#include "dwarf/libdw/scope_table.h"
#include "dwarf/shared/row_budget.h"

namespace heapprof {
namespace {

// The name that libdw gives to file 0 if the file table starts with file 1.
constexpr std::string_view kNoFile = "???";

// How many units may share a line program. This is limited, because the program
// is read again for each of them.
constexpr uint64_t kUnitsPerProgram = 16;

std::string JoinDirectory(std::string_view directory, std::string_view file) {
  if (file.empty() || file == kNoFile) return "";
  // libdw has already put `directory` before the paths of files in directory 0,
  // but not before those of files in other relative directories.
  const bool complete =
      file.front() == '/' || directory.empty() ||
      (file.starts_with(directory) && file.size() > directory.size() &&
       file[directory.size()] == '/');
  std::string joined =
      complete ? std::string(file) : fmt::format("{}/{}", directory, file);
  // libdw joins a directory such as "/" to "//a.cc".
  const auto repeated = std::ranges::unique(
      joined, [](char a, char b) { return a == '/' && b == '/'; });
  joined.erase(repeated.begin(), repeated.end());
  return joined;
}

std::string_view CompilationDirectory(Dwarf_Die* root) {
  return StringAttribute(root, DW_AT_comp_dir);
}

bool IsBigEndian(Dwarf* dwarf) {
  const char* ident = elf_getident(dwarf_getelf(dwarf), nullptr);
  return ident != nullptr && ident[EI_DATA] == ELFDATA2MSB;
}

}  // namespace

SourceFiles::SourceFiles(Dwarf* dwarf, const DieRangeReader& ranges,
                         ProblemLog& problems)
    : ranges_(ranges),
      problems_(problems),
      debug_line_(DwarfSection(dwarf, "debug_line")),
      big_endian_(IsBigEndian(dwarf)),
      // The line programs of the alternate file (of dwz) are read, too, for
      // their file tables. These limits do not count its .debug_line, but its
      // line programs have few rows.
      row_budget_(kBaseRows + debug_line_.size()),
      program_budget_(kBaseRows + kUnitsPerProgram * debug_line_.size()) {}

Dwarf_Files* SourceFiles::ReadFiles(Dwarf_Die* root, size_t* count) {
  if (!dwarf_hasattr(root, DW_AT_stmt_list)) return nullptr;
  if (row_budget_ == 0) {
    problems_.Note(kOverlappingLinePrograms);
    return nullptr;
  }
  Dwarf_Lines* lines = nullptr;
  Dwarf_Files* files = nullptr;
  size_t row_count = 0;
  ClearLibdwError();
  if (dwarf_getsrclines(root, &lines, &row_count) != 0 ||
      dwarf_getsrcfiles(root, &files, count) != 0) {
    problems_.Note(
        fmt::format("unit with its root at {:#x} of .debug_info: "
                    "cannot read its line table: {}",
                    dwarf_dieoffset(root), TakeLibdwError()));
    return nullptr;
  }
  if (counted_.insert(lines).second)
    row_budget_ -= std::min<uint64_t>(row_budget_, row_count);
  return files;
}

std::string SourceFiles::FileName(Dwarf_Die* die, uint64_t index) {
  Dwarf_Die root;
  if (dwarf_diecu(die, &root, nullptr, nullptr) == nullptr) return "";
  return FileNameInUnit(&root, index);
}

std::string SourceFiles::FileNameInUnit(Dwarf_Die* root, uint64_t index) {
  size_t count = 0;
  Dwarf_Files* files = ReadFiles(root, &count);
  if (files == nullptr || index >= count) return "";
  const char* file = dwarf_filesrc(files, index, nullptr, nullptr);
  if (file == nullptr) return "";
  return JoinDirectory(CompilationDirectory(root), file);
}

std::optional<LineTable> SourceFiles::OpenLineTable(Dwarf_Die* root) {
  Dwarf_Attribute attribute;
  Dwarf_Word offset = 0;
  size_t count = 0;
  if (ReadFiles(root, &count) == nullptr ||
      dwarf_formudata(dwarf_attr(root, DW_AT_stmt_list, &attribute), &offset) !=
          0)
    return std::nullopt;
  LineTable program(debug_line_, offset, big_endian_);
  if (charged_.insert(root->addr).second) {
    if (program.bytes_left() > program_budget_) {
      problems_.Note(kOverlappingLinePrograms);
      return std::nullopt;
    }
    program_budget_ -= program.bytes_left();
  }
  return program;
}

std::vector<SourcePosition> SourceFiles::FindLines(
    Dwarf_Die* root, std::span<const uint64_t> addresses) {
  std::vector<SourcePosition> positions(addresses.size());
  std::optional<LineTable> program = OpenLineTable(root);
  LineSequence sequence;
  uint64_t budget = RowBudget(addresses.size());
  while (program && program->Next(sequence)) {
    std::vector<LineRow>& rows = sequence.rows;
    if (rows.empty() || !ranges_.IsCode(rows.front().address)) continue;
    // The standard demands increasing addresses, but a damaged file may differ.
    if (!std::ranges::is_sorted(rows, {}, &LineRow::address))
      std::ranges::sort(rows, {}, &LineRow::address);
    auto at = std::ranges::lower_bound(addresses, rows.front().address);
    for (; at != addresses.end() && *at < sequence.end; ++at) {
      if (budget == 0) {
        problems_.Note(kOverlappingLinePrograms);
        return positions;
      }
      --budget;
      SourcePosition& position =
          positions[static_cast<size_t>(at - addresses.begin())];
      if (position.found) continue;
      const LineRow& row = *std::prev(
          std::ranges::upper_bound(rows, *at, {}, &LineRow::address));
      position = {.file = FileNameInUnit(root, row.file),
                  .line = row.line,
                  .column = row.column,
                  .found = true};
    }
  }
  return positions;
}

}  // namespace heapprof
