// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/symbolizer.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/base/for_each.h"
#include "heapprof/demangle/demangle.h"
#include "heapprof/profile/profile_builder.h"
#include "symbolize/address_layout.h"
#include "symbolize/linkage_names.h"
#include "symbolize/module_lookup.h"
#include "symbolize/sort_by_address.h"

namespace heapprof {
namespace {

// Resolves all modules. One with debug information takes all threads for
// itself; the others, which only have symbols, take one thread each.
void ResolveAll(std::vector<ModuleLookup>& lookups, const IndexCache* cache,
                unsigned jobs) {
  std::vector<ModuleLookup*> small;
  for (ModuleLookup& lookup : lookups) {
    if (lookup.module->debug() != nullptr)
      LookUpModule(lookup, cache, jobs);
    else
      small.push_back(&lookup);
  }
  ForEach(small.size(), jobs,
          [&](size_t i) { LookUpModule(*small[i], cache, 1); });
}

// Makes lines of the profile from one module's answers.
class AnswerLines {
 public:
  // In the order of the addresses, in which neighbours have functions in
  // common: of a million answers, any other would miss the cache each time.
  //
  // `names` has those of the module's functions from `first_name` on.
  AnswerLines(const ModuleLookup& lookup, const LinkageNames& names,
              size_t first_name, ProfileBuilder& builder)
      : lookup_(lookup),
        names_(names),
        first_name_(first_name),
        builder_(builder),
        latest_(lookup.answers.functions.size()),
        files_(lookup.answers.files.size()) {
    builder.ReserveFunctions(lookup.answers.functions.size());
    lines_.reserve(lookup.answers.frames.size());
    for (const SourceFrame& frame : lookup.answers.frames)
      lines_.push_back({FunctionOf(frame), frame.line, frame.column});
  }

  // Has the first of these lines come into the processor's cache.
  void Prefetch(uint32_t number) const {
    __builtin_prefetch(lines_.data() + lookup_.answers.runs[number].first);
  }
  // Those of the `number`-th address; none if it has no name.
  std::span<const Line> Of(uint32_t number) const {
    const FrameRun run = lookup_.answers.runs[number];
    return std::span(lines_).subspan(run.first, run.count);
  }

 private:
  static constexpr size_t kAhead = 4;

  // A function of the profile, and the file of the code it stands for.
  struct Written {
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t file = kNone;
    FunctionId id = {};
  };

  // There are many more frames than functions, whose names are long.
  FunctionId FunctionOf(const SourceFrame& frame) {
    Written& latest = latest_[frame.function];
    if (latest.file != frame.file) latest = {frame.file, AddFunction(frame)};
    return latest.id;
  }

  // pprof's model has one file per function, and a line counts in that file.
  // Where code comes from another file than the declaration (a body that was
  // #included), the function gets a second row.
  FunctionId AddFunction(const SourceFrame& frame) {
    const SourceFunction& source = lookup_.answers.functions[frame.function];
    PrefetchNames(frame.function + kAhead);
    const bool at_home = frame.file == 0 || frame.file == source.file;
    return builder_.InternFunction(
        {.name = InternNameOf(frame.function),
         .system_name = builder_.InternAdopted(source.linkage_name),
         .filename = FileOf(at_home ? source.file : frame.file),
         .start_line = at_home ? source.start_line : 0,
         .start_address = source.start_address});
  }

  // Functions are met first in the order of their numbers. Other threads have
  // written their names, so that these are in no cache of this one.
  void PrefetchNames(size_t function) const {
    if (function >= lookup_.answers.functions.size()) return;
    const SourceFunction& source = lookup_.answers.functions[function];
    std::string_view demangled = source.demangled_name;
    if (demangled.empty() && names_.IsReady(first_name_ + function))
      demangled = names_.Demangled(first_name_ + function);
    for (const std::string_view name : {demangled, source.linkage_name}) {
      __builtin_prefetch(name.data());
      __builtin_prefetch(name.data() + name.size());
    }
  }

  StringId InternNameOf(size_t function) const {
    const SourceFunction& source = lookup_.answers.functions[function];
    if (source.linkage_name.empty())
      return builder_.InternAdopted(source.scoped_name);
    return source.demangled_name.empty()
               ? builder_.InternString(names_.Demangled(first_name_ + function))
               : builder_.InternAdopted(source.demangled_name);
  }

  StringId FileOf(uint32_t number) {
    StringId& file = files_[number];
    if (file.IsNone())
      file = builder_.InternString(lookup_.answers.files[number]);
    return file;
  }

