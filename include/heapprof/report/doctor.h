// SPDX-License-Identifier: Apache-2.0
//
// The outputs of `heapprof doctor`. The one for people:
//
//   process 4711
//     ok       jemalloc     /usr/lib/libjemalloc.so.2: jemalloc 5.3.0, ...
//     missing  profiling    off, and it cannot be switched on: start it again
//                           heapprof record /srv/server
//   not ready: profiling
#pragma once

#include <cstddef>
#include <string>

#include "heapprof/doctor/diagnosis.h"

namespace heapprof {

inline constexpr int kDoctorSchemaVersion = 1;

// `width` is that of the terminal; 0: sentences are wrapped at 80 characters.
// Commands are never wrapped, so that they can be copied.
std::string WriteDoctorText(const Diagnosis& diagnosis, size_t width);
// The schema is in proto/heapprof.schema.json.
std::string WriteDoctorJson(const Diagnosis& diagnosis);

}  // namespace heapprof
