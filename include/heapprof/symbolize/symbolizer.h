// SPDX-License-Identifier: Apache-2.0
//
// Fills a profile's functions and lines, in two steps with a merge of several
// profiles between them:
//
//   Bind       which file is each mapping; runtime addresses become the
//              file's own addresses, so that two processes compare
//   Symbolize  every distinct address to its chain of functions
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/missing_index.h"
#include "heapprof/symbolize/module_locator.h"

namespace heapprof {

// The finding of Diagnostics that the index cache was of no use.
inline constexpr std::string_view kIndexCacheFinding = "index cache";

struct ModuleLookup;

struct SymbolizeOptions {
  LocatorOptions locator = {};
  unsigned jobs = 1;  // threads
  // Where indexes are kept between runs; null: nowhere.
  const IndexCache* cache = nullptr;
  // Replace names that came with the input where a file has better ones.
  bool resymbolize = false;
  // What addresses are if neither the profile nor the files tell.
  std::optional<AddressSpace> unknown_addresses = {};
};

class Symbolizer {
 public:
  explicit Symbolizer(SymbolizeOptions options);

  // Matches mappings with files: sets build ids and file addresses. Notes a
  // file that the user gave and that does not fit; where the profile carries a
  // build id, so that there is no doubt, and needs the file, that is an error.
  Result<void> Bind(Profile& profile, Diagnostics& diagnostics);

  // Gives every location its lines. A location that nothing names gets a
  // function "module+0x1234" (or the bare address without a module). Names
  // that came with the input are kept, unless asked otherwise.
  void Symbolize(Profile& profile, Diagnostics& diagnostics);

  // What is known of other addresses of a module that Bind found, sorted and
  // unique, such as those of all instructions of a function.
  ResolvedAddresses Resolve(const Module& module,
                            std::span<const uint64_t> addresses) const;

  bool LacksIndexes() const { return !missing_indexes_.empty(); }
  // Builds the indexes that were missing, for later runs. Says for each what
  // was done; notes why the cache cannot be written to.
  std::vector<std::string> BuildIndexes(Diagnostics& diagnostics);

  // Damaged or missing debug information of a mapping's file, as of Symbolize.
  struct DebugProblems {
    std::vector<std::string> problems;  // a sentence each
    // Places without the split debug information of the first unit that has
    // none.
    std::vector<TriedFile> split_tried;
  };
  const DebugProblems& ProblemsOf(const Profile& profile,
                                  MappingId mapping) const;
  // Files that the user named and that were of no use, a sentence each, as of
  // Symbolize.
  const std::vector<std::string>& unused_files() const { return unused_files_; }

  // Why a mapping is not or not fully resolved, as of Bind.
  MissReason MissReasonOf(const Profile& profile, MappingId mapping) const;
  // The file of a mapping, as of Bind. Null if none fits.
  const Module* ModuleOf(const Profile& profile, MappingId mapping) const;
  // How well the return addresses fit that file, as of Bind.
  CallCheck CallCheckOf(const Profile& profile, MappingId mapping) const;
  // The build id that the profile stated; empty if it stated none.
  std::string WantedBuildId(const Profile& profile, MappingId mapping) const;

 private:
  // Path in the memory map, path of the file matched with it.
  using ModuleKey = std::pair<std::string, std::string>;

  static ModuleKey KeyOf(const Profile& profile, MappingId mapping);
  bool WantsNames(const Profile& profile, const Location& location) const;
  std::vector<ModuleLocator::Found> FindAll(
      const Profile& profile,
      const std::vector<std::vector<uint64_t>>& return_addresses);
  void NoteProblems(std::vector<ModuleLookup>& lookups,
                    Diagnostics& diagnostics);
  void DecideAddresses(
      Profile& profile,
      const std::vector<std::vector<uint64_t>>& return_addresses,
      std::vector<ModuleLocator::Found>& found) const;

  SymbolizeOptions options_;
  ModuleLocator locator_;
  std::map<ModuleKey, ModuleLocator::Found> found_;
  std::map<ModuleKey, std::string> wanted_build_ids_;
  std::map<const Module*, DebugProblems> problems_;
  std::vector<std::string> unused_files_;
  std::vector<MissingIndex> missing_indexes_;
};

}  // namespace heapprof
