// SPDX-License-Identifier: Apache-2.0
//
// Fills in a profile's functions and lines, in two steps. Several profiles can
// be merged between the steps. Before the first step, the parser has called
// AssignMappings(), which gives each address its mapping and thereby the path
// of a file. These functions find the names:
//
//   FindModules: which file is each mapping? Runtime addresses become file
//   addresses, so that the addresses of two processes can be compared.
//     search      ModuleLocator::Find()   opens candidates, takes the first fit
//     candidates  BinaryCandidates()      paths where the binary may be
//     index       IndexFolders            a portable index instead of debug
//                                         file or binary
//     open        Module::Open()          the binary with its symbols
//     debug file  DebugFileCandidates()   paths where the debug file may be
//     check       CheckBuild()            do return addresses follow calls?
//     download    BuildIdServers          files that are not on this machine
//
//   Symbolize: which functions and lines does each address have?
//     look up     LookUpModule()          asks the index; else the DWARF, by
//                                         OpenAndResolveDwarf(); else the
//                                         symbols
//     demangle    LinkageNames            the names of all modules in one batch
//     write       AnswerLines             lines and functions of the profile
//
//   BuildIndexes: builds the indexes that were missing (missing_index.h).
//
// To name many profiles, one after the other or at the same time, each needs a
// Sibling() of one symbolizer: together they open each file only once.
//
// perf_map.h names code without a file; suggestions.h says what the user can do
// about missing names.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/module_locator.h"

namespace heapprof {

struct AnswerIndex;
class AnswerLines;
class HelperThread;
class LinkageNames;
class ProfileBuilder;
struct ModuleLookup;
struct SymbolStore;

struct SymbolizeOptions {
  LocatorOptions locator = {};
  unsigned jobs = 1;  // threads
  // Where indexes are kept between runs; null: not kept.
  const IndexCache* cache = nullptr;
  // Replace names from the input if a file has better ones.
  bool resymbolize = false;
  // What the addresses of a profile mean if neither the profile nor the
  // binaries show it (--pprof-addr). Nothing: such addresses get no names.
  std::optional<AddressSpace> unknown_addresses = {};
};

class Symbolizer {
 public:
  explicit Symbolizer(SymbolizeOptions options);
  Symbolizer(Symbolizer&& other) noexcept;
  ~Symbolizer();

  // Returns a symbolizer for another profile, with this number of threads. It
  // answers as a symbolizer of its own would, but shares the opened files,
  // their indexes and the demangled names with this one, which must outlive it.
  // Siblings may be used in different threads.
  Symbolizer Sibling(unsigned jobs);

  // Finds the file of each mapping and sets build ids and file addresses. Fails
  // if a file that the user gave does not fit its mapping, the mapping needs
  // names, and the profile states the mapping's build id: then the file is
  // certainly wrong.
  Result<void> FindModules(Profile& profile);

  // Warns about each file that the user gave and that fits none of the profiles
  // so far, though it was tried. Of two builds in a comparison, each fits one
  // side. Symbolize() does it, too.
  void NoteUnfitFiles(Diagnostics& diagnostics);

  // Gives every location its lines. A location for which no name is found gets
  // a function "module+0x1234" (or the bare address if it has no module). Names
  // from the input are kept unless SymbolizeOptions::resymbolize is set.
  void Symbolize(Profile& profile, Diagnostics& diagnostics);

  // Looks up more addresses of a module that FindModules() found, such as the
  // addresses of all instructions of a function. `addresses` are file
  // addresses, sorted and unique.
  ResolvedAddresses Resolve(const Module& module,
                            std::span<const uint64_t> addresses) const;

  // True if BuildIndexes() has something to do or to say.
  bool LacksIndexes() const;
  // Builds the missing indexes, for later runs. Notes in `diagnostics` whether
  // each index was stored, also those that were built for siblings.
  void BuildIndexes(Diagnostics& diagnostics);

  // What is damaged or missing in the debug information of a mapping's file;
  // set by Symbolize().
  struct DebugProblems {
    std::vector<std::string> problems;  // a sentence each
    // The places that were searched without success for the split debug
    // information of the first unit that lacks it.
    std::vector<TriedFile> split_tried;
  };
  const DebugProblems& ProblemsOf(const Profile& profile,
                                  MappingId mapping) const;
  // A sentence for each file that the user gave but that was not used; set by
  // Symbolize().
  const std::vector<std::string>& unused_files() const { return unused_files_; }

  // Why some or all addresses of a mapping have no names; set by FindModules().
  MissReason MissReasonOf(const Profile& profile, MappingId mapping) const;
  // True if the file of a mapping is missing, and a portable index was chosen
  // by its name; see ModuleLocator::Found.
  bool IsAssumed(const Profile& profile, MappingId mapping) const;
  // The file of a mapping, found by FindModules(); null if no file fits.
  const Module* ModuleOf(const Profile& profile, MappingId mapping) const;
  // How many of a mapping's return addresses follow calls in its file; set by
  // FindModules().
  CallCheck CallCheckOf(const Profile& profile, MappingId mapping) const;
  // The build id that the profile states for a mapping; empty if it states
  // none.
  std::string WantedBuildId(const Profile& profile, MappingId mapping) const;

 private:
  // Identifies a mapping by its path in the memory map and the path of its file
  // on this machine.
  using ModuleKey = std::pair<std::string, std::string>;

  // What FindModules() found out about a mapping.
  struct FoundModule {
    ModuleLocator::Found found;
    std::string wanted_build_id;
  };

  Symbolizer(SymbolStore& store, unsigned jobs);

  static ModuleKey KeyOf(const Profile& profile, MappingId mapping);
  const FoundModule* FindModule(const Profile& profile,
                                MappingId mapping) const;
  void PreferFilesWithNames(Profile& profile);
  bool WantsNames(const Profile& profile, const Location& location) const;
  std::vector<ModuleLocator::Found> FindAll(
      const Profile& profile,
      const std::vector<std::vector<uint64_t>>& return_addresses);
  void RecordModules(std::vector<ModuleLocator::Found> found, Profile& profile);
  std::vector<ModuleLookup> MakeLookups(
      const Profile& profile, std::vector<AnswerIndex>& answers) const;
  std::vector<AnswerLines> MakeLines(std::vector<ModuleLookup>& lookups,
                                     const LinkageNames& names,
                                     ProfileBuilder& builder);
  void Keep(std::vector<ModuleLookup>& lookups, const LinkageNames& names);
  void DropPages(const std::vector<ModuleLookup>& lookups);
  void SetLines(const std::vector<AnswerIndex>& answers,
                const std::vector<AnswerLines>& lines,
                ProfileBuilder& builder) const;
  void NoteProblems(std::vector<ModuleLookup>& lookups,
                    Diagnostics& diagnostics);
  void DecideAddresses(
      Profile& profile,
      const std::vector<std::vector<uint64_t>>& return_addresses,
      std::vector<ModuleLocator::Found>& found) const;

  std::unique_ptr<SymbolStore> own_store_;  // null for a sibling
  SymbolStore& store_;
  const unsigned jobs_;
  std::map<ModuleKey, FoundModule> modules_;
  std::set<const Module*> found_modules_;
  std::map<const Module*, DebugProblems> problems_;
  std::vector<TriedFile> unfit_;  // that NoteUnfitFiles() has not seen
  std::vector<std::string> unused_files_;
  std::unique_ptr<HelperThread> page_dropper_;  // uses the files of the store
};

}  // namespace heapprof
