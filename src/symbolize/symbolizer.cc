// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/symbolizer.h"

#include <elf.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/about_file.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/for_each.h"
#include "heapprof/base/helper_thread.h"
#include "heapprof/base/no_index.h"
#include "heapprof/base/same_file.h"
#include "heapprof/base/short_build_id.h"
#include "heapprof/index/index_folders.h"
#include "heapprof/index/portable_index.h"
#include "heapprof/profile/profile_builder.h"
#include "symbolize/address_layout.h"
#include "symbolize/answer_lines.h"
#include "symbolize/linkage_names.h"
#include "symbolize/module_lookup.h"
#include "symbolize/sort_by_address.h"
#include "symbolize/symbol_store.h"

namespace heapprof {
namespace {

// Several mappings may have one module.
using LookupsOfModule = std::vector<ModuleLookup*>;

// Says which build the mapped file is taken for. The index may be that of a
// file with another name.
std::string AssumedText(std::string_view mapped_file,
                        const PortableIndex& index) {
  return fmt::format(
      "{}: assumed to be build {}{}; see heapprof info", mapped_file,
      ShortBuildId(index.build_id()),
      index.name() == mapped_file ? "" : fmt::format(" of {}", index.name()));
}

uint64_t DebugSize(const LookupsOfModule& lookups) {
  const ElfImage* const debug = lookups.front()->module->debug();
  return debug == nullptr ? 0 : debug->bytes().size();
}

// Looks up the addresses of all modules. Those with debug information come
// first, each by all threads, and two at a time: a compressed section keeps
// only one thread busy. Very large ones are alone, because of the memory that
// they take. Modules that only have symbols are looked up in parallel, each by
// one thread.
void LookUpAll(std::vector<ModuleLookup>& lookups, OpenIndexes& indexes,
               unsigned jobs) {
  constexpr unsigned kAtOnce = 2;
  constexpr uint64_t kMostAtOnce = uint64_t{512} << 20;  // bytes of a file
  std::vector<LookupsOfModule> large;
  std::vector<ModuleLookup*> small;
  for (ModuleLookup& lookup : lookups) {
    const Module& module = *lookup.module;
    if (!module.HasDebugInfo()) {
      small.push_back(&lookup);
      continue;
    }
    if (!lookup.addresses.empty()) indexes.Prepare(module);
    const auto known =
        std::ranges::find_if(large, [&module](const LookupsOfModule& other) {
          return other.front()->module == &module;
        });
    if (known == large.end())
      large.push_back({&lookup});
    else
      known->push_back(&lookup);
  }
  const auto look_up = [&](const LookupsOfModule& of_module) {
    for (ModuleLookup* const lookup : of_module)
      LookUpModule(*lookup, &indexes, jobs);
  };
  std::ranges::stable_sort(large, std::ranges::greater(), DebugSize);
  size_t alone = 0;
  for (; alone < large.size() && DebugSize(large[alone]) > kMostAtOnce; ++alone)
    look_up(large[alone]);
  ForEach(large.size() - alone, std::min(jobs, kAtOnce),
          [&](size_t i) { look_up(large[alone + i]); });
  ForEach(small.size(), jobs,
          [&](size_t i) { LookUpModule(*small[i], nullptr, 1); });
}

struct CallSite {
  uint64_t address = 0;  // file address of the call
  uint32_t location = 0;
};

// Adds the addresses of one module's calls to its lookup. Stores in `answers`
// where the answer for each location will be.
void AddAddresses(std::vector<CallSite>& calls, uint32_t module, unsigned jobs,
                  ModuleLookup& lookup, std::vector<AnswerIndex>& answers) {
  SortByAddress(calls, &CallSite::address, jobs);
  std::vector<uint64_t>& addresses = lookup.addresses;
  for (const CallSite& call : calls) {
    if (addresses.empty() || addresses.back() != call.address)
      addresses.push_back(call.address);
    answers[call.location] = {module,
                              static_cast<uint32_t>(addresses.size() - 1)};
  }
}

std::string WhyUnfit(const TriedFile& file) {
  return fmt::format("{}: {}; --force uses it anyway", file.path, file.outcome);
}

// Fails if a file that the user gave does not fit its mapping, the mapping
// needs names, and the profile states the mapping's build id: then the file is
// certainly wrong.
Result<void> RefuseUnfit(const Profile& profile,
                         const std::vector<bool>& wants_names,
                         const std::vector<ModuleLocator::Found>& found) {
  for (size_t i = 1; i < found.size(); ++i)
    if (!found[i].rejected.empty() && wants_names[i] &&
        !profile.mappings[i].build_id.IsNone())
      return Fail(ErrorKind::kNoData, WhyUnfit(found[i].rejected.front()));
  return {};
}

// Returns how much the names in a file tell: those of debug information have
// inlined calls and lines, and those of .symtab have static functions.
int NameDetail(const Module& module) {
  if (module.HasDebugInfo()) return 2;
  return module.binary().HasSection(".symtab") ? 1 : 0;
}

// Returns the module address to which the call of a location returns, whichever
// of the two addresses the profile has. The reverse of CallSiteAddress().
uint64_t ReturnAddress(const Location& location) {
  return location.module_address + (location.is_return_address ? 0 : 1);
}

bool FollowsCall(const Module& module, const Location& location) {
  const uint64_t return_address = ReturnAddress(location);
  return CheckReturnAddresses(module.binary(), {&return_address, 1})
             .after_call != 0;
}

// True if a location has no lines, or one that only stands for its address.
bool IsUnnamed(const Profile& profile, const Location& location) {
  const auto lines = profile.LocationLines(location);
  return lines.empty() ||
         profile.functions[lines.front().function.index()].unresolved;
}

// Replaces file offsets in Location::module_address by file addresses.
void ConvertFileOffsets(const std::vector<ModuleLocator::Found>& found,
                        Profile& profile) {
  for (Location& location : profile.locations) {
    const size_t mapping = location.mapping.index();
    if (found[mapping].module == nullptr || location.module_address == 0 ||
        profile.mappings[mapping].address_space != AddressSpace::kFileOffset)
      continue;
    const uint64_t call = CallSiteAddress(location, location.module_address);
    const uint64_t step = location.module_address - call;
    if (const auto address =
            found[mapping].module->binary().FileAddressOf(call))
      location.module_address = *address + step;
  }
}

}  // namespace

Symbolizer::Symbolizer(SymbolizeOptions options)
    : own_store_(std::make_unique<SymbolStore>(std::move(options))),
      store_(*own_store_),
      jobs_(store_.options.jobs) {}

Symbolizer::Symbolizer(SymbolStore& store, unsigned jobs)
    : store_(store), jobs_(jobs) {}

Symbolizer::Symbolizer(Symbolizer&& other) noexcept = default;
Symbolizer::~Symbolizer() = default;

Symbolizer Symbolizer::Sibling(unsigned jobs) {
  const std::scoped_lock lock(store_.mutex);
  store_.is_shared = true;
  store_.locator.ExpectMoreProfiles();
  store_.indexes.ExpectMoreProfiles();
  return {store_, jobs};
}

Symbolizer::ModuleKey Symbolizer::KeyOf(const Profile& profile, MappingId id) {
  const Mapping& mapping = profile.mappings[id.index()];
  return {std::string(profile.String(RecordedFilename(mapping))),
          std::string(profile.String(mapping.elf_path))};
}

bool Symbolizer::IsAssumed(const Profile& profile, MappingId id) const {
  const FoundModule* known = FindModule(profile, id);
  return known != nullptr && known->found.is_assumed;
}

bool Symbolizer::WantsNames(const Profile& profile,
                            const Location& location) const {
  return IsUnnamed(profile, location) ||
         (store_.options.resymbolize && location.module_address != 0);
}

std::vector<ModuleLocator::Found> Symbolizer::FindAll(
    const Profile& profile,
    const std::vector<std::vector<uint64_t>>& return_addresses) {
  std::vector<ModuleLocator::Found> found(profile.mappings.size());
  for (uint32_t i = 1; i < profile.mappings.size(); ++i)
    found[i] = store_.locator.Find(profile, MappingId{i}, return_addresses[i]);
  return found;
}

// Decides what the addresses of the mappings with AddressSpace::kUnknown are.
// The decision is made once, for all these mappings together. A mapping loses
// its module if its addresses are then neither file offsets nor file addresses,
// because they cannot be looked up in the file.
void Symbolizer::DecideAddresses(
    Profile& profile,
    const std::vector<std::vector<uint64_t>>& return_addresses,
    std::vector<ModuleLocator::Found>& found) const {
  std::vector<UnknownAddresses> unknown;
  for (size_t i = 1; i < profile.mappings.size(); ++i) {
    const Mapping& mapping = profile.mappings[i];
    if (mapping.address_space == AddressSpace::kUnknown &&
        found[i].module != nullptr && !return_addresses[i].empty())
      unknown.push_back({.image = &found[i].module->binary(),
                         .segment = mapping.segment,
                         .return_addresses = return_addresses[i]});
  }
  const std::optional<AddressSpace> recognized =
      unknown.empty() ? std::nullopt : RecognizeAddresses(unknown);
  const auto space = recognized ? recognized : store_.options.unknown_addresses;
  for (size_t i = 1; i < profile.mappings.size(); ++i) {
    Mapping& mapping = profile.mappings[i];
    if (mapping.address_space != AddressSpace::kUnknown) continue;
    if (space) mapping.address_space = *space;
    if (found[i].module == nullptr) continue;
    if (space == AddressSpace::kRuntime &&
        found[i].module->binary().type() == ET_EXEC)
      mapping.address_space = AddressSpace::kFileAddress;
    if (mapping.address_space == AddressSpace::kFileOffset ||
        mapping.address_space == AddressSpace::kFileAddress)
      continue;
    found[i].module = nullptr;
    found[i].miss = {
        FileState::kNoAddresses,
        space ? "the profile does not say where the file was mapped"
              : "its addresses may be file offsets or file addresses; say "
                "which with --pprof-addr=fileoff or --pprof-addr=vaddr"};
  }
}

// Stores in the profile which file each mapping has. Also keeps the files, so
// that functions such as ModuleOf() can return them.
void Symbolizer::RecordModules(std::vector<ModuleLocator::Found> found,
                               Profile& profile) {
  for (uint32_t i = 1; i < found.size(); ++i) {
    const std::string wanted(profile.String(profile.mappings[i].build_id));
    if (found[i].module != nullptr) {
      found_modules_.insert(found[i].module);
      const ElfImage& image = found[i].module->binary();
      Mapping& mapping = profile.mappings[i];
      mapping.build_id = profile.strings.Intern(image.build_id());
      mapping.elf_path = profile.strings.Intern(image.path());
      mapping.address_space = AddressSpace::kFileAddress;
    }
    modules_.insert_or_assign(
        KeyOf(profile, MappingId{i}),
        FoundModule{.found = std::move(found[i]), .wanted_build_id = wanted});
  }
}

Result<void> Symbolizer::FindModules(Profile& profile) {
  std::vector<std::vector<uint64_t>> return_addresses(profile.mappings.size());
  std::vector<bool> wants_names(profile.mappings.size());
  for (const Location& location : profile.locations) {
    if (location.mapping.IsNone()) continue;
    const size_t mapping = location.mapping.index();
    if (WantsNames(profile, location)) wants_names[mapping] = true;
    if (location.module_address != 0)
      return_addresses[mapping].push_back(ReturnAddress(location));
  }
  // Sort the addresses, so that the code of a file is read from start to end.
  for (std::vector<uint64_t>& addresses : return_addresses)
    SortByAddress(addresses, std::identity(), jobs_);
  const std::scoped_lock lock(store_.mutex);
  std::vector<ModuleLocator::Found> found = FindAll(profile, return_addresses);
  if (auto fits = RefuseUnfit(profile, wants_names, found); !fits) return fits;
  for (const ModuleLocator::Found& file : found)
    unfit_.insert(unfit_.end(), file.rejected.begin(), file.rejected.end());
  DecideAddresses(profile, return_addresses, found);
  ConvertFileOffsets(found, profile);
  RecordModules(std::move(found), profile);
  return {};
}

void Symbolizer::NoteUnfitFiles(Diagnostics& diagnostics) {
  for (const TriedFile& file : std::exchange(unfit_, {})) {
    const auto is_file = [&file](const Module* module) {
      return SameFile(module->binary().path(), file.path);
    };
    if (std::ranges::none_of(found_modules_, is_file))
      diagnostics.Warn(WarningKind::kUnfitFile, WhyUnfit(file));
  }
}

void Symbolizer::NoteProblems(std::vector<ModuleLookup>& lookups,
                              Diagnostics& diagnostics) {
  std::set<std::string> used_split_files;
  bool lacks_split_files = false;
  for (ModuleLookup& lookup : lookups) {
    if (!lookup.cache_problem.empty())
      diagnostics.Warn(WarningKind::kIndexCache, lookup.cache_problem);
    used_split_files.insert(lookup.split_files.used.begin(),
                            lookup.split_files.used.end());
    if (!lookup.split_files.tried.empty()) lacks_split_files = true;
  }
  if (const IndexFolders* folders = store_.options.locator.debug.indexes)
    for (const std::string& problem : folders->problems())
      diagnostics.Warn(WarningKind::kPortableIndex, problem);
  NoteUnfitFiles(diagnostics);
  unused_files_ = store_.locator.UnusedDebugFiles(found_modules_);
  for (std::string& unused :
       store_.locator.UnusedSplitFiles(used_split_files, lacks_split_files))
    unused_files_.push_back(std::move(unused));
  for (const std::string& unused : unused_files_)
    diagnostics.Warn(WarningKind::kUnfitFile, unused);
  for (ModuleLookup& lookup : lookups) {
    if (lookup.is_assumed && !lookup.addresses.empty())
      diagnostics.Warn(
          WarningKind::kAssumedBuild,
          AssumedText(lookup.mapped_file, *lookup.module->index()));
    for (const std::string& problem : lookup.problems)
      diagnostics.Warn(WarningKind::kDebugInformation,
                       AboutFile(lookup.module->binary().path(), problem));
    problems_[lookup.module] = {
        .problems = std::move(lookup.problems),
        .split_tried = std::move(lookup.split_files.tried)};
  }
}

// Returns one lookup for each mapping that has a file, with the addresses that
// need names. Where the build is only assumed, each address must itself follow
// a call: in a build that differs little, some would otherwise get wrong names.
std::vector<ModuleLookup> Symbolizer::MakeLookups(
    const Profile& profile, std::vector<AnswerIndex>& answers) const {
  std::vector<ModuleLookup> lookups;
  std::vector<uint32_t> lookup_of_mapping(profile.mappings.size(), kNoIndex);
  for (uint32_t i = 1; i < profile.mappings.size(); ++i) {
    const Module* module = ModuleOf(profile, MappingId{i});
    if (module == nullptr) continue;
    lookup_of_mapping[i] = static_cast<uint32_t>(lookups.size());
    lookups.push_back({.module = module,
                       .mapped_file = std::string(BaseName(
                           profile.String(profile.mappings[i].filename))),
                       .is_assumed = IsAssumed(profile, MappingId{i})});
  }
  std::vector<std::vector<CallSite>> calls(lookups.size());
  for (uint32_t i = 1; i < profile.locations.size(); ++i) {
    const Location& location = profile.locations[i];
    const uint32_t index = lookup_of_mapping[location.mapping.index()];
    if (index != kNoIndex && WantsNames(profile, location) &&
        (!lookups[index].is_assumed ||
         FollowsCall(*lookups[index].module, location)))
      calls[index].push_back(
          {CallSiteAddress(location, location.module_address), i});
  }
  for (uint32_t i = 0; i < lookups.size(); ++i)
    AddAddresses(calls[i], i, jobs_, lookups[i], answers);
  return lookups;
}

std::vector<AnswerLines> Symbolizer::MakeLines(
    std::vector<ModuleLookup>& lookups, const LinkageNames& names,
    ProfileBuilder& builder) {
  std::vector<AnswerLines> lines;
  lines.reserve(lookups.size());
  size_t first_name = 0;
  for (ModuleLookup& lookup : lookups) {
    builder.Adopt(std::move(lookup.answers.texts));
    lines.emplace_back(lookup, names, first_name, builder);
    first_name += lookup.answers.functions.size();
  }
  return lines;
}

// Keeps what later lookups can use: the indexes that are to be built, and the
// demangled names.
void Symbolizer::Keep(std::vector<ModuleLookup>& lookups,
                      const LinkageNames& names) {
  if (store_.is_shared) names.AddTo(store_.demangled_names);
  size_t first_name = 0;
  for (ModuleLookup& lookup : lookups) {
    if (lookup.missing_index) {
      names.AddForIndex(lookup, first_name,
                        lookup.missing_index->demangled_names);
      store_.indexes.AddMissing(*std::move(lookup.missing_index));
    }
    first_name += lookup.answers.functions.size();
  }
}

// Lets another thread free the pages of the files that were read and will not
// be read again. Otherwise it would delay the end of the process.
void Symbolizer::DropPages(const std::vector<ModuleLookup>& lookups) {
  std::vector<const Module*> read;
  for (const ModuleLookup& lookup : lookups)
    if (!lookup.is_indexed && !lookup.missing_index &&
        lookup.module->HasDebugInfo())
      read.push_back(lookup.module);
  if (jobs_ < 2 || read.empty()) return;
  page_dropper_ = std::make_unique<HelperThread>([read = std::move(read)] {
    for (const Module* module : read) module->DropPages();
  });
}

void Symbolizer::SetLines(const std::vector<AnswerIndex>& answers,
                          const std::vector<AnswerLines>& lines,
                          ProfileBuilder& builder) const {
  auto& locations = builder.profile().locations;
  // Prefetch the lines of later locations. There may be a million answers, and
  // locations are not in the order of the answers.
  constexpr size_t kAhead = 16;
  for (size_t i = 1; i < locations.size(); ++i) {
    if (i + kAhead < locations.size())
      if (const AnswerIndex next = answers[i + kAhead]; next.module != kNoIndex)
        lines[next.module].Prefetch(next.number);
    if (!WantsNames(builder.profile(), locations[i])) continue;
    std::span<const Line> found;
    uint64_t unnamed_start = 0;
    if (const AnswerIndex answer = answers[i]; answer.module != kNoIndex) {
      found = lines[answer.module].Of(answer.number);
      unnamed_start = lines[answer.module].UnnamedStart(answer.number);
    }
    // Where the call is may have been its name so far.
    if (!found.empty())
      locations[i].lines = builder.AddLines(found);
    else if (locations[i].lines.count == 0 ||
             (unnamed_start != 0 && IsUnnamed(builder.profile(), locations[i])))
      locations[i].lines =
          AddUnresolvedLine(locations[i], unnamed_start, builder);
  }
}

// Several files may have one build id, such as a program and a stripped copy.
// Takes the names of each mapping from the file that has most.
void Symbolizer::PreferFilesWithNames(Profile& profile) {
  for (uint32_t i = 1; i < profile.mappings.size(); ++i) {
    const Module* best = ModuleOf(profile, MappingId{i});
    if (best == nullptr || best->binary().build_id().empty()) continue;
    const FoundModule* better = nullptr;
    for (const auto& [key, known] : modules_) {
      const Module* other = known.found.module;
      if (other == nullptr || NameDetail(*other) <= NameDetail(*best) ||
          other->binary().build_id() != best->binary().build_id())
        continue;
      best = other;
      better = &known;
    }
    if (better == nullptr) continue;
    profile.mappings[i].elf_path =
        profile.strings.Intern(best->binary().path());
    modules_.insert_or_assign(KeyOf(profile, MappingId{i}),
                              FoundModule(*better));
  }
}

void Symbolizer::Symbolize(Profile& profile, Diagnostics& diagnostics) {
  PreferFilesWithNames(profile);
  std::vector<AnswerIndex> answers(profile.locations.size());
  std::vector<ModuleLookup> lookups = MakeLookups(profile, answers);
  std::unique_lock lock(store_.mutex);
  const bool is_shared = store_.is_shared;
  LookUpAll(lookups, store_.indexes, jobs_);
  NoteProblems(lookups, diagnostics);
  const LinkageNames names(lookups, jobs_,
                           is_shared ? &store_.demangled_names : nullptr);
  // With siblings, a demangled name and a missing index must be kept before the
  // lock is released: another thread may need them.
  if (is_shared) Keep(lookups, names);
  lock.unlock();
  ProfileBuilder builder(std::move(profile));
  const std::vector<AnswerLines> lines = MakeLines(lookups, names, builder);
  if (!is_shared) {
    DropPages(lookups);
    Keep(lookups, names);
  }
  SetLines(answers, lines, builder);
  profile = std::move(builder).Finish();
}

ResolvedAddresses Symbolizer::Resolve(
    const Module& module, std::span<const uint64_t> addresses) const {
  const std::scoped_lock lock(store_.mutex);
  // If the module's engine (its DWARF reader) is still open because its index
  // is to be built, reuse it.
  if (AddressResolver* engine = store_.indexes.FindEngine(module)) {
    ResolvedAddresses answers = engine->Resolve(addresses);
    NormalizePaths(answers);
    return answers;
  }
  ModuleLookup lookup = {.module = &module,
                         .addresses = {addresses.begin(), addresses.end()}};
  LookUpModule(lookup, &store_.indexes, jobs_);
  return std::move(lookup.answers);
}

bool Symbolizer::LacksIndexes() const { return store_.indexes.HasWork(); }

void Symbolizer::BuildIndexes(Diagnostics& diagnostics) {
  store_.indexes.Build(diagnostics);
}

const Symbolizer::DebugProblems& Symbolizer::ProblemsOf(const Profile& profile,
                                                        MappingId id) const {
  static const DebugProblems kNone;
  const auto it = problems_.find(ModuleOf(profile, id));
  return it == problems_.end() ? kNone : it->second;
}

// A comparison gives modules of different paths one path (see AlignBuilds()).
// Then the file tells what FindModules() found, or the name if there is no
// file.
const Symbolizer::FoundModule* Symbolizer::FindModule(const Profile& profile,
                                                      MappingId id) const {
  const ModuleKey key = KeyOf(profile, id);
  auto it = modules_.find(key);
  if (it == modules_.end())
    it = std::ranges::find_if(modules_, [&key](const auto& entry) {
      const auto& [path, elf_path] = entry.first;
      return elf_path == key.second &&
             (!elf_path.empty() || BaseName(path) == BaseName(key.first));
    });
  return it == modules_.end() ? nullptr : &it->second;
}

MissReason Symbolizer::MissReasonOf(const Profile& profile,
                                    MappingId id) const {
  const FoundModule* known = FindModule(profile, id);
  return known == nullptr ? MissReason{} : known->found.miss;
}

const Module* Symbolizer::ModuleOf(const Profile& profile, MappingId id) const {
  const FoundModule* known = FindModule(profile, id);
  return known == nullptr ? nullptr : known->found.module;
}

CallCheck Symbolizer::CallCheckOf(const Profile& profile, MappingId id) const {
  const FoundModule* known = FindModule(profile, id);
  return known == nullptr ? CallCheck{} : known->found.calls;
}

std::string Symbolizer::WantedBuildId(const Profile& profile,
                                      MappingId id) const {
  const FoundModule* known = FindModule(profile, id);
  return known == nullptr ? "" : known->wanted_build_id;
}

}  // namespace heapprof
