// SPDX-License-Identifier: Apache-2.0
//
// Finds the file of a mapping on this machine. Tries the files that the user
// gave, then other places, such as the path in the memory map. A candidate is
// accepted only if it has the build id that the profile records. If the profile
// or the candidate has no build id, most return addresses must follow a call
// instruction in the candidate.
//
// If no file fits, a portable index (see portable_index.h) takes its place: the
// one with the build id that the profile records or, if it records none, the
// only one of a binary with this file name that fits.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/base/tried_file.h"
#include "heapprof/elf/call_check.h"
#include "heapprof/profile/module_file.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/binary_candidates.h"
#include "heapprof/symbolize/module.h"

namespace heapprof {

class CheckedAddresses;

// Why some or all addresses of a mapping have no names.
struct MissReason {
  FileState state = FileState::kFound;
  std::string text;  // for the user, without the module's name
  // The places that were tried without success: for the mapping's file, then
  // for its debug file.
  std::vector<TriedFile> tried = {};
};

// Moves debug files and split debug files from `files` to `debug`, so that only
// binaries remain in `files`; those with debug information are in both. Adds
// the build ids of all of them, by path, to `build_ids` if that is given.
void MoveDebugFiles(std::vector<std::string>& files, DebugSearch& debug,
                    std::map<std::string, std::string>* build_ids = nullptr);

class ModuleLocator {
 public:
  explicit ModuleLocator(LocatorOptions options);
  ~ModuleLocator();

  // The locator will be asked about more than one profile.
  void ExpectMoreProfiles();

  struct Found {
    const Module* module = nullptr;
    // How many of the return addresses follow calls in the module.
    CallCheck calls;
    // Why there is no module, or why it will give few names.
    MissReason miss;
    // The files that the user gave for this mapping but that do not fit.
    std::vector<TriedFile> rejected;
    // The module stands for a portable index that was chosen by its addresses:
    // no build id proves that it is of the file that ran.
    bool is_assumed = false;
  };

  // Finds the file of one mapping, by build id if the profile has one.
  // `return_addresses` are those of the mapping, as module addresses (see
  // Location::module_address). The locator owns the module. Mappings whose
  // files have the same path share one module, except if its debug file was not
  // found and the paths in the memory maps differ.
  Found Find(const Profile& profile, MappingId mapping,
             std::span<const uint64_t> return_addresses);

  // Returns a sentence for each debug file that the user gave but that belongs
  // to none of the modules in `found`.
  std::vector<std::string> UnusedDebugFiles(
      const std::set<const Module*>& found) const;
  // Returns a sentence for each split debug file that the user gave but that is
  // not in `used`. `lacks_units` says that the debug information of some unit
  // was found in no file. If `lacks_units` is false, reports only packages
  // (.dwp) that the user named one by one, because it is normal that some of
  // many .dwo files are not used.
  std::vector<std::string> UnusedSplitFiles(const std::set<std::string>& used,
                                            bool lacks_units) const;

 private:
  using OpenedModule = Result<std::unique_ptr<Module>>;

  // A file, and the path at which a process had mapped it. Its debug file may
  // be found by that path.
  using ModuleKey = std::pair<std::string, std::string>;

  // The mapping whose file is wanted.
  struct Wanted {
    const Profile& profile;
    const Mapping& mapping;
    std::span<const uint64_t> return_addresses;  // see Find()

    std::string_view Path() const { return profile.String(mapping.filename); }
    std::string_view BuildId() const {
      return profile.String(mapping.build_id);
    }
  };

  // True if the file was opened for an earlier mapping.
  bool IsOpen(const std::string& path) const;
  OpenedModule& OpenOnce(const std::string& path, std::string_view mapped_path);
  // Asks the servers for the binary, then for its debug file.
  void AskServers(const Wanted& wanted, Found& found);
  void AddByBuildId(std::string_view build_id,
                    std::vector<BinaryCandidate>& candidates);
  // Uses the candidate if it fits. If not, stores the reason in `found`, and
  // returns false.
  bool TryCandidate(const Wanted& wanted, const BinaryCandidate& candidate,
                    Found& found);
  // Uses a portable index instead of the file. Returns false if none fits.
  bool TryIndex(const Wanted& wanted, Found& found);
  const PortableIndex* IndexToAssume(const Wanted& wanted, MissReason& miss);
  void Use(const Module& module, const CallCheck& calls, Found& found);
  const Module& ModuleFor(const PortableIndex& index);

  LocatorOptions options_;
  std::vector<std::string> named_debug_files_;
  // The number of split debug files in options_ that the user named one by one.
  // They come first; split debug files from folders follow.
  size_t named_split_files_ = 0;
  std::map<std::string, std::string> build_ids_;  // of the user's files
  std::map<ModuleKey, OpenedModule> modules_;
  std::map<const PortableIndex*, std::unique_ptr<Module>> index_modules_;
  std::unique_ptr<CheckedAddresses> checked_;  // null: only one profile
};

}  // namespace heapprof
