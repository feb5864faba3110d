// SPDX-License-Identifier: Apache-2.0
#include "cli/check_samples.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/outputs/transform_profile.h"
#include "heapprof/profile/baseline_labels.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/merge.h"
#include "heapprof/view/info.h"
#include "heapprof/view/recorded_counts.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// What to do about a dump without memory. The usual reason is a dump at exit.
constexpr std::string_view kRemedy =
    ", so there is nothing to judge; a final dump is written after destructors "
    "have run: dump while the memory is alive, or accept it with --allow-empty";

// Returns true if the profile has so few samples, and so little memory, that a
// comparison with it would show nothing. Few samples of large objects are
// enough, because large objects are hardly ever missed. In 16 sampling periods,
// ten samples are to be expected of small objects, whatever their sizes.
bool HoldsNextToNothing(const Profile& profile, Metric metric) {
  constexpr double kFewSamples = 9.5;  // counts are computed from estimates
  constexpr uint64_t kLittle = 16;
  if (profile.sampling_period <= 1) return false;
  const Metric bytes =
      IsAccumulated(metric) ? Metric::kAllocSpace : Metric::kInuseSpace;
  const double total = TotalOf(profile, Side::kNew)[bytes].value;
  return total < static_cast<double>(kLittle * profile.sampling_period) &&
         SampleCount(profile, metric) < kFewSamples;
}

Result<void> CheckOneDump(const Profile& profile, const std::string& path,
                          const Options& options) {
  const auto lacks = [&path](std::string_view what) {
    return Fail(ErrorKind::kNoData, fmt::format("{}: {}", path, what));
  };
  if (profile.sampling_period == 0)
    return lacks(
        "the profile does not say how often it was sampled, so nothing is "
        "known about its errors; give --sample-period");
  if (std::ranges::any_of(profile.samples, [](const Sample& sample) {
        return sample.side == Side::kBase;
      }))
    return lacks("the profile is a comparison itself");
  if (options.check.allow_empty) return {};
  if (!HasValue(profile, options.metric))
    return lacks(fmt::format("no sample has a value of {}{}",
                             MetricName(options.metric), kRemedy));
  if (HoldsNextToNothing(profile, options.metric))
    return lacks(fmt::format(
        "holds next to nothing, only {:.0f} samples{}",
        std::max(1.0, SampleCount(profile, options.metric)), kRemedy));
  return {};
}

// Fails if the dumps of the new side do not fit into one baseline. A baseline
// is a pprof profile, which has only one sampling period for all dumps in it.
Result<void> CheckBaselineRuns(const LoadedInputs& inputs) {
  const MergeInput* first = nullptr;
  size_t runs = 0;
  for (const MergeInput& input : inputs.profiles) {
    if (input.side != Side::kNew) continue;
    if (first == nullptr) first = &input;
    if (++runs > kMostBaselineRuns)
      return Fail(ErrorKind::kNoData,
                  fmt::format("--save-baseline: a baseline has at most {} runs",
                              kMostBaselineRuns));
    const uint64_t periods[] = {first->profile.sampling_period,
                                input.profile.sampling_period};
    if (periods[0] != periods[1])
      return Fail(ErrorKind::kNoData,
                  fmt::format("--save-baseline: the runs of the new side have "
                              "different sampling periods, {} and {}; a "
                              "baseline has one",
                              FormatSize(periods[0]), FormatSize(periods[1])));
  }
  return {};
}

// Returns true if a stack of the side has a frame of one's own code. All memory
// without such a frame is in the stacks that --own marks.
bool HasOwnCode(const Profile& profile, Side side, Metric metric) {
  return std::ranges::any_of(profile.samples, [&](const Sample& sample) {
    if (sample.side != side || sample.values[metric].value == 0) return false;
    const auto frames = profile.StackFrames(sample.stack);
    if (frames.empty()) return false;
    const auto lines =
        profile.LocationLines(profile.locations[frames.front().index()]);
    return lines.empty() ||
           profile.String(
               profile.functions[lines.front().function.index()].name) !=
               kNotOwn;
  });
}

