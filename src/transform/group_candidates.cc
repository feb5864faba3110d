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
#include "heapprof/base/unqualified_name.h"
#include "heapprof/demangle/names.h"
#include "heapprof/profile/runtime_library.h"
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

// Returns the first `depth` scopes of a function or, for a method of Rust such
// as "<app::Row as core::clone::Clone>::clone", of its type.
std::string_view InnerScopesOf(std::string_view short_name, size_t depth) {
  if (short_name.starts_with('<')) short_name.remove_prefix(1);
  return ScopesOf(short_name, depth);
}

// Returns the last two folders of a path, "src/cache"; only the last one if the
// other may have a version in its name.
std::string_view LastFolders(std::string_view path) {
  const size_t end = path.rfind('/');
  if (end == path.npos || end == 0) return {};
  const std::string_view folders = path.substr(0, end);
  const size_t last = folders.rfind('/');
  if (last == folders.npos || last == 0) return folders;
  const size_t before = folders.rfind('/', last - 1);
  const size_t start = before == folders.npos ? 0 : before + 1;
  const bool has_version =
      folders.substr(start, last - start).find_first_of("0123456789") !=
      std::string_view::npos;
  return folders.substr(has_version ? last + 1 : start);
}

// Something to which stacks are charged: a function or, if no call of a stack
// says what the memory is for, a binary.
struct Holder {
  const Function* function = nullptr;
  std::string_view module;  // path of the binary
  std::string name;         // short
  double value = 0;
  Key key = {};
};

class CandidateFinder {
 public:
  CandidateFinder(const Profile& profile, Metric metric) : profile_(profile) {
    const std::vector<bool> is_telling = TellingLines();
    std::map<std::pair<FunctionId, MappingId>, Holder> holders;
    for (const Sample& sample : profile.samples) {
      const double value = std::abs(sample.values[metric].value);
      total_ += value;
      if (const auto call = TellingCall(sample.stack, is_telling))
        holders[*call].value += value;
    }
    for (auto& [call, holder] : holders) {
      const auto& [function, mapping] = call;
      holder.module =
          profile.String(profile.mappings[mapping.index()].filename);
      if (!function.IsNone()) {
        holder.function = &profile.functions[function.index()];
        holder.name = ShortName(profile.String(holder.function->name));
        const std::string_view scope = ScopesOf(holder.name, 1);
        if (ScopesOf(holder.name, 2) != scope)
          namespaces_.insert(std::string(scope));
        scope_values_[std::string(scope)] += holder.value;
      }
      holders_.push_back(std::move(holder));
    }
  }

  std::vector<GroupCandidate> Find(size_t most) {
    for (Holder& holder : holders_) holder.key = KeyOf(holder);
    constexpr size_t kDeepest = 4;
    for (size_t depth = 2; depth <= kDeepest; ++depth) DivideLargest(depth);
    constexpr double kSmallest = 0.005;
    std::vector<GroupCandidate> found;
    for (auto& [key, candidate] : Candidates())
      if (candidate.value >= kSmallest * total_)
        found.push_back(std::move(candidate));
    LeaveOutBinariesOfOthers(found);
    std::ranges::stable_sort(
        found, [](const auto& a, const auto& b) { return a.value > b.value; });
    found.resize(std::min(found.size(), most));
    return found;
  }

 private:
  using Call = std::pair<FunctionId, MappingId>;

  // Without those of Rust's standard crates: the crate that uses them says
  // more.
  std::vector<bool> TellingLines() const {
    std::vector<bool> is_telling = OwnCode(profile_).TellingLines(profile_);
    for (uint32_t line = 0; line < is_telling.size(); ++line)
      if (is_telling[line]) {
        const Function& function =
            profile_.functions[profile_.lines[line].function.index()];
        is_telling[line] =
            !IsRustFunction(profile_, function) || !CrateOf(function).empty();
      }
    return is_telling;
  }

  // Returns the crate of a Rust function; empty if it is a standard one.
  std::string_view CrateOf(const Function& function) const {
    const auto [type, trait] = CratesOf(profile_.String(function.name));
    const bool is_of_trait = type.empty() || IsStandardCrate(type);
    const std::string_view crate = is_of_trait ? trait : type;
    return IsStandardCrate(crate) ? std::string_view() : crate;
  }