  const ModuleLookup& lookup_;
  const LinkageNames& names_;
  size_t first_name_;
  ProfileBuilder& builder_;
  std::vector<Written> latest_;  // by function of the answers
  std::vector<StringId> files_;  // by file of the answers
  std::vector<Line> lines_;      // by frame of the answers
};

// "libfoo.so+0x1234", or the bare address of a location outside any file. It is
// the call's, so that a dump and a pprof profile of it agree.
std::string UnresolvedName(const Profile& profile, const Location& location) {
  const std::string_view file =
      profile.String(profile.mappings[location.mapping.index()].filename);
  if (location.mapping.IsNone())
    return fmt::format("0x{:016x}",
                       CallSiteAddress(location, location.address));
  const size_t slash = file.rfind('/');
  const std::string_view base =
      slash == file.npos ? file : file.substr(slash + 1);
  return fmt::format("{}+0x{:x}", base,
                     CallSiteAddress(location, location.module_address));
}

// What later runs need not demangle. Rust's names are as long then as before,
// and an index that has both is a third larger.
//
// `names` has those of the module's functions from `first_name` on.
void KeepDemangledNames(const ModuleLookup& lookup, const LinkageNames& names,
                        size_t first_name, DemangledNames& demangled_names) {
  for (size_t i = 0; i < lookup.answers.functions.size(); ++i) {
    const std::string_view name = lookup.answers.functions[i].linkage_name;
    const std::string& demangled = names.Demangled(first_name + i);
    if (name != demangled && !MayBeRust(name))
      demangled_names.Add(name, demangled);
  }
}

Run UnresolvedLine(const Location& location, ProfileBuilder& builder) {
  const std::string name = UnresolvedName(builder.profile(), location);
  const Line line = {
      .function = builder.InternFunction(
          {.name = builder.InternString(name), .unresolved = true})};
  return builder.AddLines({&line, 1});
}

// A problem of a debug file starts with its path, which may be the binary's.
std::string WithPath(const std::string& binary, const std::string& problem) {
  return problem.starts_with(binary + ": ")
             ? problem
             : fmt::format("{}: {}", binary, problem);
}

// A location that is to be named: where in its file it is looked up.
struct CallSite {
  uint64_t address = 0;
  uint32_t location = 0;
};

// Which answer is whose.
struct LocationAnswer {
  static constexpr uint32_t kNotAsked = UINT32_MAX;
  uint32_t module = kNotAsked;  // in the lookups
  uint32_t number = 0;          // of the address
};

// Asks for the address of each call site.
void CollectAddresses(std::vector<CallSite>& calls, uint32_t module,
                      unsigned jobs, ModuleLookup& lookup,
                      std::vector<LocationAnswer>& answers) {
  SortByAddress(calls, &CallSite::address, jobs);
  std::vector<uint64_t>& addresses = lookup.addresses;
  for (const CallSite& call : calls) {
    if (addresses.empty() || addresses.back() != call.address)
      addresses.push_back(call.address);
    answers[call.location] = {module,
                              static_cast<uint32_t>(addresses.size() - 1)};
  }
}

}  // namespace

Symbolizer::Symbolizer(SymbolizeOptions options)
    : options_(std::move(options)), locator_(options_.locator) {}

Symbolizer::ModuleKey Symbolizer::KeyOf(const Profile& profile, MappingId id) {
  const Mapping& mapping = profile.mappings[id.index()];
  return {std::string(profile.String(mapping.filename)),
          std::string(profile.String(mapping.elf_path))};
}

bool Symbolizer::WantsNames(const Profile& profile,
                            const Location& location) const {
  const auto lines = profile.LocationLines(location);
  return lines.empty() ||
         profile.functions[lines.front().function.index()].unresolved ||
         (options_.resymbolize && location.module_address != 0);
}

std::vector<ModuleLocator::Found> Symbolizer::FindAll(
    const Profile& profile,
    const std::vector<std::vector<uint64_t>>& return_addresses) {
  std::vector<ModuleLocator::Found> found(profile.mappings.size());
  for (uint32_t i = 1; i < profile.mappings.size(); ++i)
    found[i] = locator_.Find(profile, MappingId{i}, return_addresses[i]);
  return found;
}

// Settles AddressSpace::kUnknown, for all mappings of the profile at once.
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
  const auto space = recognized ? recognized : options_.unknown_addresses;
  for (size_t i = 1; i < profile.mappings.size(); ++i) {
    Mapping& mapping = profile.mappings[i];
    if (mapping.address_space != AddressSpace::kUnknown) continue;
    if (space) mapping.address_space = *space;
    if (found[i].module == nullptr) continue;
    constexpr uint16_t kFixedAddresses = 2;  // ET_EXEC
    if (space == AddressSpace::kRuntime &&
        found[i].module->binary().type() == kFixedAddresses)
      mapping.address_space = AddressSpace::kFileAddress;
    if (mapping.address_space == AddressSpace::kFileOffset ||
        mapping.address_space == AddressSpace::kFileAddress)
      continue;
    found[i].module = nullptr;
    found[i].miss = {
        FileState::kNoAddresses,
        space ? "the profile does not say where the file was mapped"
              : "its addresses may be offsets in the file or addresses of it; "
                "--pprof-addr=fileoff or --pprof-addr=vaddr says which"};
  }
}

