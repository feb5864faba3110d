// SPDX-License-Identifier: Apache-2.0
//
// Which file on this machine is a mapping of the profile? Tries what the user
// gave, then the path in the memory map; a candidate is accepted only if the
// profile's return addresses fit it.
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
  // ELF files named on the command line, binaries and debug files.
  std::vector<std::string> binaries = {};
  // ELF files in the folders named there.
  std::vector<std::string> folder_files = {};
  // Folders with binaries, searched by the ends of a mapping's path.
  std::vector<std::string> symbol_path = {};
  DebugSearch debug = {};
  // Use a file even if the return addresses do not fit it.
  bool force = false;
};

// Why a mapping's addresses have no names, or fewer than they could.
struct MissReason {
  FileState state = FileState::kFound;
  std::string text;  // for the user, without the module's name
  // Where the file was looked for in vain, then its debug file.
  std::vector<TriedFile> tried = {};
};

struct BinaryCandidate;

class ModuleLocator {
 public:
  explicit ModuleLocator(LocatorOptions options);

  struct Found {
    const Module* module = nullptr;
    // How well the return addresses fit it.
    CallCheck calls;
    // Why there is no module, or why it will name little.
    MissReason miss;
    // Files the user named for this mapping that do not fit, a sentence each.
    std::vector<std::string> rejected;
  };

  // Finds the file of one mapping: by build id where the profile has one. The
  // return addresses that fell into it are module addresses, as the mapping's
  // address space says. Owned by the locator, shared between equal paths.
  Found Find(const Profile& profile, MappingId mapping,
             std::span<const uint64_t> return_addresses);

  // Debug files that the user named and that belong to no file found so far, a
  // sentence each.
  std::vector<std::string> UnusedDebugFiles() const;
  // The same of split files, of which `used` were of use. One .dwo file of many
  // may well be of none; unless there was a unit that is in no file.
  std::vector<std::string> UnusedSplitFiles(const std::set<std::string>& used,
                                            bool lacks_units) const;

 private:
  Result<std::unique_ptr<Module>>& OpenOnce(const std::string& path,
                                            std::string_view mapped_path);
  // Asks the servers for the file, then for its debug file.
  void AskServers(const Profile& profile, const Mapping& mapping,
                  std::span<const uint64_t> return_addresses, Found& found);
  void AddByBuildId(const Profile& profile, const Mapping& mapping,
                    std::vector<BinaryCandidate>& candidates);
  bool Accept(const Profile& profile, const Mapping& mapping,
              std::span<const uint64_t> return_addresses,
              const BinaryCandidate& candidate, Found& found);

  LocatorOptions options_;
  std::vector<std::string> named_debug_files_;
  size_t named_split_files_ = 0;  // of those in options_, the first
  std::map<std::string, Result<std::unique_ptr<Module>>> modules_;
  std::set<const Module*> found_;
};

}  // namespace heapprof
