// SPDX-License-Identifier: Apache-2.0
//
// Finds and reads the source files that a report shows. Their paths come from
// the profile or from debug information, so that they may lead to anything. A
// file is read only if it is a regular file outside /proc and /sys and has the
// name of a source file, or is below a folder that the user names for sources.
// Symbolic links are followed first.
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

  // Returns a message about the files that were not found or not read; empty if
  // all were.
  std::string MissingNote() const;
  // The files of which lines were returned, as they are called on this machine.
  const std::vector<std::string>& files_read() const { return files_read_; }

 private:
  struct SourceFile {
    InputFile file;
    std::vector<std::string_view> lines;
  };

  bool IsAllowed(const std::string& path) const;
  std::optional<SourceFile> Read(const std::string& path);
  std::optional<SourceFile> Find(const std::string& path);

  const SourceSearch search_;
  // Folders that the user names for sources, without symbolic links.
  std::vector<std::string> folders_;
  const std::vector<std::string_view> none_;
  std::map<std::string, std::optional<SourceFile>> files_;
  std::vector<std::string> files_read_;
  std::vector<std::string> missing_;
  std::vector<std::string> refused_;
};

}  // namespace heapprof
