// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/earlier_maps.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "cli/inputs/profile_loader.h"
#include "cli/inputs/series.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/parse/mapping_assigner.h"
#include "heapprof/profile/process_address.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/profile/unloaded_libraries.h"

namespace heapprof {
namespace {

// Returns a profile that has only the memory map of the dump at `path`, or not
// even that. A pipe is not read: it would be empty when its turn comes.
Profile ReadMap(const std::string& path) {
  ProfileBuilder builder;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return std::move(builder).Finish();
  Diagnostics ignored;
  if (const auto map = LoadMaps(path, ignored)) AssignMappings(*map, builder);
  return std::move(builder).Finish();
}

bool AreOfOneProcess(const Profile& a, const Profile& b) {
  const uint64_t address = RandomAddress(a);
  return address != 0 && address == RandomAddress(b) &&
         a.String(a.main_binary) == b.String(b.main_binary);
}

}  // namespace

struct EarlierMaps::Dump {
  std::string path;
  std::once_flag is_read = {};
  Profile map = {};
};

EarlierMaps::EarlierMaps(const std::vector<std::string>& dumps) {
  for (const FileSeries& series : FindSeries(dumps)) {
    Series& all = all_.emplace_back();
    for (const size_t i : series.files) {
      places_[dumps[i]] = {.series = all_.size() - 1, .index = all.size()};
      all.push_back(std::make_unique<Dump>(dumps[i]));
    }
  }
}

EarlierMaps::EarlierMaps(EarlierMaps&& other) noexcept = default;
EarlierMaps::~EarlierMaps() = default;

void EarlierMaps::Restore(const std::string& path, Profile& dump) const {
  const auto place = places_.find(path);
  const auto has_mapping = [](const Location& location) {
    return !location.mapping.IsNone();
  };
  if (place == places_.end() || !dump.has_memory_map ||
      std::all_of(dump.locations.begin() + 1, dump.locations.end(),
                  has_mapping))
    return;
  UnloadedLibraries libraries;
  const Series& series = all_[place->second.series];
  for (size_t i = 0; i < place->second.index; ++i) {
    Dump& earlier = *series[i];
    std::call_once(earlier.is_read,
                   [&] { earlier.map = ReadMap(earlier.path); });
    if (AreOfOneProcess(earlier.map, dump)) libraries.Learn(earlier.map);
  }
  libraries.Restore(dump);
}

}  // namespace heapprof
