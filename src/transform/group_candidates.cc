// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/group_candidates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "heapprof/base/base_name.h"
#include "heapprof/demangle/names.h"
#include "heapprof/transform/own_code.h"
#include "transform/rust_names.h"

namespace heapprof {
namespace {

using Kind = GroupCandidate::Kind;
using Key = std::pair<Kind, std::string>;

// Returns the first `depth` scopes of a name: "app::cache" for
// "app::cache::Table::Grow" and 2. Returns fewer if the rest has no "::", since
// the last part is the function; and none of an unnamed namespace.
std::string_view ScopesOf(std::string_view short_name, size_t depth) {
  size_t end = 0;
  for (size_t i = 0; i < depth; ++i) {
    const size_t start = end == 0 ? 0 : end + 2;
    const size_t next = short_name.find("::", start);
    if (next == short_name.npos || next == start ||
        short_name.substr(start, next - start).find_first_of("( <{'") !=
            std::string_view::npos)
      break;
    end = next;
  }
  return short_name.substr(0, end);
}

// Returns the last two folders of a path: "src/cache".
std::string_view FolderOf(std::string_view path) {
  const size_t end = path.rfind('/');
  if (end == path.npos || end == 0) return {};
  const std::string_view folders = path.substr(0, end);
  const size_t last = folders.rfind('/');
  if (last == folders.npos || last == 0) return folders;
  const size_t before = folders.rfind('/', last - 1);
  return before == folders.npos ? folders : folders.substr(before + 1);
}

// A function to which stacks are charged.
struct Holder {
  const Function* function = nullptr;
  std::string_view module;  // path of its binary
  std::string name;         // short
  double value = 0;
};

class Finder {
 public:
  Finder(const Profile& profile, Metric metric) : profile_(profile) {
    const std::vector<bool> is_telling = OwnCode(profile).TellingLines(profile);
    std::map<FunctionId, Holder> holders;
    for (const Sample& sample : profile.samples) {
      const double value = std::abs(sample.values[metric].value);
      total_ += value;
      if (const auto call = TellingCall(sample.stack, is_telling)) {
        Holder& holder = holders[call->second];
        holder.value += value;
        holder.module = ModuleOf(call->first);
      }
    }
    for (auto& [id, holder] : holders) {
      holder.function = &profile.functions[id.index()];
      holder.name = ShortName(profile.String(holder.function->name));
      holders_.push_back(std::move(holder));
    }
    for (const Holder& holder : holders_)
      if (const auto outermost = ScopesOf(holder.name, 1);
          ScopesOf(holder.name, 2) != outermost)
        namespaces_.insert(outermost);
  }

  std::vector<GroupCandidate> Find(size_t most) {
    for (const Holder& holder : holders_) Add(KeyOf(holder, 1), holder);
    DivideLargest();
    constexpr double kSmallest = 0.005;
    std::vector<GroupCandidate> found;
    for (const auto& [key, candidate] : candidates_)
      if (candidate.value >= kSmallest * total_) found.push_back(candidate);
    std::ranges::stable_sort(
        found, [](const auto& a, const auto& b) { return a.value > b.value; });
    found.resize(std::min(found.size(), most));
    return found;
  }

 private:
  using Call = std::pair<LocationId, FunctionId>;

  std::optional<Call> TellingCall(StackId stack,
                                  const std::vector<bool>& is_telling) const {
    for (const LocationId frame : profile_.StackFrames(stack)) {
      const Run lines = profile_.locations[frame.index()].lines;
      for (uint32_t i = lines.first; i < lines.first + lines.count; ++i)
        if (is_telling[i]) return Call(frame, profile_.lines[i].function);
    }
    return std::nullopt;
  }

  std::string_view ModuleOf(LocationId id) const {
    const Location& location = profile_.locations[id.index()];
    return profile_.String(
        profile_.mappings[location.mapping.index()].filename);
  }

  // Returns to what a function is charged, if namespaces are divided into those
  // `depth` levels deep.
  Key KeyOf(const Holder& holder, size_t depth) const {
    if (IsRustFunction(profile_, *holder.function)) {
      const auto [type, trait] =
          CratesOf(profile_.String(holder.function->name));
      const bool is_of_trait = type.empty() || IsStandardCrate(type);
      const std::string_view crate = is_of_trait ? trait : type;
      if (!crate.empty() && !IsStandardCrate(crate))
        return {Kind::kCrate, std::string(crate)};
    } else {
      const std::string_view folder =
          FolderOf(profile_.String(holder.function->filename));
      const std::string_view scopes = ScopesOf(holder.name, depth);
      // Without namespaces, a program has too many classes.
      if (folder.empty() ? !scopes.empty()
                         : namespaces_.contains(ScopesOf(holder.name, 1)))
        return {Kind::kScope, std::string(scopes)};
      if (!folder.empty()) return {Kind::kFolder, std::string(folder)};
    }
    return {Kind::kModule, std::string(BaseName(holder.module))};
  }

  void Add(const Key& key, const Holder& holder) {
    if (key.second.empty()) return;
    GroupCandidate& candidate = candidates_[key];
    candidate.kind = key.first;
    candidate.text = key.second;
    candidate.value += holder.value;
    double& largest = largest_[key];
    if (candidate.function.empty() || holder.value > largest) {
      candidate.function = holder.name;
      largest = holder.value;
    }
  }

  void DivideLargest() {
    constexpr size_t kDeepest = 4;
    for (size_t depth = 2; depth <= kDeepest; ++depth) {
      const auto large =
          std::ranges::find_if(candidates_, [this](const auto& item) {
            return item.first.first == Kind::kScope &&
                   item.second.value > total_ / 2;
          });
      if (large == candidates_.end()) return;
      const Key key = large->first;
      candidates_.erase(large);
      largest_.erase(key);
      for (const Holder& holder : holders_)
        if (KeyOf(holder, depth - 1) == key) Add(KeyOf(holder, depth), holder);
    }
  }

  const Profile& profile_;
  std::vector<Holder> holders_;
  // The outermost scopes that have scopes inside them.
  std::set<std::string_view> namespaces_;
  double total_ = 0;
  std::map<Key, GroupCandidate> candidates_;
  std::map<Key, double> largest_;  // the value of GroupCandidate::function
};

}  // namespace

std::vector<GroupCandidate> FindGroupCandidates(const Profile& profile,
                                                Metric metric, size_t most) {
  return Finder(profile, metric).Find(most);
}

}  // namespace heapprof
