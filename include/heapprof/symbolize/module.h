// SPDX-License-Identifier: Apache-2.0
//
// A binary on this machine with what belongs to it: its debug file and its
// symbols. Says where debug files are looked for, and how one proves that it
// belongs to a binary.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "heapprof/symbolize/debuginfod.h"

namespace heapprof {

// One --path-map: where files of another machine are on this one.
struct PathMapping {
  std::string from;
  std::string to;

  // `path` below `to`; nothing if it is not below `from`.
  std::optional<std::string> Apply(std::string_view path) const;
};

// Where debug files are looked for besides next to the binary and in
// /usr/lib/debug.
struct DebugSearch {
  // Debug files that the user named, tried first.
  std::vector<std::string> files = {};
  // Roots of build-id trees and of mirrored paths.
  std::vector<std::string> dirs = {};
  // Files of split debug information (.dwp, .dwo) that the user named.
  std::vector<std::string> split_files = {};
  std::vector<PathMapping> path_map = {};
  // Roots of other file systems, each with its own usr/lib/debug.
  std::vector<std::string> sysroots = {};
  // Folders of the debuginfod client, and the servers to ask, which are not
  // owned; null: no network.
  std::vector<std::string> debuginfod_caches = {};
  BuildIdServers* servers = nullptr;
  // Path of the binary in the process; empty if the same as here.
  std::string mapped_path = {};
};

// A binary, its debug file and its symbols, opened once.
class Module {
 public:
  static Result<std::unique_ptr<Module>> Open(const std::string& path,
                                              const DebugSearch& search);

  const ElfImage& binary() const { return binary_; }
  // The image with the DWARF: the binary or its debug file. Null if none.
  const ElfImage* debug() const;
  // The file that dwz moved entries of debug() to. Null if there is none, or
  // if it is missing. Looked for when first asked for.
  const ElfImage* alternate() const;
  // Where debug() was looked for before it was found, or in vain.
  const std::vector<TriedFile>& debug_tried() const { return debug_tried_; }
  // True if `debug`, which the user named, is a debug file of this binary.
  bool Owns(const ElfImage& debug) const;
  // Read when first asked for.
  const SymbolTable& symbols() const;
  // Where the rest of split debug information may be: packages of the user,
  // those next to the binary and its debug file; .dwo files at the recorded
  // path (mapped, below a sysroot, as it is) and next to the binary.
  SplitSearch split_search() const;
  // What is damaged in the binary, without its path; empty if nothing is.
  const std::string& problem() const { return problem_; }

  // See ElfImage::PlaceCode.
  void PlaceCode(uint64_t file_offset) { binary_.PlaceCode(file_offset); }

 private:
  Module(ElfImage binary, DebugSearch search)
      : search_(std::move(search)), binary_(std::move(binary)) {}

  void FindDebugFile();
  // Takes the file at `path` if it belongs to the binary.
  bool AcceptDebugFile(const std::string& path, bool from_user);
  void AskServers();
  void FindAlternateFile() const;

  DebugSearch search_;
  ElfImage binary_;
  std::optional<ElfImage> debug_file_;
  std::optional<ElfImage> mini_debug_info_;
  std::string problem_;
  std::vector<TriedFile> debug_tried_;
  mutable std::once_flag alternate_once_;
  mutable std::optional<ElfImage> alternate_;
  mutable std::once_flag symbols_once_;
  mutable SymbolTable symbols_;
};

// Where a debug file for `binary` is looked for, best first: the files that
// the user named; by the name in .gnu_debuglink, or else by its own with
// ".debug", in its folder, in ".debug" below it, in the same folder and the one
// it was mapped from below each debug directory, and in `dirs` themselves; the
// build-id trees of each debug directory; the debuginfod client's caches.
std::vector<std::string> DebugFileCandidates(const ElfImage& binary,
                                             const DebugSearch& search);

// Where the alternate file of the debug file at `debug_path` is looked for,
// best first: where the link says, from the real folder of the debug file, or
// mapped, or below a sysroot; by build id, in ".dwz" of each debug directory
// and in it; in the debuginfod client's caches.
std::vector<std::string> AlternateFileCandidates(const AlternateLink& link,
                                                 const std::string& debug_path,
                                                 const DebugSearch& search);

}  // namespace heapprof