Result<void> Symbolizer::Bind(Profile& profile, Diagnostics& diagnostics) {
  std::vector<std::vector<uint64_t>> return_addresses(profile.mappings.size());
  std::vector<bool> wants_names(profile.mappings.size());
  for (const Location& location : profile.locations) {
    if (location.mapping.IsNone()) continue;
    const size_t mapping = location.mapping.index();
    if (WantsNames(profile, location)) wants_names[mapping] = true;
    if (location.module_address != 0)
      return_addresses[mapping].push_back(location.module_address +
                                          !location.is_return_address);
  }
  // The code is read in one sweep.
  for (std::vector<uint64_t>& addresses : return_addresses)
    SortByAddress(addresses, std::identity(), options_.jobs);
  std::vector<ModuleLocator::Found> found = FindAll(profile, return_addresses);
  for (size_t i = 1; i < found.size(); ++i) {
    for (const std::string& rejected : found[i].rejected) {
      if (wants_names[i] && !profile.mappings[i].build_id.IsNone())
        return Fail(ErrorKind::kNoData, rejected);
      diagnostics.Warn("file does not fit", rejected);
    }
  }
  DecideAddresses(profile, return_addresses, found);
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
  for (uint32_t i = 1; i < found.size(); ++i) {
    const std::string wanted(profile.String(profile.mappings[i].build_id));
    if (found[i].module != nullptr) {
      const ElfImage& image = found[i].module->binary();
      Mapping& mapping = profile.mappings[i];
      mapping.build_id = profile.strings.Intern(image.build_id());
      mapping.elf_path = profile.strings.Intern(image.path());
      mapping.address_space = AddressSpace::kFileAddress;
    }
    wanted_build_ids_.insert_or_assign(KeyOf(profile, MappingId{i}), wanted);
    found_.insert_or_assign(KeyOf(profile, MappingId{i}), std::move(found[i]));
  }
  return {};
}

void Symbolizer::NoteProblems(std::vector<ModuleLookup>& lookups,
                              Diagnostics& diagnostics) {
  std::set<std::string> used_split_files;
  bool lacks_split_files = false;
  for (ModuleLookup& lookup : lookups) {
    if (!lookup.cache_problem.empty())
      diagnostics.Warn(kIndexCacheFinding, lookup.cache_problem);
    used_split_files.insert(lookup.split_files.used.begin(),
                            lookup.split_files.used.end());
    if (!lookup.split_files.tried.empty()) lacks_split_files = true;
  }
  unused_files_ = locator_.UnusedDebugFiles();
  for (std::string& unused :
       locator_.UnusedSplitFiles(used_split_files, lacks_split_files))
    unused_files_.push_back(std::move(unused));
  for (const std::string& unused : unused_files_)
    diagnostics.Warn("file does not fit", unused);
  for (ModuleLookup& lookup : lookups) {
    for (const std::string& problem : lookup.problems)
      diagnostics.Warn("debug information",
                       WithPath(lookup.module->binary().path(), problem));
    problems_[lookup.module] = {
        .problems = std::move(lookup.problems),
        .split_tried = std::move(lookup.split_files.tried)};
  }
}

