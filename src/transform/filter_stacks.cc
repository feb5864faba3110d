// SPDX-License-Identifier: Apache-2.0
//
// src/report/assets/html/stack_filters.js does the same on the page, as far as
// it knows the frames; tests/assets/agreement/filters.mjs compares them.
#include "heapprof/transform/filter_stacks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/profile/nameless_stack.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/profile/program.h"
#include "heapprof/profile/runtime_library.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/transform/own_code.h"
#include "transform/frame_matches.h"
#include "transform/frame_sets.h"
#include "transform/hidden_calls.h"
#include "transform/location_parts.h"
#include "transform/stack_filter.h"

namespace heapprof {

// Selects frames: those that match `regex`, if it is set; otherwise those in
// `sets`; if there are no sets either, the frames of the user's own code.
struct FrameFilter {
  FilterKind kind;
  std::string text;  // "--focus=PATTERN"
  std::optional<Regex> regex = {};
  bool is_negated = false;  // for --own=!PATTERN
  FrameSets sets = {};

  bool FindsOwnCode() const { return is_negated || (!regex && sets.empty()); }
};

namespace {

struct Pattern {
  FilterKind kind;
  std::string_view option;
  std::string_view text;
};

// Returns the patterns of the options, in the order in which the filters apply.
std::vector<Pattern> PatternsOf(const FilterOptions& options) {
  std::vector<Pattern> patterns = {
      {FilterKind::kRetain, "--retain", options.retain},
      {FilterKind::kExclude, "--exclude", options.exclude},
      {FilterKind::kFocus, "--focus", options.focus},
      {FilterKind::kIgnore, "--ignore", options.ignore},
      {FilterKind::kModule, "--module", options.module}};
  for (const std::string& hidden : options.hide)
    patterns.push_back({FilterKind::kHide, "--hide", hidden});
  patterns.push_back({FilterKind::kShowFrom, "--show_from", options.show_from});
  patterns.push_back(
      {FilterKind::kPruneFrom, "--prune_from", options.prune_from});
  patterns.push_back(
      {FilterKind::kOwn, "--own",
       options.own == "none" ? std::string_view() : options.own});
  std::erase_if(patterns,
                [](const Pattern& pattern) { return pattern.text.empty(); });
  return patterns;
}

// One filter, its matches, and the stacks that lost frames to it.
struct Step {
  FilterKind kind;
  FrameMatches matches;
  // Set for --own=auto: matches all own code, even if OwnCode would rather
  // charge its callers. Used for stacks in which `matches` matches nothing.
  std::optional<FrameMatches> all_own = {};
  std::vector<LocationId> shown = {};  // for kHide: the result of HideCalls()
  std::vector<bool> cut = {};          // by stack
  std::vector<bool> not_own = {};
};

constexpr size_t kKept = SIZE_MAX;

// Applies all filters to all stacks. Adds rows to the profile's tables, but
// removes none, because the matches in `steps` are indexed by row.
class StackRewriter {
 public:
  StackRewriter(ProfileBuilder& builder, std::vector<Step>& steps,
                bool no_inlines)
      : builder_(builder),
        parts_(builder),
        steps_(steps),
        no_inlines_(no_inlines),
        are_runtime_(RuntimeMappings(builder.profile())) {}

  // Returns for each stack the index of the step that removed it, or kKept.
  std::vector<size_t> RewriteAll() {
    Profile& profile = builder_.profile();
    lost_inlines_.resize(profile.stacks.size());
    nameless_.resize(profile.stacks.size());
    std::vector<size_t> removed_by(profile.stacks.size(), kKept);
    for (Step& step : steps_) {
      step.cut.resize(profile.stacks.size());
      step.not_own.resize(profile.stacks.size());
    }
    const std::vector<LocationId> frames = std::exchange(profile.frames, {});
    profile.frames.reserve(frames.size());
    std::vector<LocationPart> stack;
    for (size_t i = 1; i < profile.stacks.size(); ++i) {
      RowRange& range = profile.stacks[i];
      SetParts(std::span(frames).subspan(range.first, range.count), stack);
      removed_by[i] = Filter(i, stack);
      range.first = static_cast<uint32_t>(profile.frames.size());
      range.count = 0;
      if (removed_by[i] != kKept) continue;
      range.count = static_cast<uint32_t>(stack.size());
      lost_inlines_[i] = Append(stack);
    }
    return removed_by;
  }

