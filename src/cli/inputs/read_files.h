// SPDX-License-Identifier: Apache-2.0
//
// Reads the files of the command line on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "cli/inputs/profile_loader.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/io/input_file.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct LoadedFile {
  Result<InputFile> file;
  InputKind kind = {};
  // Nothing for a binary, and for a log that needs the memory map of a dump.
  std::optional<Result<Profile>> profile = {};
  Diagnostics diagnostics = {};
};

// Reads the file at `path`, on up to `jobs` threads.
LoadedFile ReadAsProfile(const std::string& path, const ProfileLoader& loader,
                         unsigned jobs);

// Returns how many profiles, the largest of `largest` bytes, are read at the
// same time: two if there are threads for them, so that one is read while
// another is taken, and more only if they are small.
size_t FilesAtOnce(uint64_t largest, unsigned jobs);

// Reads the files at `paths` on up to `jobs` threads, and calls `take` with the
// index of each and what it is, in this order, until that fails. At most
// 2 * `jobs` files are read but not yet taken, and only two if they are large.
Result<void> ReadInTurn(
    std::span<const std::string> paths, const ProfileLoader& loader,
    unsigned jobs, const std::function<Result<void>(size_t, LoadedFile)>& take);

}  // namespace heapprof
