// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/module_info.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "cli/inputs/input_facts.h"
#include "cli/system/environment.h"
#include "heapprof/dwarf/dwarf_versions.h"
#include "heapprof/index/index_folders.h"
#include "heapprof/index/portable_index.h"
#include "heapprof/symbolize/module_locator.h"
#include "heapprof/symbolize/suggestions.h"

namespace heapprof {
namespace {

void AddFile(const Module& module, bool with_dwarf, ModuleInfo& info) {
  if (module.has_binary()) info.file = module.binary().path();
  if (module.index() != nullptr) info.index_file = module.index()->path();
  info.is_debug_file = module.binary().IsDebugFile();
  info.build_id = module.binary().build_id();
  const ElfImage* debug = module.debug();
  if (debug == nullptr) return;
  info.debug_file = debug->path();
  if (with_dwarf) info.dwarf_versions = DwarfVersions(*debug);
}

bool WasTried(std::string_view place, const MissReason& miss) {
  return std::ranges::find(miss.tried, place, &TriedFile::path) !=
         miss.tried.end();
}

ModuleInfo ModuleInfoOf(const Profile& profile, MappingId id,
                        const Symbolizer& symbolizer, bool with_dwarf) {
  const MissReason miss = symbolizer.MissReasonOf(profile, id);
  const Mapping& mapping = profile.mappings[id.index()];
  ModuleInfo info;
  info.file_state = miss.state;
  info.reason = miss.text;
  info.tried = miss.tried;
  const auto& [problems, split_tried] = symbolizer.ProblemsOf(profile, id);
  std::ranges::copy(split_tried, std::back_inserter(info.tried));
  info.problems = problems;
  info.wanted_build_id = symbolizer.WantedBuildId(profile, id);
  if (const Module* module = symbolizer.ModuleOf(profile, id))
    AddFile(*module, with_dwarf, info);
  info.is_assumed = symbolizer.IsAssumed(profile, id);
  const CallCheck calls = symbolizer.CallCheckOf(profile, id);
  info.return_addresses = calls.checked;
  info.after_call = calls.after_call;
  const MissingModule missing = {
      .state = miss.state,
      .path = std::string(profile.String(RecordedFilename(mapping))),
      .build_id = info.build_id.empty() ? info.wanted_build_id : info.build_id,
      .servers_asked = WasTried(kServersPlace, miss),
      .lacks_index = WasTried(kIndexFoldersPlace, miss)};
  info.suggestions = SuggestionsFor(missing, DebuginfodUrls());
  return info;
}

}  // namespace

std::vector<ModuleInfo> ModuleInfosOf(const Profile& profile,
                                      const Symbolizer& symbolizer,
                                      bool with_dwarf) {
  std::vector<ModuleInfo> infos(1);
  for (uint32_t i = 1; i < profile.mappings.size(); ++i)
    infos.push_back(
        ModuleInfoOf(profile, MappingId{i}, symbolizer, with_dwarf));
  return infos;
}

ModuleTable ModulesOf(const Profile& profile, const Symbolizer& symbolizer,
                      const Options& options) {
  return MakeModuleTable(
      profile, options.metric,
      ModuleInfosOf(profile, symbolizer, /*with_dwarf=*/false),
      JobsFor(profile, options));
}

DumpInfo DumpInfoOf(std::string_view path, const InputFormat& format,
                    std::vector<std::string> unused_files) {
  return {.path = std::string(path),
          .format = std::string(FormatName(format)),
          .produced_by = std::string(format.producers),
          .unused_files = std::move(unused_files)};
}

}  // namespace heapprof
