// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/foreign_scope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/transform/own_code.h"
#include "transform/code_origin.h"

namespace heapprof {
namespace {

// Returns "rocksdb" for "rocksdb::Arena::Grow"; empty if there is no namespace.
std::string_view OutermostScope(std::string_view name) {
  const size_t end = name.find_first_of(":<( ");
  return end != name.npos && name.substr(end).starts_with("::")
             ? name.substr(0, end)
             : std::string_view();
}

bool IsLibraryFolder(std::string_view path, std::string_view scope) {
  constexpr std::array<std::string_view, 3> kSubfolders = {"include", "src",
                                                           "lib"};
  return std::ranges::any_of(kSubfolders, [&](std::string_view subfolder) {
    return path.contains(fmt::format("/{}/{}/", scope, subfolder));
  });
}

}  // namespace

std::optional<ForeignScope> FindForeignScope(const Profile& profile,
                                             const OwnCode& own,
                                             Metric metric) {
  constexpr double kHalf = 50;
  const std::string_view main_file = SourceOfMain(profile);
  if (main_file.empty()) return std::nullopt;
  std::map<std::string_view, double> sizes;  // by scope
  double all = 0;
  for (const Sample& sample : profile.samples) {
    const double size = std::abs(sample.values[metric].value);
    all += size;
    const auto call = own.FirstOwn(profile, profile.StackFrames(sample.stack));
    if (!call) continue;
    const FunctionId function = profile.lines[call->line].function;
    sizes[OutermostScope(
        profile.String(profile.functions[function.index()].name))] += size;
  }
  for (const auto& [scope, size] : sizes) {
    const double percent = 100 * size / all;
    if (scope.empty() || percent <= kHalf ||
        main_file.contains(fmt::format("/{}/", scope)))
      continue;
    const bool has_folder =
        std::ranges::any_of(profile.functions, [&](const Function& function) {
          return IsLibraryFolder(profile.String(function.filename), scope);
        });
    if (has_folder) return ForeignScope{std::string(scope), percent};
  }
  return std::nullopt;
}

}  // namespace heapprof
