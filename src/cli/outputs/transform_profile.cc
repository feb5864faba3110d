// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/transform_profile.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/args/output_table.h"
#include "cli/outputs/messages.h"
#include "heapprof/transform/prepare_profile.h"

namespace heapprof {
namespace {

bool ShowsOwnCode(const Options& options) {
  if (options.command == Command::kCheck || options.command == Command::kTrend)
    return true;
  return std::ranges::any_of(options.outputs, [&](const Output& output) {
    return output.format->traits.shows_own_code ||
           ComparesOnTerminal(output, options);
  });
}

// Returns true if outputs need to know which thread allocated what.
bool NeedsThreads(const Options& options) {
  return !options.thread.empty() || options.pprof.thread_labels ||
         std::ranges::find(options.outputs, OutputNamed("threads"),
                           &Output::format) != options.outputs.end();
}

PrepareOptions PrepareOptionsOf(const Profile& profile,
                                const Options& options) {
  return {.metric = options.metric,
          .keep_allocator_frames = options.keep_allocator_frames,
          .has_base = !options.bases.empty(),
          .are_runs = options.command == Command::kCheck,
          .drop_negative = options.drop_negative,
          .thread = options.thread == "*" ? "" : options.thread,
          .names = options.names,
          .finds_own_code = ShowsOwnCode(options),
          .groups = options.group_sources.empty() ? nullptr : &options.groups,
          .jobs = JobsFor(profile, options)};
}

// Says how much memory has no name and therefore matches nothing.
std::string NamelessNote(const PreparedStacks& stacks, const Options& options) {
  Sides<double> values = {}, totals = {};
  for (const Side side : kSides) {
    values[side] = stacks.nameless[side][options.metric].value;
    totals[side] = stacks.totals[side][options.metric].value;
  }
  return NamelessText(values, totals, UnitOf(options));
}

// Says which groups of the user's file have no stack. If only some stacks are
// looked at, that is no news.
std::string UnusedGroupsNote(const PreparedStacks& stacks,
                             const Options& options) {
  constexpr size_t kMost = 3;
  const std::vector<std::string>& unused = stacks.unused_groups;
  if (unused.empty() || !stacks.has_value || !options.thread.empty()) return "";
  const size_t named = std::min(kMost, unused.size());
  std::string names =
      fmt::format("'{}'", fmt::join(std::span(unused).first(named), "', '"));
  if (named < unused.size())
    names += fmt::format(" and {} more", unused.size() - named);
  return "--groups: no stack belongs to " + names;
}

}  // namespace

Result<TransformedStacks> TransformProfile(Profile& profile,
                                           const Options& options,
                                           NothingToShow nothing,
                                           Diagnostics& diagnostics) {
  PreparedStacks stacks = PrepareProfile(profile, options.filters,
                                         PrepareOptionsOf(profile, options));
  diagnostics.Note(NamelessNote(stacks, options));
  diagnostics.Note(UnusedGroupsNote(stacks, options));
  const bool has_something = nothing == NothingToShow::kNoChange
                                 ? stacks.has_change
                                 : stacks.has_value;
  if (!stacks.lacks_thread && !has_something)
    diagnostics.Note(EmptyReason(stacks, profile, options));
  if (!stacks.has_threads && NeedsThreads(options))
    diagnostics.Note("the dump has no data by thread");
  else if (stacks.lacks_thread)
    diagnostics.Note(fmt::format(
        "--thread={}: no such thread; --threads lists them", options.thread));
  if (!stacks.effects) return std::unexpected(stacks.effects.error());
  return TransformedStacks{*std::move(stacks.effects),
                           std::move(stacks.own_code)};
}

}  // namespace heapprof
