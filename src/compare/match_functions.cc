// SPDX-License-Identifier: Apache-2.0
#include "compare/match_functions.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compare/matches.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/unqualified_name.h"
#include "heapprof/demangle/names.h"
#include "heapprof/demangle/rust_mangling.h"

namespace heapprof {
namespace {

// Where a function is defined: the file name and the line.
using Place = std::pair<std::string_view, uint32_t>;

// A name in the builds of a comparison. Without an argument list, it may be the
// name of several overloads; then each place has a FunctionName of its own.
struct FunctionName {
  std::string text;      // NormalizeName()
  std::string matching;  // MatchingName()
  bool has_arguments = false;
  std::set<Place> places;
  bool is_rust = false;
  bool has_instances = false;  // Rust's newer mangling names instances
  std::vector<FunctionId> functions;
};

class FunctionMatcher {
 public:
  FunctionMatcher(const std::vector<BuildSet>& builds, Profile& profile)
      : profile_(profile), builds_(CollectNames(builds)), matches_(builds_) {}

  void Run() {
    MatchByName();
    MatchByLooseName();
    MatchByPlace();
    Rename();
  }

 private:
  // Fills names_, and returns the builds that have each of them.
  std::vector<BuildSet> CollectNames(const std::vector<BuildSet>& builds) {
    std::vector<BuildSet> builds_of_names;
    std::map<std::tuple<std::string, Place>, size_t> index;
    std::unordered_map<StringId, FunctionName> known;
    for (uint32_t i = 1; i < builds.size(); ++i) {
      const Function& function = profile_.functions[i];
      if (builds[i].empty() || function.unresolved) continue;
      const auto [it, is_new] = known.try_emplace(function.name);
      if (is_new) it->second = Named(function);
      const Place place = PlaceOf(function);
      const bool splits = !it->second.has_arguments;
      const auto [entry, added] = index.try_emplace(
          {it->second.text, splits ? place : Place{}}, names_.size());
      if (added) {
        names_.push_back(it->second);
        builds_of_names.emplace_back();
      }
      FunctionName& name = names_[entry->second];
      if (place.second != 0) name.places.insert(place);
      name.functions.push_back(FunctionId{i});
      builds_of_names[entry->second] |= builds[i];
    }
    return builds_of_names;
  }

  FunctionName Named(const Function& function) const {
    const std::string_view name = profile_.String(function.name);
    const std::string_view mangled = profile_.String(function.system_name);
    FunctionName named;
    named.text = NormalizeName(name);
    named.matching = MatchingName(name);
    named.has_arguments = TemplateName(named.text) != named.text;
    named.is_rust = MayBeRust(mangled);
    named.has_instances = mangled.starts_with("_R");
    return named;
  }

  Place PlaceOf(const Function& function) const {
    if (function.start_line == 0) return {};
    return {BaseName(profile_.String(function.filename)), function.start_line};
  }

  // Returns the places of those `names` that are in the set with this root.
  std::set<Place> PlacesOf(size_t root, const std::vector<size_t>& names) {
    std::set<Place> places;
    for (const size_t i : names)
      if (matches_.Root(i) == root)
        places.insert(names_[i].places.begin(), names_[i].places.end());
    return places;
  }

  void MatchByName() {
    NameGroups groups;
    for (size_t i = 0; i < names_.size(); ++i)
      groups[names_[i].matching].push_back(i);
    for (const auto& [matching, group] : groups)
      if (matches_.BuildsOfAll(group).size() > 1) MatchGroup(matching, group);
  }

