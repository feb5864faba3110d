// SPDX-License-Identifier: Apache-2.0
//
// Reads any supported profile. The format is recognised by content.
//
// While a dump is read, each line's counts of sampled objects and bytes are
// scaled to estimates of all objects and bytes ("unbiased"). That cannot be
// done later, because the scale depends on the mean object size of the line,
// which is lost when stacks are merged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/parse/parse_options.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// The first bytes of an input, by which its format is recognised.
class InputHead;
struct ParseInput;

using FormatRecogniser = bool(const InputHead& head);
using ProfileParser = Result<Profile>(const ParseInput& input,
                                      Diagnostics& diagnostics);

// How the command line uses an input.
enum class InputKind : uint8_t {
  kDump,     // a profile that its first bytes identify beyond doubt
  kProfile,  // any other profile
  kLog,      // a profile without a memory map; it can use that of a dump
  kBinary,   // a program, a library or a debug file
  kOther,    // not usable
};

// One row of the table of input formats in src/parse/parse_profile.cc.
struct InputFormat {
  std::string_view name;  // short and unique
  InputKind kind;
  std::string_view description;  // for messages: "a gperftools CPU profile"
  // The programs that write this format: "jemalloc 4.0 or later". Empty if
  // unknown.
  std::string_view producers;
  FormatRecogniser* recognise;
  ProfileParser* parse = nullptr;  // null: not a profile

  constexpr bool IsProfile() const { return parse != nullptr; }
};

// Returns the row of the first format that accepts `bytes`; the last one
// accepts any.
const InputFormat& DetectFormat(std::string_view bytes);

// Fails if `head`, the first inflated bytes of a compressed file, cannot be the
// start of a profile. The message names the `compression`, such as "gzip".
Result<void> CheckPackedHead(std::string_view head,
                             std::string_view compression);

// Reads a profile. `name` is the input's name in messages. If the input is
// damaged but something can be analysed, the damage is noted in `diagnostics`;
// otherwise the result is an error.
Result<Profile> ParseProfile(std::string_view bytes, const std::string& name,
                             Diagnostics& diagnostics,
                             const ParseOptions& options = {});

// Reads a memory map. `bytes` are a dump or a copy of /proc/PID/maps.
Result<MemoryMap> ParseMaps(std::string_view bytes, const std::string& name,
                            Diagnostics& diagnostics);

}  // namespace heapprof
