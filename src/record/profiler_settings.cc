// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/profiler_settings.h"

#include <algorithm>

#include "heapprof/base/parse_number.h"

namespace heapprof {
namespace {

constexpr uint64_t kDefaultLgSample = 19;

std::optional<bool> ToBool(std::string_view value) {
  if (value == "true") return true;
  if (value == "false") return false;
  return std::nullopt;
}

// These functions return false, and keep what was set before, if jemalloc would
// not understand the value.
bool Set(std::string_view value, std::optional<bool>& setting) {
  const auto read = ToBool(value);
  if (read) setting = read;
  return read.has_value();
}

bool SetNumber(std::string_view value, std::optional<uint64_t>& setting) {
  const auto number = ParseNumber<uint64_t>(value);
  if (number) setting = number;
  return number.has_value();
}

bool ApplyOne(std::string_view name, std::string_view value,
              ProfilerSettings& settings) {
  if (name == "prof") return Set(value, settings.is_on);
  if (name == "prof_active") return Set(value, settings.is_active);
  if (name == "prof_thread_active_init")
    return Set(value, settings.samples_threads);
  if (name == "prof_final") return Set(value, settings.dumps_at_exit);
  if (name == "prof_sys_thread_name") return Set(value, settings.names_threads);
  if (name == "lg_prof_sample") return SetNumber(value, settings.lg_sample);
  if (name == "prof_prefix") settings.prefix = value;
  if ((name == "prof_gdump" && value == "true") ||
      (name == "lg_prof_interval" && !value.starts_with('-')))
    settings.dumps_by_itself = true;
  return true;
}

}  // namespace

void ProfilerSettings::Apply(std::string_view text) {
  constexpr std::string_view kNameCharacters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  while (!text.empty()) {
    const size_t colon = text.find_first_not_of(kNameCharacters);
    if (colon == text.npos || text[colon] != ':') {
      malformed = text;
      return;
    }
    const size_t end = std::min(text.find(',', colon), text.size());
    if (!ApplyOne(text.substr(0, colon),
                  text.substr(colon + 1, end - colon - 1), *this))
      malformed = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

uint64_t ProfilerSettings::SamplingPeriod() const {
  constexpr uint64_t kMost = 63;
  const uint64_t lg = lg_sample.value_or(kDefaultLgSample);
  return lg > kMost ? 0 : uint64_t{1} << lg;
}

}  // namespace heapprof
