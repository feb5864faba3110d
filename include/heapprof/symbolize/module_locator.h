// SPDX-License-Identifier: Apache-2.0
//
// Finds the file of a mapping on this machine. Tries the files that the user
// gave, then other places, such as the path in the memory map. A candidate is
// accepted only if its build id is the profile's or, if one of them is unknown,
// if the return addresses fit it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/base/tried_file.h"
#include "heapprof/elf/call_check.h"
#include "heapprof/profile/module_file.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/module.h"

namespace heapprof {

struct LocatorOptions {
  // ELF files on the command line: binaries and debug files.
  std::vector<std::string> binaries = {};
  // ELF files in folders on the command line.
  std::vector<std::string> folder_files = {};
  // Folders with binaries; a mapping's path is searched below them, also
  // without its first components.
  std::vector<std::string> symbol_path = {};
  DebugSearch debug = {};
  // Use a file even if the return addresses do not fit it.
  bool force = false;
};

// Why some or all addresses of a mapping have no names.
struct MissReason {
  FileState state = FileState::kFound;
  std::string text;  // for the user, without the module's name
  // The places that were searched without success for the file, then for its
  // debug file.
  std::vector<TriedFile> tried = {};
};

struct BinaryCandidate;

class ModuleLocator {
 public:
  explicit ModuleLocator(LocatorOptions options);

  struct Found {
    const Module* module = nullptr;
    // How well the return addresses fit the module.
    CallCheck calls;
    // Why there is no module, or why it will give few names.
    MissReason miss;
    // Files that the user gave for this mapping but that do not fit, a sentence
    // each.
    std::vector<std::string> rejected;
  };

  // Finds the file of one mapping, by build id if the profile has one.
  // `return_addresses` are the mapping's, as module addresses in its address
  // space. The module is owned by the locator and shared between equal paths.
  Found Find(const Profile& profile, MappingId mapping,
             std::span<const uint64_t> return_addresses);

  // Debug files that the user gave but that belong to no module found so far, a
  // sentence each.
  std::vector<std::string> UnusedDebugFiles() const;
  // The same for split debug files not in `used`. Some of many .dwo files are
  // normally not used. So unless `lacks_units` (a unit was found in no file),
  // only packages (.dwp) that the user named are reported.
  std::vector<std::string> UnusedSplitFiles(const std::set<std::string>& used,
                                            bool lacks_units) const;

 private:
  Result<std::unique_ptr<Module>>& OpenOnce(const std::string& path,
                                            std::string_view mapped_path);
  // Asks the servers for the binary, then for its debug file.
  void AskServers(const Profile& profile, const Mapping& mapping,
                  std::span<const uint64_t> return_addresses, Found& found);
  void AddByBuildId(const Profile& profile, const Mapping& mapping,
                    std::vector<BinaryCandidate>& candidates);
  bool Accept(const Profile& profile, const Mapping& mapping,
              std::span<const uint64_t> return_addresses,
              const BinaryCandidate& candidate, Found& found);

  LocatorOptions options_;
  std::vector<std::string> named_debug_files_;
  // How many of the split files in options_ the user named; they come first.
  size_t named_split_files_ = 0;
  std::map<std::string, Result<std::unique_ptr<Module>>> modules_;
  std::set<const Module*> found_;
};

}  // namespace heapprof
