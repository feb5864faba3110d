// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/side_warnings.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "cli/inputs/input_facts.h"
#include "cli/inputs/series.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/short_build_id.h"
#include "heapprof/profile/process_address.h"

namespace heapprof {
namespace {

// Returns true for "12" and "v12".
bool IsVersionNumber(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  return IsAllDigits(text);
}

// Returns true for a commit, or what cargo appends to the names of tests.
bool IsHash(std::string_view text) {
  constexpr size_t kShortest = 7;
  return text.size() >= kShortest && std::ranges::any_of(text, IsDigit) &&
         IsAllHex(text);
}

// Returns the file name of a program without versions and hashes at its end,
// which differ between builds: "server" for "/srv/server-1.4.2-0f3a9bc".
std::string_view StemOfProgram(std::string_view path) {
  std::string_view stem = BaseName(path);
  for (;;) {
    const size_t separator = stem.find_last_of("-_.");
    if (separator == stem.npos || separator == 0) break;
    const std::string_view last = stem.substr(separator + 1);
    if (!IsVersionNumber(last) && !IsHash(last)) break;
    stem = stem.substr(0, separator);
  }
  const size_t letter = stem.find_last_not_of("0123456789");
  return letter == stem.npos ? stem : stem.substr(0, letter + 1);
}

// Returns true if the profiles are of different programs. A program that is
// unknown does not count as different.
bool AreDifferentPrograms(const Profile& a, const Profile& b) {
  const std::string_view path_a = a.String(a.main_binary);
  const std::string_view path_b = b.String(b.main_binary);
  if (path_a.empty() || path_b.empty() ||
      StemOfProgram(path_a) == StemOfProgram(path_b))
    return false;
  const std::string_view id = BuildIdOfProgram(a);
  return id.empty() || id != BuildIdOfProgram(b);
}

// Describes the program: "/srv/server (build 289ee39f)".
std::string ProgramText(const Profile& profile) {
  const std::string_view id = BuildIdOfProgram(profile);
  return fmt::format(
      "{}{}", profile.String(profile.main_binary),
      id.empty() ? "" : fmt::format(" (build {})", ShortBuildId(id)));
}

void WarnIfDifferentPeriods(const Profile& now, const Profile& base,
                            Diagnostics& diagnostics) {
  if (now.sampling_period == 0 || base.sampling_period == 0 ||
      now.sampling_period == base.sampling_period)
    return;
  diagnostics.Warn(
      WarningKind::kDifferentPeriods,
      fmt::format("the sampling periods differ: {}, in the base {}{}",
                  Counted(now.sampling_period, "byte"),
                  Counted(base.sampling_period, "byte"),
                  IsResetBetween(SampledProcessOf(now), SampledProcessOf(base))
                      ? "; in one process, only prof.reset changes it, which "
                        "drops what was sampled before"
                      : ""));
}

void WarnIfDifferentPrograms(const Profile& first, const MergeInput& other,
                             Diagnostics& diagnostics) {
  if (!AreDifferentPrograms(first, other.profile)) return;
  const bool is_base = other.side == Side::kBase;
  diagnostics.Warn(
      WarningKind::kDifferentPrograms,
      fmt::format("different programs are {}: {}, {} {}",
                  is_base ? "compared" : "averaged", ProgramText(first),
                  is_base ? "in the base" : "and", ProgramText(other.profile)));
}

}  // namespace

void WarnIfSidesDiffer(std::span<const MergeInput> inputs,
                       Diagnostics& diagnostics) {
  const auto now = std::ranges::find(inputs, Side::kNew, &MergeInput::side);
  if (now == inputs.end()) return;
  for (const MergeInput& input : inputs) {
    if (input.side == Side::kBase)
      WarnIfDifferentPeriods(now->profile, input.profile, diagnostics);
    WarnIfDifferentPrograms(now->profile, input, diagnostics);
  }
}

void NoteSwappedSides(std::span<const InputFacts> inputs,
                      Diagnostics& diagnostics) {
  std::vector<std::string> paths;
  for (const InputFacts& input : inputs) paths.push_back(input.path);
  for (const FileSeries& series : FindSeries(paths)) {
    const auto is_base = [&](size_t i) {
      return inputs[i].side == Side::kBase;
    };
    if (series.process.empty() || is_base(series.files.front()) ||
        !is_base(series.files.back()) ||
        !std::ranges::is_partitioned(series.files, std::not_fn(is_base)))
      continue;
    diagnostics.Note(fmt::format(
        "the base, {}, is a later dump of the process than {}: what grew looks "
        "as if it had shrunk",
        paths[series.files.back()], paths[series.files.front()]));
  }
}

void WarnIfDetailDiffers(const Sides<BuildIds>& with,
                         const Sides<BuildIds>& without,
                         std::string_view program, Diagnostics& diagnostics) {
  const auto warn = [&](Side side, Side other, std::string_view name,
                        std::string_view look) {
    const auto is_known = [&](const std::string& id) {
      return !id.empty() && with[side].contains(id);
    };
    if (with[side].empty() || !with[other].empty() ||
        std::ranges::all_of(without[other], is_known))
      return;
    diagnostics.Warn(
        WarningKind::kDifferentDetail,
        fmt::format("only the {} has debug information of {}, so functions "
                    "that are inlined there look {}; --no-inlines compares "
                    "both sides alike",
                    name, BaseName(program), look));
  };
  warn(Side::kNew, Side::kBase, "new side", "new");
  warn(Side::kBase, Side::kNew, "base", "gone");
}

void NoteMeans(std::span<const MergeInput> inputs, const Options& options,
               Diagnostics& diagnostics) {
  const auto count = [&](Side side) {
    return std::ranges::count(inputs, side, &MergeInput::side);
  };
  const auto base_dumps = count(Side::kBase), new_dumps = count(Side::kNew);
  if (base_dumps > 1)
    diagnostics.Note(
        fmt::format("the base is the mean of {} dumps", base_dumps));
  if (base_dumps > 0 && new_dumps > 1)
    diagnostics.Note(
        fmt::format("the new side is the mean of {} dumps{}", new_dumps,
                    base_dumps == 1 && options.news.empty()
                        ? "; if some belong to the base, say so: --base OLD... "
                          "--new NEW..."
                        : ""));
  for (const MergeInput& input : inputs)
    if (const size_t runs = RunsOf(input.profile, Side::kNew).size(); runs > 1)
      diagnostics.Note(
          fmt::format("the baseline shows the mean of {} runs", runs));
}

}  // namespace heapprof
