// SPDX-License-Identifier: Apache-2.0
//
// Reads the settings of jemalloc's profiler, as in MALLOC_CONF:
// "prof:true,lg_prof_sample:19,prof_prefix:/tmp/app".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heapprof {

struct ProfilerSettings {
  std::optional<bool> is_on;            // prof
  std::optional<bool> is_active;        // prof_active
  std::optional<bool> samples_threads;  // prof_thread_active_init
  std::optional<bool> names_threads;
  std::optional<bool> dumps_at_exit;  // prof_final
  std::optional<uint64_t> lg_sample;
  std::optional<std::string> prefix;
  bool dumps_by_itself = false;  // lg_prof_interval or prof_gdump
  // A setting that jemalloc does not understand; or empty.
  std::string malformed;

  // Applies the settings in `text`: the last one of a name counts.
  void Apply(std::string_view text);

  // With the defaults of jemalloc.
  bool IsOn() const { return is_on.value_or(false); }
  bool IsActive() const { return IsOn() && is_active.value_or(true); }
  uint64_t SamplingPeriod() const;  // bytes; 0 if it makes no sense
};

}  // namespace heapprof
