// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the tests of parsers: parse a text as the command line does, and
// inspect the result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/base/diagnostics.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/profile/profile.h"
#include "support/check_valid.h"

namespace heapprof {

struct Parsed {
  Profile profile;
  std::vector<std::string> warnings;  // all kept messages
  std::vector<std::string> notes = {};
};

inline std::vector<std::string> AllMessages(const Diagnostics& diagnostics) {
  std::vector<std::string> messages;
  for (const Diagnostics::Warning& warning : diagnostics.warnings())
    messages.insert(messages.end(), warning.messages.begin(),
                    warning.messages.end());
  return messages;
}

// Parses a readable profile from a file "a.heap".
inline Parsed ParseText(std::string_view text,
                        const ParseOptions& options = {}) {
  Diagnostics diagnostics;
  Result<Profile> profile = ParseProfile(text, "a.heap", diagnostics, options);
  if (!profile) {
    ADD_FAILURE() << profile.error().message;
    return {};
  }
  EXPECT_EQ(CheckValid(*profile), "");
  return {std::move(*profile), AllMessages(diagnostics), diagnostics.notes()};
}

inline std::string ErrorOf(std::string_view text) {
  Diagnostics diagnostics;
  const Result<Profile> profile = ParseProfile(text, "a.heap", diagnostics);
  return profile ? "no error" : profile.error().message;
}

inline std::vector<uint64_t> Addresses(const Profile& profile, StackId stack) {
  std::vector<uint64_t> addresses;
  for (LocationId frame : profile.StackFrames(stack))
    addresses.push_back(profile.locations[frame.index()].address);
  return addresses;
}

// The addresses of every sample's stack, in order.
inline std::vector<std::vector<uint64_t>> SampleStacks(const Profile& profile) {
  std::vector<std::vector<uint64_t>> stacks;
  for (const Sample& sample : profile.samples)
    stacks.push_back(Addresses(profile, sample.stack));
  return stacks;
}

inline double Value(const Sample& sample, Metric metric) {
  return sample.values[metric].value;
}

}  // namespace heapprof
