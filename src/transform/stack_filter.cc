// SPDX-License-Identifier: Apache-2.0
#include "transform/stack_filter.h"

#include <algorithm>

namespace heapprof {
namespace {

using Stack = std::vector<LocationPart>;

FilterOutcome RemoveIf(bool condition) {
  return condition ? FilterOutcome::kRemoved : FilterOutcome::kUnchanged;
}

// True if the address or module of this location matches, or the function that
// contains its code. Functions that are inlined there do not count, as in
// jeprof.
bool OutermostMatches(const FrameMatches& matches, const LocationPart& part) {
  return matches.MatchesLocation(part.location) ||
         (part.lines.count > 0 &&
          matches.MatchesLine(part.lines.first + part.lines.count - 1));
}

FilterOutcome KeepFrames(const FrameMatches& matches, bool kept, Stack& stack) {
  const size_t before = stack.size();
  std::erase_if(stack, [&](const LocationPart& part) {
    return OutermostMatches(matches, part) != kept;
  });
  if (stack.empty()) return FilterOutcome::kRemoved;
  return stack.size() == before ? FilterOutcome::kUnchanged
                                : FilterOutcome::kCut;
}

// Cuts the frames rootward of the match nearest the root. Removes a stack
// without a match.
FilterOutcome ShowFrom(const FrameMatches& matches, Stack& stack) {
  const auto is_match = [&](const LocationPart& part) {
    return matches.Matches(part);
  };
  const auto root = std::find_if(stack.rbegin(), stack.rend(), is_match);
  if (root == stack.rend()) return FilterOutcome::kRemoved;
  bool cut = root != stack.rbegin();
  stack.erase(root.base(), stack.end());
  if (!matches.MatchesLocation(stack.back().location)) {
    RowRange& lines = stack.back().lines;
    while (!matches.MatchesLine(lines.first + lines.count - 1)) {
      --lines.count;
      cut = true;
    }
  }
  return cut ? FilterOutcome::kCut : FilterOutcome::kUnchanged;
}

// Cuts the frames leafward of the match nearest the leaf.
FilterOutcome PruneFrom(const FrameMatches& matches, Stack& stack) {
  const auto leaf = std::ranges::find_if(
      stack, [&](const LocationPart& part) { return matches.Matches(part); });
  if (leaf == stack.end()) return FilterOutcome::kUnchanged;
  bool cut = leaf != stack.begin();
  stack.erase(stack.begin(), leaf);
  if (!matches.MatchesLocation(stack.front().location)) {
    RowRange& lines = stack.front().lines;
    while (!matches.MatchesLine(lines.first)) {
      ++lines.first;
      --lines.count;
      cut = true;
    }
  }
  return cut ? FilterOutcome::kCut : FilterOutcome::kUnchanged;
}

}  // namespace

Subjects SubjectsOf(FilterKind kind) {
  switch (kind) {
    case FilterKind::kRetain:
    case FilterKind::kExclude:
      return {.names = true};
    case FilterKind::kFocus:
    case FilterKind::kIgnore:
      return {.names = true, .place = true, .address = true};
    case FilterKind::kModule:
      return {.module = true};
    case FilterKind::kPruneFrom:
      return {.names = true};
    case FilterKind::kHide:
    case FilterKind::kShowFrom:
    case FilterKind::kOwn:
      return {.names = true, .file = true, .module = true};
  }
  return {};
}

bool SelectsStacks(FilterKind kind) {
  return kind == FilterKind::kFocus || kind == FilterKind::kIgnore;
}

bool WantsNames(FilterKind kind) {
  return kind == FilterKind::kRetain || kind == FilterKind::kFocus ||
         kind == FilterKind::kShowFrom;
}

FilterOutcome ApplyFilter(FilterKind kind, const FrameMatches& matches,
                          Stack& stack) {
  const auto any_matches = [&] {
    return std::ranges::any_of(
        stack, [&](const LocationPart& part) { return matches.Matches(part); });
  };
  switch (kind) {
    case FilterKind::kRetain:
      return KeepFrames(matches, true, stack);
    case FilterKind::kExclude:
      return KeepFrames(matches, false, stack);
    case FilterKind::kFocus:
    case FilterKind::kModule:
      return RemoveIf(!any_matches());
    case FilterKind::kIgnore:
      return RemoveIf(any_matches());
    case FilterKind::kHide:
      break;  // StackRewriter does this with the result of HideCalls()
    case FilterKind::kShowFrom:
      return ShowFrom(matches, stack);
    case FilterKind::kPruneFrom:
    case FilterKind::kOwn:
      return PruneFrom(matches, stack);
  }
  return FilterOutcome::kUnchanged;
}

}  // namespace heapprof