  // By stack: whether a filter for certain names removed it, and it has none.
  const std::vector<bool>& nameless() const { return nameless_; }
  // By stack: whether --no-inlines cut calls of it.
  const std::vector<bool>& lost_inlines() const { return lost_inlines_; }

 private:
  void SetParts(std::span<const LocationId> frames,
                std::vector<LocationPart>& parts) const {
    parts.clear();
    for (const LocationId frame : frames)
      parts.push_back(
          {frame, builder_.profile().locations[frame.index()].lines});
  }

  size_t Filter(size_t index, std::vector<LocationPart>& stack) {
    const std::optional<LocationPart> group = TakeGroup(stack);
    for (size_t i = 0; i < steps_.size(); ++i) {
      Step& step = steps_[i];
      const bool sees_group = group && SelectsStacks(step.kind);
      const bool is_nameless = WantsNames(step.kind) && IsNameless(stack);
      if (sees_group) stack.push_back(*group);
      const FilterOutcome outcome = ApplyStep(step, stack);
      if (sees_group) stack.pop_back();
      if (outcome == FilterOutcome::kRemoved) {
        nameless_[index] = is_nameless;
        return i;
      }
      step.cut[index] = outcome == FilterOutcome::kCut;
      step.not_own[index] =
          step.kind == FilterKind::kOwn && !StartsWithOwn(step, stack);
      if (step.not_own[index]) stack.insert(stack.begin(), NotOwn());
    }
    if (group) stack.push_back(*group);
    return kKept;
  }

  bool IsNameless(std::span<const LocationPart> stack) const {
    const Profile& profile = builder_.profile();
    return IsNamelessStack(stack, [&](const LocationPart& part) {
      if (!LacksName(profile, part.lines)) return FrameName::kKnown;
      const Location& location = profile.locations[part.location.index()];
      return are_runtime_[location.mapping.index()]
                 ? FrameName::kLackingInRuntime
                 : FrameName::kLacking;
    });
  }

  // Takes the group from the root of a stack, so that no filter cuts it.
  std::optional<LocationPart> TakeGroup(
      std::vector<LocationPart>& stack) const {
    if (stack.empty()) return std::nullopt;
    const LocationPart root = stack.back();
    if (!builder_.profile().locations[root.location.index()].is_group)
      return std::nullopt;
    stack.pop_back();
    return root;
  }

  FilterOutcome ApplyStep(const Step& step,
                          std::vector<LocationPart>& stack) const {
    if (step.kind == FilterKind::kHide) return Hide(step.shown, stack);
    const FilterOutcome outcome = ApplyFilter(step.kind, step.matches, stack);
    if (!step.all_own || outcome != FilterOutcome::kUnchanged ||
        StartsWithOwn(step, stack))
      return outcome;
    return ApplyFilter(step.kind, *step.all_own, stack);
  }

  static bool StartsWithOwn(const Step& step,
                            std::span<const LocationPart> stack) {
    return !stack.empty() &&
           (step.matches.Matches(stack.front()) ||
            (step.all_own && step.all_own->Matches(stack.front())));
  }

  FilterOutcome Hide(const std::vector<LocationId>& shown,
                     std::vector<LocationPart>& stack) const {
    const size_t before = stack.size();
    bool cut = std::erase_if(stack, [&](const LocationPart& part) {
                 return shown[part.location.index()].IsNone();
               }) > 0;
    for (LocationPart& part : stack) {
      const LocationId location = shown[part.location.index()];
      cut |= location != part.location;
      part = {location, builder_.profile().locations[location.index()].lines};
    }
    if (stack.empty() && before > 0) return FilterOutcome::kRemoved;
    return cut ? FilterOutcome::kCut : FilterOutcome::kUnchanged;
  }

  LocationPart NotOwn() {
    if (not_own_.IsNone())
      not_own_ = AddSyntheticLocation(kOutsideOwnCode, builder_);
    return {not_own_, builder_.profile().locations[not_own_.index()].lines};
  }

  // Appends `stack` to the frames of the profile. Returns true if --no-inlines
  // cut calls.
  bool Append(std::span<LocationPart> stack) {
    bool has_cut = false;
    for (LocationPart& part : stack) {
      if (no_inlines_ && part.lines.count > 1) {
        part.lines = {part.lines.first + part.lines.count - 1, 1};
        has_cut = true;
      }
      builder_.profile().frames.push_back(parts_.LocationOf(part));
    }
    return has_cut;
  }

