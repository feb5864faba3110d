// SPDX-License-Identifier: Apache-2.0
//
// Which dumps are snapshots of one process, and in which order it wrote them.
// Whatever shows, lists or refuses several dumps asks here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heapprof {

struct SeriesFile {
  std::string path;
  int64_t time_ns = 0;  // of the last change, since 1970; 0 if unknown
  // Of the program, once the dump has been read: its path and build id. Dumps
  // of one process that differ in it are of two processes with one id.
  std::string program = {};
};

struct FileSeries {
  std::string process;  // DumpName::process; empty if the names say nothing
  std::string program = {};   // SeriesFile::program
  std::vector<size_t> files;  // indices, in the order of the series

  // False for dumps that may be of different processes.
  bool IsOfOneProcess() const { return !process.empty() || !program.empty(); }
};

// Describes the file at `path`, which may be missing.
SeriesFile DescribeFile(const std::string& path);

// Returns the same for a file by whatever path, and for its compressed copy
// with the time of the file, as zstd leaves it beside the file.
std::string IdentityOf(const std::string& path);

// Groups the files by process; those whose names do not tell the process, by
// program. The dumps of a series are in the order of the numbers in their
// names, or else by time. The order of `files` does not matter.
std::vector<FileSeries> FindSeries(std::span<const SeriesFile> files);

// Does the same by names only, for files that need not be read. Paths with the
// same IdentityOf() count once.
std::vector<FileSeries> FindSeries(std::span<const std::string> paths);

// CountBeforeTheEnd() looks at no more than this many of the last dumps.
inline constexpr size_t kMostDumpsAtTheEnd = 3;

// Returns how many dumps of a process show what it held. A program that exits
// may first free its memory, and that may take longer than the time between two
// dumps: the last ones do not count if they have nearly nothing of what another
// one of the last has. Some programs, such as Python, keep a good part: the
// very last dump does not count either if it has less than half of the one
// before. `live` are the live bytes of the dumps, or of the last ones, in the
// order of the series; `paths` are their paths.
size_t CountBeforeTheEnd(std::span<const std::string> paths,
                         std::span<const double> live);

// Returns the paths with the dumps of each process in the order of its series;
// they share the places that they had. Other files stay where they are.
std::vector<std::string> InSeriesOrder(std::vector<std::string> paths);

}  // namespace heapprof
