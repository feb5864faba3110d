// SPDX-License-Identifier: Apache-2.0
#include "compare/match_functions.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "compare/function_names.h"
#include "compare/matches.h"
#include "compare/rename_functions.h"
#include "heapprof/base/unqualified_name.h"
#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

// Indices of names, or roots of sets.
using Indices = std::vector<size_t>;

std::vector<BuildSet> BuildsOf(const std::vector<NameInBuilds>& names) {
  std::vector<BuildSet> builds;
  for (const NameInBuilds& name : names) builds.push_back(name.builds);
  return builds;
}

// Returns the last part of a loose name. All lambdas are called alike, so that
// of a lambda begins with the function around it: "f::{lambda}::operator()".
std::string_view LastPart(std::string_view loose) {
  const std::string_view last = UnqualifiedName(loose);
  const size_t lambda = loose.find("::{lambda}");
  if (last != "operator()" || lambda == loose.npos) return last;
  const std::string_view function = UnqualifiedName(loose.substr(0, lambda));
  return loose.substr(lambda - function.size());
}

class FunctionMatcher {
 public:
  explicit FunctionMatcher(const std::vector<NameInBuilds>& names)
      : names_(names), matches_(BuildsOf(names)) {}

  Matches Run() {
    MatchByName();
    MatchByLooseName();
    MatchByPlace();
    return std::move(matches_);
  }

 private:
  void MatchByName() {
    NameGroups groups;
    for (size_t i = 0; i < names_.size(); ++i)
      groups[names_[i].matching].push_back(i);
    for (const auto& [matching, candidates] : groups)
      if (matches_.BuildsOfAll(candidates).size() > 1)
        MatchOverloads(candidates, matching.contains("{lambda}"));
  }

  void MatchByLooseName() {
    NameGroups groups;
    for (size_t i = 0; i < names_.size(); ++i)
      groups[LooseMatchingName(names_[i].matching)].push_back(i);
    for (const auto& [loose, candidates] : groups) MatchOthers(candidates);
  }

  void MatchByPlace() {
    std::map<size_t, Indices> sets;
    for (size_t i = 0; i < names_.size(); ++i)
      sets[matches_.Root(i)].push_back(i);
    std::map<std::pair<Place, std::string>, Indices> groups;
    for (const auto& [root, names] : sets) {
      const std::set<Place> places = PlacesOf(root, names);
      if (places.size() != 1) continue;
      const std::string loose = LooseMatchingName(names_[root].matching);
      Indices& group = groups[{*places.begin(), std::string(LastPart(loose))}];
      group.insert(group.end(), names.begin(), names.end());
    }
    for (const auto& [place, candidates] : groups) MatchOthers(candidates);
  }

  // Applies the rules of pass 1.
  void MatchOverloads(const Indices& candidates, bool are_lambdas) {
    Indices with_arguments, without;
    for (const size_t i : candidates)
      (names_[i].has_arguments ? with_arguments : without).push_back(i);
    if (with_arguments.size() < 2 && MatchSingle(candidates, without)) return;
    if (are_lambdas) return MatchLambdas(candidates, !without.empty());
    for (const size_t i : without) MatchInlined(i, with_arguments);
    const Indices leftovers = matches_.Leftovers(candidates);
    if (matches_.UniteIfUnique(leftovers)) return;
    if (MatchByOrder(leftovers, candidates)) return;
    MatchAtSamePlace(leftovers, candidates);
  }

  // Applies the rules of passes 2 and 3.
  void MatchOthers(const Indices& candidates) {
    if (!MatchInstances(candidates))
      matches_.UniteIfUnique(matches_.Leftovers(candidates));
  }

  // The rule "single", for candidates of which at most one has an argument
  // list. Returns whether all of them are one function.
  bool MatchSingle(const Indices& candidates,
                   const Indices& without_arguments) {
    // They are no overloads, even if they are at several places.
    std::map<std::string_view, Indices> by_text;
    for (const size_t i : without_arguments)
      by_text[names_[i].text].push_back(i);
    for (const auto& [text, names] : by_text) matches_.UniteAll(names);
    if (by_text.size() > 1) return false;
    matches_.UniteAll(candidates);
    return true;
  }