  ProfileBuilder& builder_;
  LocationParts parts_;
  std::vector<Step>& steps_;
  const bool no_inlines_;
  const std::vector<bool> are_runtime_;  // by mapping
  std::vector<bool> lost_inlines_;
  std::vector<bool> nameless_;
  LocationId not_own_;
};

// The step of --own=auto or, if `others` is set, of --own=!PATTERN: own code is
// then what auto finds, without the calls that match.
Step OwnStep(Profile& profile, const FrameMatches* others) {
  const OwnCode own(profile);
  profile.own_allocators = own.allocators();
  std::vector<bool> charged(profile.lines.size());
  std::vector<bool> all(profile.lines.size());
  for (uint32_t i = 0; i < charged.size(); ++i) {
    const bool is_other = others != nullptr && others->MatchesLine(i);
    charged[i] = own.IsCharged(i) && !is_other;
    all[i] = own.IsOwn(i) && !is_other;
  }
  const std::vector<bool> no_location(profile.locations.size());
  return {.kind = FilterKind::kOwn,
          .matches = FrameMatches(no_location, std::move(charged)),
          .all_own = FrameMatches(no_location, std::move(all))};
}

// Finds the frames that `filter` matches. For --hide, also adds copies of
// locations without their hidden calls to `builder`. Later filters look for
// matches in these copies, too.
Result<Step> StepOf(const FrameFilter& filter, ProfileBuilder& builder) {
  Profile& profile = builder.profile();
  if (filter.FindsOwnCode() && !filter.is_negated)
    return OwnStep(profile, nullptr);
  auto matches = filter.regex ? FrameMatches::Find(profile, *filter.regex,
                                                   SubjectsOf(filter.kind))
                              : FindFrames(profile, filter.sets);
  if (!matches) return std::unexpected(matches.error());
  if (filter.is_negated) return OwnStep(profile, &*matches);
  Step step = {.kind = filter.kind, .matches = std::move(*matches)};
  if (filter.kind == FilterKind::kHide)
    step.shown = HideCalls(step.matches, builder);
  return step;
}

// Returns the path of a program if the pattern of --own matches it, so that all
// of its code counts as own.
std::string ProgramOfMatches(const Profile& profile, const Step& step) {
  for (uint32_t i = 1; i < profile.locations.size(); ++i) {
    const Mapping& mapping =
        profile.mappings[profile.locations[i].mapping.index()];
    if (IsOfProgram(profile, mapping) &&
        step.matches.MatchesLocation(LocationId{i}))
      return std::string(profile.String(mapping.filename));
  }
  return {};
}

// Counts what each step did to the stacks of `changes`.
void CountEffects(std::span<const StackChange> changes,
                  const std::vector<Step>& steps,
                  const std::vector<size_t>& removed_by,
                  const std::vector<bool>& nameless,
                  std::vector<FilterEffect>& effects) {
  std::vector<double> removed_sizes(steps.size());
  double size = 0;
  size_t stacks = 0;
  for (const StackChange& change : changes) {
    const size_t stack = change.stack.index();
    const size_t step = removed_by[stack];
    if (nameless[stack])
      for (const Side side : kSides)
        effects[step].removed_nameless[side] +=
            std::abs(change.sides[side].value);
    if (change.value() == 0) {
      for (size_t i = 0; i < steps.size(); ++i)
        if (i == step || steps[i].cut[stack] || steps[i].not_own[stack])
          ++effects[i].equal_stacks;
      continue;
    }
    size += change.size();
    ++stacks;
    if (step != kKept) {
      effects[step].removed_value += change.value();
      removed_sizes[step] += change.size();
      ++effects[step].removed_stacks;
    }
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

// Finds the sides on which --own has found nothing.
void FindSidesWithoutOwn(const std::vector<Sample>& samples, Metric metric,
                         const std::vector<Step>& steps,
                         const std::vector<size_t>& removed_by,
                         std::vector<FilterEffect>& effects) {
  for (size_t i = 0; i < steps.size(); ++i) {
    Sides<bool> has_samples = {};
    Sides<bool> has_own = {};
    for (const Sample& sample : samples) {
      const size_t stack = sample.stack.index();
      if (sample.values[metric].value == 0 || removed_by[stack] != kKept)
        continue;
      has_samples[sample.side] = true;
      if (!steps[i].not_own[stack]) has_own[sample.side] = true;
    }
    for (const Side side : kSides)
      effects[i].lacks_own[side] = has_samples[side] && !has_own[side];
  }
}

// Returns what --no-inlines did to the stacks that the other filters left.
FilterEffect InlinesEffect(std::span<const StackChange> changes,
                           const std::vector<bool>& lost_inlines) {
  FilterEffect effect = {.filter = "--no-inlines"};
  for (const StackChange& change : changes) {
    const bool is_cut = lost_inlines[change.stack.index()];
    if (change.value() == 0) {
      if (is_cut) ++effect.equal_stacks;
      continue;
    }
    ++effect.left_stacks;
    if (is_cut) ++effect.cut_stacks;
  }
  return effect;
}

void DropRemoved(const std::vector<size_t>& removed_by, Profile& profile) {
  const auto is_removed = [&](const Sample& sample) {
    return removed_by[sample.stack.index()] != kKept;
  };
  for (const Sample& sample : profile.samples) {
    if (!is_removed(sample)) continue;
    profile.filtered_out[sample.side] += sample.values;
    if (auto& runs = profile.runs[sample.side]; !runs.empty())
      runs[RunOf(sample, runs.size())].filtered_out += sample.values;
  }
  std::erase_if(profile.samples, is_removed);
  std::ranges::copy_if(profile.thread_samples,
                       std::back_inserter(profile.filtered_thread_samples),
                       is_removed);
  std::erase_if(profile.thread_samples, is_removed);
}

}  // namespace

StackFilters::StackFilters(FilterOptions options,
                           std::vector<FrameFilter> filters)
    : options_(std::move(options)), filters_(std::move(filters)) {}
StackFilters::StackFilters() = default;
StackFilters::StackFilters(StackFilters&& other) noexcept = default;
StackFilters& StackFilters::operator=(StackFilters&& other) noexcept = default;
StackFilters::~StackFilters() = default;

Result<StackFilters> StackFilters::Compile(FilterOptions options) {
  std::vector<FrameFilter> filters;
  for (const auto& [kind, option, pattern] : PatternsOf(options)) {
    FrameFilter filter = {kind, fmt::format("{}={}", option, pattern)};
    if (kind == FilterKind::kHide && NamesFrameSets(pattern)) {
      auto sets = ParseFrameSets(option, pattern);
      if (!sets) return std::unexpected(sets.error());
      filter.sets = std::move(*sets);
    } else if (kind != FilterKind::kOwn || pattern != "auto") {
      filter.is_negated = kind == FilterKind::kOwn && pattern.starts_with('!');
      auto regex =
          Regex::Compile(option, pattern.substr(filter.is_negated ? 1 : 0));
      if (!regex) return std::unexpected(regex.error());
      filter.regex = std::move(*regex);
    }
    filters.push_back(std::move(filter));
  }
  return StackFilters(std::move(options), std::move(filters));
}

bool StackFilters::FindOwnCode() const {
  return std::ranges::any_of(filters_, [](const FrameFilter& filter) {
    return filter.FindsOwnCode();
  });
}

Result<std::vector<FilterEffect>> StackFilters::Apply(Profile& profile,
                                                      Metric metric) const {
  if (IsEmpty()) return {};
  std::vector<Step> steps;
  std::vector<FilterEffect> effects;
  ProfileBuilder builder(std::move(profile));
  for (const FrameFilter& filter : filters_) {
    auto step = StepOf(filter, builder);
    if (!step) {
      profile = std::move(builder).Finish();
      return std::unexpected(step.error());
    }
    effects.push_back({.filter = filter.text});
    if (filter.kind == FilterKind::kOwn)
      effects.back().own_binary = ProgramOfMatches(builder.profile(), *step);
    steps.push_back(std::move(*step));
  }
  StackRewriter rewriter(builder, steps, options_.no_inlines);
  const std::vector<size_t> removed_by = rewriter.RewriteAll();
  profile = std::move(builder).Finish();
  CountEffects(ChangesByStack(profile, profile.samples, metric), steps,
               removed_by, rewriter.nameless(), effects);
  FindSidesWithoutOwn(profile.samples, metric, steps, removed_by, effects);
  DropRemoved(removed_by, profile);
  if (options_.no_inlines)
    effects.push_back(
        InlinesEffect(ChangesByStack(profile, profile.samples, metric),
                      rewriter.lost_inlines()));
  return effects;
}

Sides<double> RemovedNameless(std::span<const FilterEffect> effects) {
  Sides<double> removed = {};
  for (const FilterEffect& effect : effects) removed += effect.removed_nameless;
  return removed;
}

}  // namespace heapprof
