// SPDX-License-Identifier: Apache-2.0
//
// The interface of the engines that turn file addresses into source frames,
// including those of inlined subroutines. The engines are our own DWARF reader,
// libdw and the symbol table. A file address is a virtual address in the ELF
// file, without a load bias. An engine gets all addresses of an ELF file in one
// call, so that it needs to read each compilation unit only once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/text_store.h"
#include "heapprof/base/tried_file.h"
#include "heapprof/dwarf/code_map.h"

namespace heapprof {

// A function as the debug information or a symbol table describes it. It is
// stored once per ResolvedAddresses, even if it is inlined or cloned in many
// places. Its names point into ResolvedAddresses::texts.
struct SourceFunction {
  // Mangled name ("_ZN2ns1fEi", or "main" in C), without the suffixes of clones
  // (such as ".cold" or ".part.0"); empty if the file has none.
  std::string_view linkage_name;
  // The name to show: the demangled linkage name or, without a linkage name,
  // the readable form of the scoped name. Set only if an index (a cache file
  // that is made from a CodeMap) supplied it; else empty.
  std::string_view demangled_name = {};
  // Name qualified by its scopes ("ns::(anonymous namespace)::f"), for
  // functions without a linkage name; empty otherwise. Spelled as in the debug
  // information. If the first scope is a function, this may be its linkage name
  // ("_ZN2ns1gEi::{lambda}::operator()").
  std::string_view scoped_name;
  // The place of the declaration; file 0 (the path "") and line 0 if it is not
  // recorded.
  uint32_t file = 0;  // index into ResolvedAddresses::files
  uint32_t start_line = 0;
  // The lowest start address of an out-of-line copy, as a file address; 0 if
  // only inlined copies were found.
  uint64_t start_address = 0;
};

// One frame at an address: the function or inlined subroutine, and the source
// position in it.
struct SourceFrame {
  uint32_t function = 0;  // index into ResolvedAddresses::functions
  uint32_t file = 0;      // index into ResolvedAddresses::files; 0 is ""
  uint32_t line = 0;      // 0 = not recorded
  uint32_t column = 0;    // 0 = not recorded
};

// Returns the lower of two start addresses. A start address of 0 means that
// there is none.
constexpr uint64_t LowerStart(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return a | b;
  return a < b ? a : b;
}

// The frames of one address: `count` elements of ResolvedAddresses::frames from
// index `first` on.
struct FrameRun {
  uint32_t first = 0;
  uint32_t count = 0;  // 0 = this engine knows nothing about the address
};

struct ResolvedAddresses {
  std::vector<SourceFunction> functions;
  std::vector<std::string> files = {""};
  // The frames of all addresses. Among the frames of one address, the innermost
  // inlined subroutine is first and the out-of-line function is last.
  std::vector<SourceFrame> frames;
  std::vector<FrameRun> runs;  // runs[i] is for the i-th address
  TextStore texts;
  // If not 0, addresses with more frames have only this many: the innermost
  // ones and the last; see frame_limit.h.
  uint32_t most_frames = 0;
};

// Which files with split debug information (.dwo, .dwp) were used.
struct SplitFileUse {
  std::vector<std::string> used;  // sorted
  // The files that were tried for the first unit whose split file was not
  // found; empty if all were found.
  std::vector<TriedFile> tried;
};

class AddressResolver {
 public:
  virtual ~AddressResolver() = default;

  // Finds the frames of `addresses`, which are the file addresses of call
  // sites, sorted and unique. If some debug information is damaged, problems()
  // says so afterwards.
  virtual ResolvedAddresses Resolve(std::span<const uint64_t> addresses) = 0;

  // Returns a map with the answers that Resolve() would give for every address
  // of the file. Returns nothing if this engine cannot make maps, or cannot
  // read all debug information. The number of threads, `jobs`, does not change
  // the map. The map must not outlive the engine.
  virtual std::optional<CodeMap> MapCode(unsigned /*jobs*/) {
    return std::nullopt;
  }

  // Says what could not be read for the addresses of the last Resolve(), in one
  // sentence per problem.
  virtual std::vector<std::string> problems() const = 0;
  // True if problems() would be complete after another Resolve(), too. False if
  // the engine reports damage only when it first meets it.
  virtual bool IsReusable() const { return true; }

  // Returns the split files that were used for the addresses of the last
  // Resolve() or NoteSplitFiles().
  virtual SplitFileUse split_files() const { return {}; }

  // Opens all files with split debug information and returns a text that
  // identifies them: the file that holds each unit, and the size and times of
  // each file. As long as the text is the same, the answers are the same. The
  // text is empty if no unit is split. Returns nothing if the file of a unit is
  // missing.
  virtual std::optional<std::string> IdentifySplitFiles() { return ""; }
  // Sets split_files() and problems() as Resolve() would for `addresses`. Call
  // this instead of Resolve() for addresses whose answers come from an index,
  // so that runs with and without an index report the same.
  virtual void NoteSplitFiles(std::span<const uint64_t> /*addresses*/) {}
};

}  // namespace heapprof
