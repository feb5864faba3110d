// SPDX-License-Identifier: Apache-2.0
//
// A file for https://www.speedscope.app, in its own JSON format, which unlike
// its import of pprof profiles keeps inlined frames:
//
//   {
//   "$schema": "https://www.speedscope.app/file-format-schema.json",
//   "exporter": "heapprof 1.0",
//   "name": "server.heap",
//   "activeProfileIndex": 0,
//   "shared": {"frames": [
//   {"name": "main", "file": "server.cc", "line": 12},
//   {"name": "ns::f(int)"}]},
//   "profiles": [
//   {"type": "sampled", "name": "inuse_space", "unit": "bytes",
//   "startValue": 0, "endValue": 4096,
//   "samples": [
//   [0,1]],
//   "weights": [
//   4096]}]
//   }
#pragma once

#include <string>

#include "heapprof/base/byte_sink.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/weighted_stacks.h"

namespace heapprof {

struct SpeedscopeOptions {
  std::string exporter = {};  // "heapprof 1.0"
  std::string name = {};      // of the dump
  // The metric that is shown first.
  Metric metric = Metric::kInuseSpace;
};

// Writes a profile for each series. In a difference, its name says whether it
// shows what grew or what shrank. `profile` is the one from which `stacks` was
// made. The text is pure ASCII.
void WriteSpeedscope(const Profile& profile, const WeightedStacks& stacks,
                     const SpeedscopeOptions& options, ByteSink& out);

}  // namespace heapprof
