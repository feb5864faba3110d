// SPDX-License-Identifier: Apache-2.0
#include "cli/facts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cli/environment.h"
#include "heapprof/dwarf/dwarf_versions.h"
#include "heapprof/symbolize/module_locator.h"
#include "heapprof/symbolize/remedy.h"

namespace heapprof {
namespace {

FileState StateOf(MissReason::Kind kind) {
  switch (kind) {
    case MissReason::Kind::kNone:
      return FileState::kFound;
    case MissReason::Kind::kNoDebugInfo:
      return FileState::kNoDebugInfo;
    case MissReason::Kind::kKernelCode:
      return FileState::kKernelCode;
    case MissReason::Kind::kGenerated:
      return FileState::kGenerated;
    case MissReason::Kind::kNotFound:
      return FileState::kNotFound;
    case MissReason::Kind::kUnreadable:
      return FileState::kUnreadable;
    case MissReason::Kind::kAnotherBuild:
      return FileState::kAnotherBuild;
    case MissReason::Kind::kNoAddresses:
      return FileState::kNoAddresses;
  }
  return FileState::kFound;
}

void AddFile(const Module& module, bool with_dwarf, ModuleFacts& facts) {
  facts.file = module.binary().path();
  facts.build_id = module.binary().build_id();
  const ElfImage* debug = module.debug();
  if (debug == nullptr) return;
  facts.debug_file = debug->path();
  if (with_dwarf) facts.dwarf_versions = DwarfVersions(*debug);
}

ModuleFacts FactsOf(const Profile& profile, MappingId id,
                    const Symbolizer& symbolizer, bool with_dwarf) {
  const MissReason miss = symbolizer.MissOf(profile, id);
  const Mapping& mapping = profile.mappings[id.index()];
  ModuleFacts facts;
  facts.file_state = StateOf(miss.kind);
  facts.reason = miss.text;
  for (const TriedFile& file : miss.tried)
    facts.tried.push_back({file.path, file.outcome});
  const auto& [problems, split_tried] = symbolizer.ProblemsOf(profile, id);
  for (const TriedFile& file : split_tried)
    facts.tried.push_back({file.path, file.outcome});
  facts.problems = problems;
  facts.wanted_build_id = symbolizer.WantedBuildId(profile, id);
  if (const Module* module = symbolizer.ModuleOf(profile, id))
    AddFile(*module, with_dwarf, facts);
  const CallCheck calls = symbolizer.CallsOf(profile, id);
  facts.return_addresses = calls.checked;
  facts.after_call = calls.after_call;
  const MissingModule missing = {
      .kind = miss.kind,
      .path = std::string(profile.String(mapping.filename)),
      .build_id =
          facts.build_id.empty() ? facts.wanted_build_id : facts.build_id,
      .servers_asked = std::ranges::find(miss.tried, kServersPlace,
                                         &TriedFile::path) != miss.tried.end()};
  for (MissRemedy& remedy : RemediesFor(missing, DebuginfodUrls()))
    facts.remedies.push_back({.text = std::move(remedy.text),
                              .command = std::move(remedy.command),
                              .argument = std::move(remedy.argument),
                              .is_alternative = remedy.is_alternative});
  return facts;
}

}  // namespace

std::vector<ModuleFacts> ModuleFactsOf(const Profile& profile,
                                       const Symbolizer& symbolizer,
                                       bool with_dwarf) {
  std::vector<ModuleFacts> facts(1);
  for (uint32_t i = 1; i < profile.mappings.size(); ++i)
    facts.push_back(FactsOf(profile, MappingId{i}, symbolizer, with_dwarf));
  return facts;
}

DumpFacts DumpFactsOf(std::string_view path, InputFormat format,
                      std::vector<std::string> useless_files) {
  std::string_view name = DescribeFormat(format);
  for (const std::string_view article : {"a ", "an "})
    if (name.starts_with(article)) name.remove_prefix(article.size());
  return {.path = std::string(path),
          .format = std::string(name),
          .produced_by = std::string(ProducersOf(format)),
          .useless_files = std::move(useless_files)};
}

}  // namespace heapprof