  std::optional<Call> TellingCall(StackId stack,
                                  const std::vector<bool>& is_telling) const {
    MappingId nameless;
    for (const LocationId frame : profile_.StackFrames(stack)) {
      const Location& location = profile_.locations[frame.index()];
      for (uint32_t i = 0; i < location.lines.count; ++i)
        if (const uint32_t line = location.lines.first + i; is_telling[line])
          return Call(profile_.lines[line].function, location.mapping);
      const std::string_view path =
          profile_.String(profile_.mappings[location.mapping.index()].filename);
      if (nameless.IsNone() && !path.empty() && !IsRuntimeLibrary(path))
        nameless = location.mapping;
    }
    if (nameless.IsNone()) return std::nullopt;
    return Call(FunctionId(), nameless);
  }

  // The group of a binary would also get what its other groups hold, because
  // standard libraries are compiled into it: their calls are nearest the leaf.
  void LeaveOutBinariesOfOthers(std::vector<GroupCandidate>& found) const {
    std::set<std::string_view> binaries_of_others;
    for (const Holder& holder : holders_)
      if (std::ranges::any_of(found, [&](const GroupCandidate& candidate) {
            return candidate.kind != Kind::kModule &&
                   Key(candidate.kind, candidate.text) == holder.key;
          }))
        binaries_of_others.insert(LibraryName(holder.module));
    std::erase_if(found, [&](const GroupCandidate& candidate) {
      return candidate.kind == Kind::kModule &&
             binaries_of_others.contains(candidate.text);
    });
  }

  Key KeyOf(const Holder& holder) const {
    Key module = {Kind::kModule, std::string(LibraryName(holder.module))};
    if (holder.function == nullptr) return module;
    if (IsRustFunction(profile_, *holder.function))
      return {Kind::kCrate, std::string(CrateOf(*holder.function))};
    const std::string scope(ScopesOf(holder.name, 1));
    const std::string_view folder =
        LastFolders(profile_.String(holder.function->filename));
    // A program without namespaces has too many classes.
    if (!scope.empty() && (folder.empty() || namespaces_.contains(scope) ||
                           IsLarge(scope_values_.at(scope))))
      return {Kind::kScope, scope};
    return folder.empty() ? module : Key(Kind::kFolder, folder);
  }

  bool IsLarge(double value) const {
    constexpr double kLarge = 0.05;
    return value >= kLarge * total_;
  }

  // Divides the namespace or crate with most of the memory into those that are
  // `depth` levels deep. Small ones stay in it.
  void DivideLargest(size_t depth) {
    std::map<Key, double> values;
    for (const Holder& holder : holders_) values[holder.key] += holder.value;
    const auto largest = std::ranges::find_if(values, [this](const auto& item) {
      const Kind kind = item.first.first;
      return (kind == Kind::kScope || kind == Kind::kCrate) &&
             item.second > total_ / 2;
    });
    if (largest == values.end()) return;
    std::map<std::string_view, double> inner;
    for (const Holder& holder : holders_)
      if (holder.key == largest->first)
        inner[InnerScopesOf(holder.name, depth)] += holder.value;
    for (Holder& holder : holders_)
      if (const std::string_view scopes = InnerScopesOf(holder.name, depth);
          holder.key == largest->first &&
          IsInScope(scopes, largest->first.second) && IsLarge(inner[scopes]))
        holder.key.second = scopes;
  }

  std::map<Key, GroupCandidate> Candidates() const {
    std::map<Key, GroupCandidate> candidates;
    std::map<Key, double> largest;
    for (const Holder& holder : holders_) {
      GroupCandidate& candidate = candidates[holder.key];
      candidate.kind = holder.key.first;
      candidate.text = holder.key.second;
      candidate.value += holder.value;
      if (holder.value < largest[holder.key]) continue;
      largest[holder.key] = holder.value;
      candidate.function = holder.name;
      candidate.module = holder.module;
    }
    return candidates;
  }

  const Profile& profile_;
  std::vector<Holder> holders_;
  double total_ = 0;
  std::set<std::string> namespaces_;  // outermost scopes with scopes in them
  std::map<std::string, double> scope_values_;  // of all outermost scopes
};

}  // namespace

std::vector<GroupCandidate> FindGroupCandidates(const Profile& profile,
                                                Metric metric, size_t most) {
  return CandidateFinder(profile, metric).Find(most);
}

}  // namespace heapprof
