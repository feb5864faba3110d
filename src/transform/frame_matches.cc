// SPDX-License-Identifier: Apache-2.0
#include "transform/frame_matches.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "heapprof/demangle/shown_names.h"
#include "heapprof/profile/inline_mark.h"
#include "heapprof/profile/line_place.h"

namespace heapprof {
namespace {

// Matches the texts of all frames against a regular expression. If one match
// takes too long, the rest is skipped and error() is set.
class MatchFinder {
 public:
  MatchFinder(const Profile& profile, const Regex& regex,
              const Subjects& subjects)
      : profile_(profile), regex_(regex), subjects_(subjects) {}

  std::vector<bool> Locations() {
    const std::vector<bool> modules = Modules();
    std::vector<bool> found(profile_.locations.size());
    for (size_t i = 1; i < found.size(); ++i) {
      const Location& location = profile_.locations[i];
      found[i] = modules[location.mapping.index()];
      if (!found[i] && subjects_.address && location.address != 0)
        found[i] = Matches(fmt::format(
            "{:016x}", CallSiteAddress(location, location.address)));
    }
    return found;
  }

  std::vector<bool> Lines() {
    const std::vector<bool> functions = Functions();
    std::vector<bool> found = InlinedCalls(functions);
    for (size_t i = 0; i < found.size(); ++i) {
      const Line& line = profile_.lines[i];
      found[i] = found[i] || functions[line.function.index()] ||
                 (subjects_.place && Matches(PlaceOf(profile_, line)));
    }
    return found;
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  bool Matches(std::string_view text) {
    return !error_ && Accept(regex_.Matches(text));
  }

  bool Accept(const Result<bool>& matches) {
    if (!matches) error_ = matches.error();
    return matches && *matches;
  }

  std::vector<bool> Modules() {
    std::vector<bool> found(profile_.mappings.size());
    for (size_t i = 1; subjects_.module && i < found.size(); ++i)
      found[i] = Matches(profile_.String(profile_.mappings[i].filename));
    return found;
  }

  std::vector<bool> Functions() {
    std::vector<bool> found(profile_.functions.size());
    for (size_t i = 1; i < found.size(); ++i) {
      const Function& function = profile_.functions[i];
      found[i] = MatchesName(function) ||
                 (subjects_.file && !function.filename.IsNone() &&
                  Matches(profile_.String(function.filename)));
    }
    return found;
  }

  bool MatchesName(const Function& function) {
    const std::string_view name = profile_.String(function.name);
    if (!subjects_.names || error_) return false;
    if (function.unresolved) return Matches(name);
    return Accept(MatchesShownName(regex_, name));
  }

  // Returns, by line, the inlined calls that match by their name and the mark
  // of their rows. Leaves out those of `functions`, which match anyway. A
  // pattern that matches the mark alone, such as "line", says nothing about
  // names: all inlined calls would match.
  std::vector<bool> InlinedCalls(const std::vector<bool>& functions) {
    std::vector<bool> found(profile_.lines.size());
    if (!subjects_.names || Matches(kInlineMark)) return found;
    std::vector<std::optional<bool>> by_function(profile_.functions.size());
    for (const Location& location : profile_.locations) {
      if (location.lines.count == 0) continue;
      for (uint32_t i = 0; i + 1 < location.lines.count; ++i) {
        const uint32_t line = location.lines.first + i;
        const size_t function = profile_.lines[line].function.index();
        if (functions[function]) continue;
        if (!by_function[function])
          by_function[function] = MatchesInlined(profile_.functions[function]);
        found[line] = *by_function[function];
      }
    }
    return found;
  }

  bool MatchesInlined(const Function& function) {
    return std::ranges::any_of(
        ShownNames(profile_.String(function.name)),
        [this](const std::string& shown) {
          return Matches(shown + std::string(kInlineMark));
        });
  }

  const Profile& profile_;
  const Regex& regex_;
  const Subjects& subjects_;
  std::optional<Error> error_;
};

}  // namespace

Result<FrameMatches> FrameMatches::Find(const Profile& profile,
                                        const Regex& regex,
                                        const Subjects& subjects) {
  MatchFinder finder(profile, regex, subjects);
  FrameMatches matches(finder.Locations(), finder.Lines());
  if (finder.error()) return std::unexpected(*finder.error());
  return matches;
}

bool FrameMatches::Matches(const LocationPart& part) const {
  if (MatchesLocation(part.location)) return true;
  for (uint32_t i = 0; i < part.lines.count; ++i)
    if (MatchesLine(part.lines.first + i)) return true;
  return false;
}

}  // namespace heapprof
