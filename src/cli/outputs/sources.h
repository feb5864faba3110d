// SPDX-License-Identifier: Apache-2.0
//
// Finds and reads the source files that a report shows.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/io/input_file.h"
#include "heapprof/symbolize/source_candidates.h"

namespace heapprof {

// The source files of one report. Each file is read only once.
class Sources {
 public:
  // Looks in the places of --source-path, --path-map and --sysroot.
  explicit Sources(const Options& options);

  // Returns the lines of a file; none if the file is not found. `path` comes
  // from the debug information.
  const std::vector<std::string_view>& LinesOf(const std::string& path);

  // Returns a message about the files that were not found; empty if all were.
  std::string MissingNote() const;

 private:
  struct SourceFile {
    InputFile file;
    std::vector<std::string_view> lines;
  };

  static std::optional<SourceFile> Read(const std::string& path);
  std::optional<SourceFile> Find(const std::string& path) const;

  const SourceSearch search_;
  const std::vector<std::string_view> none_;
  std::map<std::string, std::optional<SourceFile>> files_;
  std::vector<std::string> missing_;
};

}  // namespace heapprof