  void MatchGroup(const std::string& matching,
                  const std::vector<size_t>& group) {
    std::vector<size_t> with_arguments, without;
    for (const size_t i : group)
      (names_[i].has_arguments ? with_arguments : without).push_back(i);
    if (with_arguments.size() < 2) {
      // These are not overloads, whatever places they are at.
      std::map<std::string_view, std::vector<size_t>> by_text;
      for (const size_t i : without) by_text[names_[i].text].push_back(i);
      for (const auto& [text, names] : by_text) matches_.UniteAll(names);
      if (by_text.size() < 2) return matches_.UniteAll(group);
    }
    if (matching.contains("{lambda}")) return MatchLambdas(group, without);
    for (const size_t i : without) MatchInlined(i, with_arguments);
    const std::vector<size_t> leftovers = matches_.Leftovers(group);
    if (matches_.UniteIfUnique(leftovers) || MatchByOrder(leftovers, group))
      return;
    std::map<std::set<Place>, std::vector<size_t>> by_place;
    for (const size_t root : leftovers)
      if (auto places = PlacesOf(root, group); places.size() == 1)
        by_place[std::move(places)].push_back(root);
    for (const auto& [place, roots] : by_place) matches_.UniteIfUnique(roots);
  }

  // Compilers number the lambdas of a function, but in different ways, and not
  // all of them say their arguments. Therefore names that are not in all builds
  // cannot be told apart.
  void MatchLambdas(const std::vector<size_t>& group,
                    const std::vector<size_t>& without_arguments) {
    const std::vector<size_t> leftovers = matches_.Leftovers(group);
    if (!without_arguments.empty() && !leftovers.empty())
      matches_.UniteAll(group);
    else if (matches_.BuildsOfAll(leftovers).size() > 1)
      matches_.UniteAll(leftovers);
  }

  // Finds the overload that one of the builds with a name without arguments has
  // at the same place.
  void MatchInlined(size_t name, const std::vector<size_t>& with_arguments) {
    if (names_[name].places.empty()) return;
    const Place place = *names_[name].places.begin();
    std::vector<size_t> fitting;
    for (const size_t i : with_arguments)
      if (names_[i].places.contains(place) &&
          builds_[i].Intersects(builds_[name]))
        fitting.push_back(i);
    if (fitting.size() == 1) matches_.Unite(name, fitting.front());
  }

  // Matches overloads by the order of their definitions in a file, if each
  // build has as many.
  bool MatchByOrder(const std::vector<size_t>& leftovers,
                    const std::vector<size_t>& group) {
    std::map<size_t, std::vector<std::pair<Place, size_t>>> of_builds;
    for (const size_t root : leftovers) {
      const std::set<Place> places = PlacesOf(root, group);
      if (places.empty()) return false;
      for (const size_t build : matches_.BuildsOf(root).Members())
        of_builds[build].emplace_back(*places.begin(), root);
    }
    std::set<std::string_view> files;
    for (auto& [build, places] : of_builds) {
      std::ranges::sort(places);
      for (const auto& [place, root] : places) files.insert(place.first);
      if (places.size() != of_builds.begin()->second.size()) return false;
    }
    if (files.size() > 1) return false;
    // A name that several builds have must have the same rank in each.
    std::map<size_t, size_t> ranks;
    for (const auto& [build, places] : of_builds)
      for (size_t rank = 0; rank < places.size(); ++rank)
        if (ranks.try_emplace(places[rank].second, rank).first->second != rank)
          return false;
    for (const auto& [build, places] : of_builds)
      for (size_t rank = 0; rank < places.size(); ++rank)
        matches_.Unite(of_builds.begin()->second[rank].second,
                       places[rank].second);
    return true;
  }

  void MatchByLooseName() {
    NameGroups groups;
    for (size_t i = 0; i < names_.size(); ++i)
      groups[LooseMatchingName(names_[i].matching)].push_back(i);
    for (const auto& [loose, group] : groups)
      if (!MatchInstances(group))
        matches_.UniteIfUnique(matches_.Leftovers(group));
  }

  // Matches the instances of a Rust function with its only name in the older
  // mangling.
  bool MatchInstances(const std::vector<size_t>& group) {
    bool has_instances = false, lacks_instances = false;
    std::map<size_t, std::set<Place>> places;  // by build
    for (const size_t i : group) {
      if (!names_[i].is_rust) return false;
      (names_[i].has_instances ? has_instances : lacks_instances) = true;
      for (const size_t build : builds_[i].Members())
        places[build].insert(names_[i].places.begin(), names_[i].places.end());
    }
    const auto is_one = [](const auto& of_build) {
      return of_build.second.size() <= 1;
    };
    if (!has_instances || !lacks_instances ||
        !std::ranges::all_of(places, is_one))
      return false;
    matches_.UniteAll(group);
    return true;
  }