void Symbolizer::Symbolize(Profile& profile, Diagnostics& diagnostics) {
  std::vector<ModuleLookup> lookups;
  std::vector<uint32_t> lookup_of_mapping(profile.mappings.size(),
                                          LocationAnswer::kNotAsked);
  for (uint32_t i = 1; i < profile.mappings.size(); ++i) {
    const auto it = found_.find(KeyOf(profile, MappingId{i}));
    if (it == found_.end() || it->second.module == nullptr) continue;
    lookup_of_mapping[i] = static_cast<uint32_t>(lookups.size());
    lookups.push_back({.module = it->second.module});
  }
  std::vector<std::vector<CallSite>> calls(lookups.size());
  for (uint32_t i = 1; i < profile.locations.size(); ++i) {
    const Location& location = profile.locations[i];
    const uint32_t index = lookup_of_mapping[location.mapping.index()];
    if (index != LocationAnswer::kNotAsked && WantsNames(profile, location))
      calls[index].push_back(
          {CallSiteAddress(location, location.module_address), i});
  }
  std::vector<LocationAnswer> answers(profile.locations.size());
  for (uint32_t i = 0; i < lookups.size(); ++i)
    CollectAddresses(calls[i], i, options_.jobs, lookups[i], answers);
  calls.clear();
  ResolveAll(lookups, options_.cache, options_.jobs);
  NoteProblems(lookups, diagnostics);
  const LinkageNames names(lookups, options_.jobs);
  ProfileBuilder builder(std::move(profile));
  std::vector<AnswerLines> lines;
  lines.reserve(lookups.size());
  size_t first_name = 0;
  for (ModuleLookup& lookup : lookups) {
    builder.Adopt(std::move(lookup.answers.texts));
    lines.emplace_back(lookup, names, first_name, builder);
    if (lookup.missing_index) {
      KeepDemangledNames(lookup, names, first_name,
                         lookup.missing_index->demangled_names);
      missing_indexes_.push_back(*std::move(lookup.missing_index));
    }
    first_name += lookup.answers.functions.size();
  }
  auto& locations = builder.profile().locations;
  // Locations are in another order than answers, of which there may be a
  // million: the lines of the next ones are on their way meanwhile.
  constexpr size_t kAhead = 16;
  for (size_t i = 1; i < locations.size(); ++i) {
    if (i + kAhead < locations.size())
      if (const LocationAnswer next = answers[i + kAhead];
          next.module != LocationAnswer::kNotAsked)
        lines[next.module].Prefetch(next.number);
    if (!WantsNames(builder.profile(), locations[i])) continue;
    std::span<const Line> found;
    if (const LocationAnswer answer = answers[i];
        answer.module != LocationAnswer::kNotAsked)
      found = lines[answer.module].Of(answer.number);
    if (!found.empty())
      locations[i].lines = builder.AddLines(found);
    else if (locations[i].lines.count == 0)
      locations[i].lines = UnresolvedLine(locations[i], builder);
  }
  profile = std::move(builder).Finish();
}

ResolvedAddresses Symbolizer::Resolve(
    const Module& module, std::span<const uint64_t> addresses) const {
  // What has read the module for its index need not be opened again.
  const auto open =
      std::ranges::find(missing_indexes_, &module, &MissingIndex::module);
  if (open != missing_indexes_.end()) {
    ResolvedAddresses answers = open->resolver->Resolve(addresses);
    NormalizePaths(answers);
    return answers;
  }
  ModuleLookup lookup = {.module = &module,
                         .addresses = {addresses.begin(), addresses.end()}};
  LookUpModule(lookup, options_.cache, options_.jobs);
  return std::move(lookup.answers);
}

std::vector<std::string> Symbolizer::BuildIndexes(Diagnostics& diagnostics) {
  std::vector<std::string> notes;
  for (MissingIndex& missing : missing_indexes_) {
    const std::string& path = missing.module->binary().path();
    const auto built = BuildIndex(*options_.cache, missing, options_.jobs);
    // One by one: what an engine keeps may be large.
    missing.resolver.reset();
    if (!built)
      diagnostics.Warn(kIndexCacheFinding, built.error().message);
    else
      notes.push_back(fmt::format("{}: {}", path, *built));
  }
  missing_indexes_.clear();
  return notes;
}

const Symbolizer::DebugProblems& Symbolizer::ProblemsOf(const Profile& profile,
                                                        MappingId id) const {
  static const DebugProblems kNone;
  const auto it = problems_.find(ModuleOf(profile, id));
  return it == problems_.end() ? kNone : it->second;
}

MissReason Symbolizer::MissReasonOf(const Profile& profile,
                                    MappingId id) const {
  const auto it = found_.find(KeyOf(profile, id));
  return it == found_.end() ? MissReason{} : it->second.miss;
}

const Module* Symbolizer::ModuleOf(const Profile& profile, MappingId id) const {
  const auto it = found_.find(KeyOf(profile, id));
  return it == found_.end() ? nullptr : it->second.module;
}

CallCheck Symbolizer::CallCheckOf(const Profile& profile, MappingId id) const {
  const auto it = found_.find(KeyOf(profile, id));
  return it == found_.end() ? CallCheck{} : it->second.calls;
}

std::string Symbolizer::WantedBuildId(const Profile& profile,
                                      MappingId id) const {
  const auto it = wanted_build_ids_.find(KeyOf(profile, id));
  return it == wanted_build_ids_.end() ? "" : it->second;
}

}  // namespace heapprof