  // The rule "lambdas".
  void MatchLambdas(const Indices& candidates, bool lack_arguments) {
    const Indices leftovers = matches_.Leftovers(candidates);
    if (lack_arguments && !leftovers.empty())
      matches_.UniteAll(candidates);
    else if (matches_.BuildsOfAll(leftovers).size() > 1)
      matches_.UniteAll(leftovers);
  }

  // The rule "inlined", for a name without an argument list. A macro may define
  // several overloads at one place; then it does not guess.
  void MatchInlined(size_t name, const Indices& with_arguments) {
    if (names_[name].places.empty()) return;
    const Place place = *names_[name].places.begin();
    Indices overloads;
    for (const size_t i : with_arguments)
      if (names_[i].places.contains(place) &&
          names_[i].builds.Intersects(names_[name].builds))
        overloads.push_back(i);
    if (overloads.size() == 1) matches_.Unite(name, overloads.front());
  }

  // The rule "order". Returns whether it applies.
  bool MatchByOrder(const Indices& leftovers, const Indices& candidates) {
    std::map<size_t, std::vector<std::pair<Place, size_t>>> roots_of_builds;
    std::set<std::string_view> files;
    for (const size_t root : leftovers) {
      const std::set<Place> places = PlacesOf(root, candidates);
      if (places.empty()) return false;
      const Place& first = *places.begin();
      files.insert(first.first);
      for (const size_t build : matches_.BuildsOf(root).Members())
        roots_of_builds[build].emplace_back(first, root);
    }
    if (files.size() > 1) return false;
    const size_t count = roots_of_builds.begin()->second.size();
    std::vector<Indices> roots_of_ranks(count);
    std::map<size_t, size_t> ranks;  // by root; the same in each build
    for (auto& [build, roots] : roots_of_builds) {
      if (roots.size() != count) return false;
      std::ranges::sort(roots);
      for (size_t rank = 0; rank < count; ++rank) {
        const size_t root = roots[rank].second;
        if (ranks.try_emplace(root, rank).first->second != rank) return false;
        roots_of_ranks[rank].push_back(root);
      }
    }
    for (const Indices& roots : roots_of_ranks) matches_.UniteAll(roots);
    return true;
  }

  // The rule "place".
  void MatchAtSamePlace(const Indices& leftovers, const Indices& candidates) {
    std::map<std::set<Place>, Indices> by_place;
    for (const size_t root : leftovers)
      if (auto places = PlacesOf(root, candidates); places.size() == 1)
        by_place[std::move(places)].push_back(root);
    for (const auto& [place, roots] : by_place) matches_.UniteIfUnique(roots);
  }

  // The rule "instances". Returns whether it applies: some candidates have the
  // older mangling, some have the newer one, and all are at one place in each
  // build.
  bool MatchInstances(const Indices& candidates) {
    bool has_newer = false, has_older = false;
    std::map<size_t, std::set<Place>> places_of_builds;
    for (const size_t i : candidates) {
      const NameInBuilds& name = names_[i];
      if (!name.is_rust) return false;
      (name.has_instances ? has_newer : has_older) = true;
      for (const size_t build : name.builds.Members())
        places_of_builds[build].insert(name.places.begin(), name.places.end());
    }
    const bool are_at_one_place = std::ranges::all_of(
        places_of_builds,
        [](const auto& of_build) { return of_build.second.size() <= 1; });
    if (!has_newer || !has_older || !are_at_one_place) return false;
    matches_.UniteAll(candidates);
    return true;
  }

  // Returns the places of those `names` that are in the set with this root.
  std::set<Place> PlacesOf(size_t root, const Indices& names) {
    std::set<Place> places;
    for (const size_t i : names)
      if (matches_.Root(i) == root)
        places.insert(names_[i].places.begin(), names_[i].places.end());
    return places;
  }

  const std::vector<NameInBuilds>& names_;
  Matches matches_;
};

}  // namespace

void MatchFunctions(const std::vector<BuildSet>& builds, Profile& profile) {
  const std::vector<NameInBuilds> names = CollectNames(builds, profile);
  Matches matches = FunctionMatcher(names).Run();
  RenameFunctions(names, matches, profile);
}

}  // namespace heapprof
