// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/own_code.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <string_view>

#include "heapprof/base/for_each.h"
#include "heapprof/base/main_function.h"
#include "heapprof/demangle/names.h"
#include "heapprof/profile/program.h"
#include "heapprof/profile/runtime_library.h"
#include "heapprof/profile/synthetic_frame.h"
#include "transform/code_origin.h"
#include "transform/known_functions.h"
#include "transform/own_allocators.h"
#include "transform/program_modules.h"

namespace heapprof {
namespace {

// True if functions of the program have names, other than main().
bool HasMoreThanMain(const Profile& profile,
                     const std::vector<ModuleOrigin>& modules,
                     const std::vector<CodeOrigin>& origins) {
  for (const Location& location : profile.locations) {
    if (modules[location.mapping.index()] != ModuleOrigin::kProgram ||
        IsSynthetic(profile, location))
      continue;
    for (const Line& line : profile.LocationLines(location)) {
      const Function& function = profile.functions[line.function.index()];
      if (origins[line.function.index()] == CodeOrigin::kProgram &&
          !function.unresolved && !IsMain(profile.String(function.name)))
        return true;
    }
  }
  return false;
}

std::vector<CodeOrigin> FunctionOrigins(
    const Profile& profile, const std::vector<ModuleOrigin>& modules,
    unsigned jobs) {
  std::vector<std::string_view> files;
  for (size_t i = 1; i < modules.size(); ++i)
    if (modules[i] == ModuleOrigin::kProgram)
      files.push_back(profile.String(profile.mappings[i].filename));
  const auto origins_with = [&](KnownLibraries libraries) {
    const OriginClassifier classifier(profile, files, libraries);
    std::vector<CodeOrigin> origins(profile.functions.size());
    ForEachInBlocks(origins.size(), 1024, jobs, [&](size_t i) {
      origins[i] = classifier.OriginOf(profile.functions[i]);
    });
    return origins;
  };
  std::vector<CodeOrigin> origins =
      origins_with(KnownLibraries::kAreThirdParty);
  return HasMoreThanMain(profile, modules, origins)
             ? origins
             : origins_with(KnownLibraries::kAreTheProgram);
}

bool AreMostlyNameless(ptrdiff_t nameless, ptrdiff_t named) {
  constexpr ptrdiff_t kMany = 4;
  return nameless > kMany * named;
}

// True if hardly any of the program's code has a name, as in stripped programs
// of distributions.
bool IsNameless(const Profile& profile,
                const std::vector<ModuleOrigin>& modules) {
  ptrdiff_t named = 0;
  ptrdiff_t nameless = 0;
  for (const Location& location : profile.locations) {
    if (location.mapping.IsNone() || location.lines.count == 0 ||
        modules[location.mapping.index()] != ModuleOrigin::kProgram)
      continue;
    const Line& line = profile.LocationLines(location).back();
    ++(profile.functions[line.function.index()].unresolved ? nameless : named);
  }
  return AreMostlyNameless(nameless, named);
}

}  // namespace

OwnCode::OwnCode(const Profile& profile, unsigned jobs)
    : ranks_(profile.lines.size()) {
  RankLines(profile, jobs);
  RankStripped(profile);
  allocators_ = profile.own_allocators.empty() ? FindAllocators(profile)
                                               : profile.own_allocators;
  // Filters may have added functions, such as "[outside your code]".
  allocators_.resize(profile.functions.size());
  for (uint32_t line = 0; line < ranks_.size(); ++line)
    if (ranks_[line] == Rank::kNamed &&
        allocators_[profile.lines[line].function.index()])
      ranks_[line] = Rank::kAllocator;
}

void OwnCode::RankLines(const Profile& profile, unsigned jobs) {
  const std::vector<ModuleOrigin> modules = ModuleOrigins(profile);
  const std::vector<CodeOrigin> origins =
      FunctionOrigins(profile, modules, jobs);
  const bool is_nameless = IsNameless(profile, modules);
  const std::vector<bool> is_runtime = RuntimeMappings(profile);
  for (const Location& location : profile.locations) {
    if (IsSynthetic(profile, location)) continue;
    const ModuleOrigin module = modules[location.mapping.index()];
    const bool may_be_own = module == ModuleOrigin::kProgram ||
                            (module == ModuleOrigin::kPerhaps && is_nameless);
    const bool may_be_library = !is_runtime[location.mapping.index()];
    // Code without a name counts as the user's only in the program's own files.
    // In system libraries and outside files, its owner is unknown.
    const bool is_sure =
        module == ModuleOrigin::kProgram && !location.mapping.IsNone();
    for (uint32_t i = 0; i < location.lines.count; ++i) {
      const uint32_t line = location.lines.first + i;
      const FunctionId id = profile.lines[line].function;
      const bool is_named = !profile.functions[id.index()].unresolved;
      const CodeOrigin origin = origins[id.index()];
      const bool is_program = origin == CodeOrigin::kProgram;
      if (may_be_own && is_program && (is_named || is_sure))
        ranks_[line] = is_named ? Rank::kNamed : Rank::kNameless;
      else if (may_be_library && is_named &&
               (is_program || origin == CodeOrigin::kThirdParty))
        ranks_[line] = Rank::kLibrary;
      else if (origin == CodeOrigin::kWrapper)
        ranks_[line] = Rank::kWrapper;
    }
  }
}

void OwnCode::RankStripped(const Profile& profile) {
  // In another build, code without a name has another address.
  if (profile.compares_builds) return;
  const auto is_main = [&](uint32_t line) {
    const Function& function =
        profile.functions[profile.lines[line].function.index()];
    return IsMain(profile.String(function.name));
  };
  struct Lines {
    bool is_of_program = false;
    std::vector<uint32_t> nameless;
    ptrdiff_t named = 0;

    bool AreStripped() const {
      return AreMostlyNameless(std::ssize(nameless), named);
    }
  };
  std::vector<Lines> lines_of(profile.mappings.size());
  for (size_t i = 1; i < lines_of.size(); ++i)
    lines_of[i].is_of_program = IsOfProgram(profile, profile.mappings[i]);
  for (const Location& location : profile.locations) {
    Lines& lines = lines_of[location.mapping.index()];
    for (uint32_t i = 0; i < location.lines.count; ++i) {
      const uint32_t line = location.lines.first + i;
      if (ranks_[line] == Rank::kNameless)
        lines.nameless.push_back(line);
      else if (ranks_[line] == Rank::kNamed && !is_main(line))
        ++lines.named;
    }
  }
  const bool has_program_names =
      std::ranges::any_of(lines_of, [](const Lines& lines) {
        return lines.is_of_program && lines.named > 0 && !lines.AreStripped();
      });
  for (const Lines& lines : lines_of)
    if (lines.AreStripped() && (lines.is_of_program || !has_program_names))
      for (const uint32_t line : lines.nameless) ranks_[line] = Rank::kStripped;
}

std::vector<bool> OwnCode::FindAllocators(const Profile& profile) const {
  std::vector<bool> is_charged(ranks_.size());
  for (uint32_t line = 0; line < ranks_.size(); ++line)
    is_charged[line] = IsCharged(line);
  return FindOwnAllocators(profile, is_charged);
}

std::vector<bool> OwnCode::NamedLines(
    const Profile& profile,
    bool (*accepts)(std::string_view short_name)) const {
  std::vector<std::optional<bool>> accepted(profile.functions.size());
  std::vector<bool> lines(ranks_.size());
  for (uint32_t line = 0; line < ranks_.size(); ++line) {
    if (ranks_[line] != Rank::kLibrary && ranks_[line] != Rank::kNamed)
      continue;
    const FunctionId id = profile.lines[line].function;
    std::optional<bool>& known = accepted[id.index()];
    if (!known)
      known = accepts(
          ShortName(profile.String(profile.functions[id.index()].name)));
    lines[line] = *known;
  }
  return lines;
}

std::vector<bool> OwnCode::TellingLines(const Profile& profile) const {
  return NamedLines(profile, [](std::string_view name) {
    return !SoundsLikeAllocator(name) && !IsInterpreterCall(name);
  });
}

std::vector<bool> OwnCode::NamelessLines(const Profile& profile) const {
  std::vector<bool> found(ranks_.size());
  for (uint32_t line = 0; line < ranks_.size(); ++line)
    found[line] = HasNoName(line);
  if (!AreMostlyNameless(std::ranges::count(found, true),
                         std::ranges::count(ranks_, Rank::kNamed)))
    return std::vector<bool>(ranks_.size());
  const std::vector<bool> is_runtime = RuntimeMappings(profile);
  const auto is_in_runtime = [&](LocationId id) {
    return is_runtime[profile.locations[id.index()].mapping.index()];
  };
  const auto is_nameless = [&](LocationId id) {
    const RowRange lines = profile.locations[id.index()].lines;
    return lines.count == 1 && HasNoName(lines.first);
  };
  // The C library is between _start and main().
  for (uint32_t i = 0; i < profile.stacks.size(); ++i) {
    const auto frames = profile.StackFrames(StackId{i}) | std::views::reverse;
    if (frames.empty() || !is_nameless(frames.front())) continue;
    const auto library = std::ranges::next(frames.begin());
    const auto main =
        std::ranges::find_if_not(library, frames.end(), is_in_runtime);
    if (main == library) continue;
    found[profile.locations[frames.front().index()].lines.first] = false;
    if (main != frames.end() && is_nameless(*main))
      found[profile.locations[main->index()].lines.first] = false;
  }
  return found;
}

std::vector<bool> OwnCode::AllocatorLines(const Profile& profile) const {
  std::vector<bool> is_allocator = NamedLines(profile, SoundsLikeAllocator);
  for (uint32_t line = 0; line < ranks_.size(); ++line)
    if (ranks_[line] == Rank::kWrapper || ranks_[line] == Rank::kAllocator)
      is_allocator[line] = true;
  return is_allocator;
}

std::optional<StackCall> OwnCode::FirstOwn(
    const Profile& profile, std::span<const LocationId> stack) const {
  std::optional<StackCall> fallback;
  for (size_t i = 0; i < stack.size(); ++i) {
    const RowRange lines = profile.locations[stack[i].index()].lines;
    for (uint32_t j = lines.first; j < lines.first + lines.count; ++j) {
      if (IsCharged(j)) return StackCall{i, j};
      if (IsOwn(j) && !fallback) fallback = StackCall{i, j};
    }
  }
  return fallback;
}

}  // namespace heapprof