  void MatchByPlace() {
    std::map<size_t, std::vector<size_t>> sets;
    for (size_t i = 0; i < names_.size(); ++i)
      sets[matches_.Root(i)].push_back(i);
    std::map<std::pair<Place, std::string>, std::vector<size_t>> groups;
    for (const auto& [root, names] : sets) {
      const std::set<Place> places = PlacesOf(root, names);
      if (places.size() != 1) continue;
      const std::string loose = LooseMatchingName(names_[root].matching);
      auto& group =
          groups[{*places.begin(), std::string(UnqualifiedName(loose))}];
      group.insert(group.end(), names.begin(), names.end());
    }
    for (const auto& [place, group] : groups)
      if (!MatchInstances(group))
        matches_.UniteIfUnique(matches_.Leftovers(group));
  }

  // Gives all functions of each set its common name.
  void Rename() {
    std::map<size_t, std::vector<size_t>> sets;
    std::map<std::string_view, std::set<size_t>> owners;
    for (size_t i = 0; i < names_.size(); ++i) {
      const size_t root = matches_.Root(i);
      sets[root].push_back(i);
      owners[names_[i].text].insert(root);
    }
    std::map<size_t, std::string> common;
    std::map<std::string, size_t> uses;
    for (const auto& [root, names] : sets)
      if (matches_.BuildsOf(root).size() > 1)
        ++uses[common[root] = CommonName(names)];
    for (const auto& [root, name] : common) {
      const auto owner = owners.find(name);
      const bool is_taken = uses[name] > 1 || (owner != owners.end() &&
                                               owner->second != std::set{root});
      SetName(sets[root], is_taken ? FirstName(sets[root]) : name);
    }
  }

  // Returns what a set of names agrees in.
  std::string CommonName(const std::vector<size_t>& names) const {
    std::set<std::string> texts, with_arguments, matching, loose;
    for (const size_t i : names) {
      texts.insert(names_[i].text);
      if (names_[i].has_arguments) with_arguments.insert(names_[i].text);
      matching.insert(names_[i].matching);
    }
    if (texts.size() == 1) return *texts.begin();
    if (matching.size() == 1)
      return with_arguments.size() == 1 ? *with_arguments.begin()
                                        : *matching.begin();
    for (const std::string& name : matching)
      loose.insert(LooseMatchingName(name));
    return *std::ranges::min_element(loose, {}, [](const std::string& name) {
      return std::pair(name.contains('{'), name.size());
    });
  }

  // Returns a name that no other set has.
  std::string FirstName(const std::vector<size_t>& names) const {
    return names_[std::ranges::min(names, {},
                                   [this](size_t i) {
                                     return std::pair(
                                         !names_[i].has_arguments,
                                         std::string_view(names_[i].text));
                                   })]
        .text;
  }

  // Keeps a name that all functions have, as it came from the file.
  void SetName(const std::vector<size_t>& names, std::string_view text) {
    std::vector<FunctionId> functions;
    std::set<StringId> old_names;
    for (const size_t i : names)
      for (const FunctionId id : names_[i].functions) {
        functions.push_back(id);
        old_names.insert(profile_.functions[id.index()].name);
      }
    if (old_names.size() == 1) return;
    const StringId name = profile_.strings.Intern(text);
    for (const FunctionId id : functions)
      profile_.functions[id.index()].name = name;
  }

  Profile& profile_;
  std::vector<FunctionName> names_;
  std::vector<BuildSet> builds_;  // by name
  Matches matches_;
};

}  // namespace

void MatchFunctions(const std::vector<BuildSet>& builds, Profile& profile) {
  FunctionMatcher(builds, profile).Run();
}

}  // namespace heapprof
