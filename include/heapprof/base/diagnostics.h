// SPDX-License-Identifier: Apache-2.0
//
// Messages for the user that do not end the run. The command line prints them
// after the report. There are two sorts:
//
// Warnings are problems, such as malformed lines in a dump or a missing debug
// file. Each kind of warning is counted, but only its first few messages are
// kept. Notes say what the report leaves out, such as rows beyond a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heapprof {

enum class WarningKind : uint8_t {
  kTruncated,         // an input ends too early
  kCutCompression,    // the compressed data of an input end too early
  kForeignLines,      // before a dump
  kOverwritten,       // an input, while it was read
  kMalformedLine,     // of a dump
  kMalformedRecord,   // of a dump
  kMalformedMapLine,  // of a memory map
  kCutMemoryMap,      // of a dump, lacks its end
  kNoMemoryMap,
  kSamplesLeftOut,
  kDamagedProfile,    // a pprof profile refers to what it does not contain
  kImplausibleCount,  // numbers of objects and bytes that do not go together
  kMixedSizes,        // a dump says only mean sizes, which may be too little
  kCutStacks,         // the outermost calls of stacks are missing
  kAssumedPeriod,     // the dump has no sampling period
  kProfileSays,       // a warning that the profile itself contains
  kSeveralDumps,      // of one process are added up
  kDifferentPeriods,  // the sides of a comparison differ in the period
  kDifferentPrograms,
  kDifferentDetail,  // only one side has debug information
  kMissingFolder,    // of an option that says where to look for files
  kPerfMap,          // is unreadable or unusable
  kMalformedPerfMap,
  kUnfitFile,         // a file is not the one that was mapped
  kDoubtfulNames,     // a file may be another build than the one that ran
  kDebugInformation,  // cannot be read
  kIndexCache,        // cannot be used
  kPortableIndex,     // cannot be used
  kAssumedBuild,      // nothing shows that a file is of the build that ran
};

// Returns true if a warning of this kind means that samples are missing or
// wrong, or that no address can be named.
bool IsDamage(WarningKind kind);

class Diagnostics {
 public:
  // How many messages are kept for each kind of warning.
  static constexpr size_t kKeptPerKind = 3;

  struct Warning {
    WarningKind kind = WarningKind::kTruncated;
    size_t count = 0;
    std::vector<std::string> messages = {};  // the first kKeptPerKind
  };

  // Records a warning. `message` is a whole sentence for the user.
  void Warn(WarningKind kind, std::string message);
  // Adds a note unless it is empty or has been added before.
  void Note(std::string message);
  // Adds the warnings and notes of `other`, such as those of a worker thread.
  // Warnings of a kind whose messages are all known are those of a file that
  // was read twice, as if a dump is on both sides of a comparison.
  void Merge(const Diagnostics& other);
  void Merge(const Warning& theirs);

  const std::vector<Warning>& warnings() const { return warnings_; }
  const std::vector<std::string>& notes() const { return notes_; }
  bool empty() const { return warnings_.empty() && notes_.empty(); }
  // Returns how many warnings of `kind` were recorded.
  size_t Count(WarningKind kind) const;

 private:
  Warning& FindOrAdd(WarningKind kind);

  std::vector<Warning> warnings_;  // in order of first appearance
  std::vector<std::string> notes_;
};

}  // namespace heapprof
