// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/filter_stacks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "heapprof/profile/profile_builder.h"
#include "transform/frame_matches.h"
#include "transform/location_parts.h"
#include "transform/stack_filter.h"

namespace heapprof {

struct StackFilters::Filter {
  FilterKind kind;
  Regex regex;
};

namespace {

struct Pattern {
  FilterKind kind;
  std::string_view option;
  std::string FilterOptions::* pattern;
};

// In the order in which they apply.
constexpr Pattern kPatterns[] = {
    {FilterKind::kRetain, "--retain", &FilterOptions::retain},
    {FilterKind::kExclude, "--exclude", &FilterOptions::exclude},
    {FilterKind::kFocus, "--focus", &FilterOptions::focus},
    {FilterKind::kIgnore, "--ignore", &FilterOptions::ignore},
    {FilterKind::kModule, "--module", &FilterOptions::module},
    {FilterKind::kShowFrom, "--show_from", &FilterOptions::show_from},
    {FilterKind::kPruneFrom, "--prune_from", &FilterOptions::prune_from},
    {FilterKind::kOwn, "--own", &FilterOptions::own},
};

// One filter, and whose frames it cut.
struct Step {
  FilterKind kind;
  FrameMatches matches;
  std::vector<bool> cut = {};  // by stack
  std::vector<bool> not_own = {};
};

constexpr size_t kKept = SIZE_MAX;

// Filters all stacks. The tables that `matches` were found in only grow.
class StackRewriter {
 public:
  StackRewriter(ProfileBuilder& builder, std::vector<Step>& steps,
                bool no_inlines)
      : builder_(builder),
        parts_(builder),
        steps_(steps),
        no_inlines_(no_inlines) {}

  // Returns by stack the index of the step that removed it, or kKept.
  std::vector<size_t> RewriteAll() {
    Profile& profile = builder_.profile();
    std::vector<size_t> removed_by(profile.stacks.size(), kKept);
    for (Step& step : steps_) {
      step.cut.resize(profile.stacks.size());
      step.not_own.resize(profile.stacks.size());
    }
    const std::vector<LocationId> frames = std::exchange(profile.frames, {});
    profile.frames.reserve(frames.size());
    for (size_t i = 1; i < profile.stacks.size(); ++i) {
      Run& run = profile.stacks[i];
      std::vector<FramePart> stack =
          PartsOf(std::span(frames).subspan(run.first, run.count));
      removed_by[i] = Filter(i, stack);
      run.first = static_cast<uint32_t>(profile.frames.size());
      run.count = 0;
      if (removed_by[i] != kKept) continue;
      run.count = static_cast<uint32_t>(stack.size());
      Append(stack);
    }
    return removed_by;
  }

 private:
  std::vector<FramePart> PartsOf(std::span<const LocationId> frames) const {
    std::vector<FramePart> parts;
    parts.reserve(frames.size());
    for (const LocationId frame : frames)
      parts.push_back(
          {frame, builder_.profile().locations[frame.index()].lines});
    return parts;
  }

  size_t Filter(size_t index, std::vector<FramePart>& stack) {
    for (size_t i = 0; i < steps_.size(); ++i) {
      Step& step = steps_[i];
      const FilterOutcome outcome = ApplyFilter(step.kind, step.matches, stack);
      if (outcome == FilterOutcome::kRemoved) return i;
      step.cut[index] = outcome == FilterOutcome::kCut;
      step.not_own[index] =
          step.kind == FilterKind::kOwn &&
          (stack.empty() || !step.matches.Matches(stack.front()));
      if (step.not_own[index]) stack.insert(stack.begin(), NotOwn());
    }
    return kKept;
  }

  FramePart NotOwn() {
    if (not_own_.IsNone())
      not_own_ = AddSyntheticLocation("[not own]", builder_);
    return {not_own_, builder_.profile().locations[not_own_.index()].lines};
  }

