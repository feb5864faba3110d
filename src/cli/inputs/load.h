// SPDX-License-Identifier: Apache-2.0
//
// Tells binaries, profiles and folders among the arguments apart by their
// content, and reads the profiles.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/args/options.h"
#include "cli/inputs/input_facts.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/transform/merge.h"

namespace heapprof {

struct LoadedInputs {
  std::string first_dump;  // path of the first profile
  const InputFormat* first_format = nullptr;
  std::vector<MergeInput> profiles;  // the new side comes first
  InputMerger merger;  // has what was taken of `profiles`, and merges all
  std::vector<InputFacts> facts;  // about each of `profiles`
  std::vector<std::string> binaries;
  std::vector<std::string> folder_files;  // ELF files in folder arguments
  // For --symbols: the addresses, in the order of the input.
  std::vector<LocationId> addresses;
};

// Finds the binaries of one profile; see FindBinariesOf(). The first argument
// has all binaries of the command line, but perhaps nothing else.
using BinaryFinder = std::function<Result<void>(const LoadedInputs&, Profile&)>;

// What a command makes of its arguments.
struct LoadRules {
  // Several profiles are the runs of a side, even without a base. Otherwise,
  // profiles without a base are added up, and those of a baseline averaged.
  bool are_runs = false;
  // A binary among the bases is one of the binaries, not an error.
  bool takes_binary_as_base = false;
  // If set, many dumps are merged while they are read; see EarlyMerge.
  BinaryFinder find_binaries = {};
};

// Fails if an option such as --focus has taken a dump as its pattern. Call this
// if no dump is left.
Result<void> RefuseDumpAsPattern(const Options& options);

// Reads the files and folders that `options` name: those of both sides.
Result<LoadedInputs> LoadInputs(const Options& options, const LoadRules& rules,
                                Diagnostics& diagnostics);

// Reads many dumps, each as if it alone was named together with the binaries
// and the bases; but the code of libraries that a process has unloaded is found
// by its earlier dumps. Several threads may use it at the same time.
class EachLoader {
 public:
  // `binaries` has the binaries, and the ELF files in folders; `dumps` are the
  // paths that will be loaded. Reads the bases.
  static Result<EachLoader> Make(const Options& options, LoadedInputs binaries,
                                 const std::vector<std::string>& dumps);
  EachLoader(EachLoader&& other) noexcept;
  ~EachLoader();

  Result<LoadedInputs> Load(const std::string& path,
                            Diagnostics& diagnostics) const;

 private:
  struct Shared;
  explicit EachLoader(std::unique_ptr<const Shared> shared);

  std::unique_ptr<const Shared> shared_;
};

}  // namespace heapprof
