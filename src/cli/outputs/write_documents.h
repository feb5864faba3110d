// SPDX-License-Identifier: Apache-2.0
//
// Writes what a run has made: all of it, or nothing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heapprof/base/byte_sink.h"
#include "heapprof/base/error.h"
#include "heapprof/io/output_file.h"

namespace heapprof {

// Returns a completed file with what `write` writes. It is not published.
Result<OutputFile> MakeOutputFile(
    const std::string& path,
    const std::function<Result<void>(ByteSink&)>& write);

// A finished text, and where it goes.
struct Document {
  std::string text;
  std::string path = {};  // empty or "-" = standard output
};

// Writes files, compressed if their names say so. Standard output comes last,
// because what it has received cannot be taken back. Then these files and
// `files`, which are completed, appear; if anything fails, none does. A reader
// of standard output that has seen enough, such as head, is no failure: the
// status of a gate must not depend on when it went.
Result<void> WriteDocuments(const std::vector<Document>& documents,
                            std::vector<OutputFile> files = {});

}  // namespace heapprof
