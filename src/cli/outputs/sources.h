// SPDX-License-Identifier: Apache-2.0
//
// The source files that a report shows.
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

// Reads each file once.
class Sources {
 public:
  // Looks where --source-path, --path-map and --sysroot say.
  explicit Sources(const Options& options);

  // None if it is not found. `path` is as the debug information has it.
  const std::vector<std::string_view>& LinesOf(const std::string& path);

  // Empty if all were found.
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
