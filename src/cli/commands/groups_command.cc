// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/report_args.h"
#include "cli/args/usage_error.h"
#include "cli/commands/passes.h"
#include "cli/inputs/freed_memory.h"
#include "cli/inputs/metrics.h"
#include "cli/outputs/transform_profile.h"
#include "cli/outputs/write_documents.h"
#include "heapprof/groups/built_in_groups.h"
#include "heapprof/groups/groups_file.h"
#include "heapprof/groups/suggest_groups.h"
#include "heapprof/profile/group_frames.h"
#include "heapprof/transform/merge.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Few enough to be read, and more than most programs have.
constexpr size_t kMostGroups = 12;

Result<Profile> ReadProfile(Options& options, Session& session) {
  auto inputs = ReadInputs(options, {}, session);
  if (!inputs) return std::unexpected(inputs.error());
  if (auto found = FindBinaries(options, *inputs, session); !found)
    return std::unexpected(found.error());
  ChooseMetric(inputs->profiles, options, session.diagnostics);
  if (auto ok = CheckEachInput(*inputs, options); !ok)
    return std::unexpected(ok.error());
  Profile profile = Merge(std::move(inputs->profiles));
  NoteFreedMemory(profile, inputs->first_dump, options, session.diagnostics);
  if (auto named = NameFrames(profile, session); !named)
    return std::unexpected(named.error());
  const auto filtered = TransformProfile(
      profile, options, NothingToShow::kNoValue, session.diagnostics);
  if (!filtered) return std::unexpected(filtered.error());
  return profile;
}

std::string ShareText(double value, double percent, const Options& options) {
  return fmt::format("{}, {}", FormatShare(percent),
                     FormatAmount(value, UnitOf(options)));
}

// Sets what each group holds, and drops those that hold nothing. `text` is the
// file with the groups. Returns the share of kOtherGroup.
Result<std::string> Measure(const std::string& text, const Options& options,
                            Profile& profile,
                            std::vector<SuggestedGroup>& groups) {
  const auto parsed = ParseGroups(text, "suggestion");
  if (!parsed) return std::unexpected(parsed.error());
  if (auto added = AddGroupRoots(*parsed, profile); !added)
    return std::unexpected(added.error());
  const FlatTable table =
      MakeFlatTable(profile, {.metric = options.metric,
                              .labels = {.granularity = Granularity::kGroups}});
  std::string other;
  for (SuggestedGroup& group : groups) group.value = 0;
  for (const FlatRow& row : table.rows) {
    const double value = Difference(row.flat);
    const std::string share = ShareText(value, row.flat_percent, options);
    if (row.name == kOtherGroup) other = share;
    const auto group =
        std::ranges::find(groups, row.name, &SuggestedGroup::name);
    if (group == groups.end()) continue;
    group->value = value;
    group->comment = share;
  }
  std::erase_if(groups,
                [](const SuggestedGroup& group) { return group.value == 0; });
  return other;
}

Result<std::string> SuggestedFile(Options& options, Session& session) {
  auto profile = ReadProfile(options, session);
  if (!profile) return std::unexpected(profile.error());
  session.progress.Enter("suggesting groups");
  auto groups =
      SuggestGroups(FindGroupCandidates(*profile, options.metric, kMostGroups));
  if (!groups) return std::unexpected(groups.error());
  if (groups->empty())
    return Fail(ErrorKind::kNoData,
                "no namespace, folder or binary holds memory, so no groups can "
                "be suggested; see heapprof info");
  const auto other =
      Measure(WriteGroups(*groups, {}), options, *profile, *groups);
  if (!other) return std::unexpected(other.error());
  return WriteGroups(
      *std::move(groups),
      {"Subsystems for 'heapprof --groups FILE'. A stack belongs to the first "
       "group",
       "that matches, from the leaf up; see 'heapprof help groups'.",
       std::string(kOtherGroup) + ": " + *other});
}

}  // namespace

Result<void> ReadGroupsArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  options.files = std::move(given.positionals);
  if (args.output_paths.size() > 1)
    return UsageError("more than one -o: groups writes one file");
  if (!args.output_paths.empty())
    options.outputs.front().path = args.output_paths.front();
  if (options.suggests_groups == options.files.empty())
    return UsageError(
        fmt::format("groups{}; usage: heapprof groups --suggest [BINARY] DUMP",
                    options.suggests_groups ? " --suggest: no dump given"
                                            : ": a dump needs --suggest"));
  return SetMetric(args);
}

Result<void> RunGroups(Options& options, Session& session) {
  std::string text = BuiltInGroupsFile();
  if (options.suggests_groups) {
    auto suggested = SuggestedFile(options, session);
    if (!suggested) return std::unexpected(suggested.error());
    text = *std::move(suggested);
  }
  session.progress.Stop();
  return WriteDocuments({{std::move(text), options.outputs.front().path}});
}

}  // namespace heapprof