bool HasSamples(const Profile& profile, Side side, Metric metric) {
  return std::ranges::any_of(profile.samples, [&](const Sample& sample) {
    return sample.side == side && sample.values[metric].value != 0;
  });
}

// Returns the command line that the user probably meant by --base and a list of
// dumps: the dumps in the folder of the base belong to the base.
std::string SuggestedSides(const std::string& base,
                           const std::vector<std::string>& dumps) {
  const auto folder = [](const std::string& path) {
    return std::filesystem::path(path).parent_path();
  };
  const auto news = std::ranges::find_if(
      dumps, [&](const auto& dump) { return folder(dump) != folder(base); });
  if (news == dumps.end() || folder(base) == folder(dumps.back()))
    return "--base OLD... --new NEW...";
  const auto more = [](auto begin, auto end) {
    constexpr std::ptrdiff_t kMost = 3;
    const auto shown = std::min(kMost, end - begin);
    return fmt::format("{}{}", fmt::join(begin, begin + shown, " "),
                       shown < end - begin ? " ..." : "");
  };
  const std::string before = more(dumps.begin(), news);
  return fmt::format("--base {}{}{} --new {}", base, before.empty() ? "" : " ",
                     before, more(news, dumps.end()));
}

// Fails if several dumps follow a base without --new. It is unclear which side
// they belong to: in `--base main/*.heap branch/*.heap`, only the first dump
// follows --base.
Result<void> CheckSides(const LoadedInputs& inputs, const Options& options) {
  if (options.bases.empty() || !options.check.new_files.empty()) return {};
  std::vector<std::string> dumps;
  for (const InputFacts& facts : inputs.facts)
    if (facts.side == Side::kNew &&
        (dumps.empty() || dumps.back() != facts.path))
      dumps.push_back(facts.path);
  if (dumps.size() <= 1) return {};
  return Fail(
      ErrorKind::kUsage,
      fmt::format("check: {} dumps besides that of --base; say which "
                  "are the new side: heapprof check {}",
                  dumps.size(), SuggestedSides(options.bases.front(), dumps)));
}

}  // namespace

Result<void> CheckSamples(const LoadedInputs& inputs, const Options& options,
                          const Diagnostics& diagnostics) {
  if (auto clear = CheckSides(inputs, options); !clear) return clear;
  for (size_t i = 0; i < inputs.profiles.size(); ++i)
    if (auto ok = CheckOneDump(inputs.profiles[i].profile, inputs.facts[i].path,
                               options);
        !ok)
      return ok;
  if (!options.check.save_baseline.empty())
    if (auto same = CheckBaselineRuns(inputs); !same) return same;
  if (options.check.accept_damaged) return {};
  for (const Diagnostics::Warning& warning : diagnostics.warnings())
    if (IsDamage(warning.kind))
      return Fail(ErrorKind::kBadFormat,
                  "a dump is damaged, see above; --accept-damaged judges what "
                  "is left of it");
  return {};
}

Result<void> CheckFiltered(const Profile& profile, const Options& options) {
  if (options.check.allow_empty) return {};
  if (!HasValue(profile, options.metric))
    return Fail(ErrorKind::kNoData, "check: the filters leave no samples");
  const std::string& own = options.filters.options().own;
  if (own.empty() || own == "none") return {};
  for (const Side side : {Side::kBase, Side::kNew})
    if (HasSamples(profile, side, options.metric) &&
        !HasOwnCode(profile, side, options.metric))
      return Fail(
          ErrorKind::kNoData,
          fmt::format("check: --own={} finds none of your code on the {}{}; "
                      "--own=none judges all functions",
                      own, side == Side::kBase ? "base" : "new side", kRemedy));
  return {};
}

}  // namespace heapprof