  void Append(std::span<FramePart> stack) {
    for (FramePart& part : stack) {
      if (no_inlines_ && part.lines.count > 1)
        part.lines = {part.lines.first + part.lines.count - 1, 1};
      builder_.profile().frames.push_back(parts_.LocationOf(part));
    }
  }

  ProfileBuilder& builder_;
  LocationParts parts_;
  std::vector<Step>& steps_;
  const bool no_inlines_;
  LocationId not_own_;
};

// What the steps did to the stacks of `samples` that have a value.
void CountEffects(const std::vector<Sample>& samples, Metric metric,
                  const std::vector<Step>& steps,
                  const std::vector<size_t>& removed_by,
                  std::vector<FilterEffect>& effects) {
  std::vector<bool> seen(removed_by.size());
  std::vector<double> removed_sizes(steps.size());
  double size = 0;
  size_t stacks = 0;
  for (const Sample& sample : samples) {
    const size_t stack = sample.stack.index();
    const size_t step = removed_by[stack];
    const double value = sample.values[metric].value;
    if (value == 0) continue;
    size += std::abs(value);
    if (step != kKept) {
      effects[step].removed_value += sample.side == Side::kNew ? value : -value;
      removed_sizes[step] += std::abs(value);
    }
    if (seen[stack]) continue;
    seen[stack] = true;
    ++stacks;
    if (step != kKept) ++effects[step].removed_stacks;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].cut[stack]) ++effects[i].cut_stacks;
      if (steps[i].not_own[stack]) ++effects[i].not_own_stacks;
    }
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    stacks -= effects[i].removed_stacks;
    effects[i].left_stacks = stacks;
    if (size != 0) effects[i].removed_percent = 100 * removed_sizes[i] / size;
  }
}

void DropRemoved(const std::vector<size_t>& removed_by, Profile& profile) {
  const auto is_removed = [&](const Sample& sample) {
    return removed_by[sample.stack.index()] != kKept;
  };
  for (const Sample& sample : profile.samples) {
    if (!is_removed(sample)) continue;
    if (sample.side == Side::kNew)
      profile.filtered_out += sample.values;
    else
      profile.filtered_out -= sample.values;
  }
  std::erase_if(profile.samples, is_removed);
  std::ranges::copy_if(profile.thread_samples,
                       std::back_inserter(profile.filtered_thread_samples),
                       is_removed);
  std::erase_if(profile.thread_samples, is_removed);
}

}  // namespace

StackFilters::StackFilters(std::vector<Filter> filters, bool no_inlines)
    : filters_(std::move(filters)), no_inlines_(no_inlines) {}
StackFilters::StackFilters(StackFilters&& other) noexcept = default;
StackFilters::~StackFilters() = default;

Result<StackFilters> StackFilters::Compile(const FilterOptions& options) {
  std::vector<Filter> filters;
  for (const Pattern& pattern : kPatterns) {
    const std::string& text = options.*pattern.pattern;
    if (text.empty()) continue;
    auto regex = Regex::Compile(pattern.option, text);
    if (!regex) return std::unexpected(regex.error());
    filters.push_back({pattern.kind, std::move(*regex)});
  }
  return StackFilters(std::move(filters), options.no_inlines);
}

Result<std::vector<FilterEffect>> StackFilters::Apply(Profile& profile,
                                                      Metric metric) const {
  if (filters_.empty() && !no_inlines_) return {};
  std::vector<Step> steps;
  std::vector<FilterEffect> effects;
  for (const Filter& filter : filters_) {
    auto matches =
        FrameMatches::Find(profile, filter.regex, SubjectsOf(filter.kind));
    if (!matches) return std::unexpected(matches.error());
    steps.push_back({filter.kind, std::move(*matches)});
    effects.push_back({.filter = filter.regex.Text()});
  }
  ProfileBuilder builder(std::move(profile));
  const std::vector<size_t> removed_by =
      StackRewriter(builder, steps, no_inlines_).RewriteAll();
  profile = std::move(builder).Finish();
  CountEffects(profile.samples, metric, steps, removed_by, effects);
  DropRemoved(removed_by, profile);
  return effects;
}

}  // namespace heapprof
