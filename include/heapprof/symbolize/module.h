// SPDX-License-Identifier: Apache-2.0
//
// A binary on this machine with its debug file and its symbols. Defines where
// debug files are searched and how one is proved to belong to a binary.
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

  // `path` with `from` replaced by `to`; nothing if it is not below `from`.
  std::optional<std::string> Apply(std::string_view path) const;
};

// Where debug files are searched, in addition to the binary's folder and
// /usr/lib/debug.
struct DebugSearch {
  // Debug files that the user gave; they are tried first.
  std::vector<std::string> files = {};
  // Roots of build-id trees and of mirrored paths.
  std::vector<std::string> dirs = {};
  // Files with split debug information (.dwp, .dwo) that the user gave.
  std::vector<std::string> split_files = {};
  std::vector<PathMapping> path_map = {};
  // Roots of other file systems, each with its own usr/lib/debug.
  std::vector<std::string> sysroots = {};
  // Folders of the debuginfod client, and the servers to ask, which are not
  // owned; null: do not use the network.
  std::vector<std::string> debuginfod_caches = {};
  BuildIdServers* servers = nullptr;
  // The binary's path in the process; empty if it is the same here.
  std::string mapped_path = {};
};

// A binary, its debug file and its symbols, opened once.
class Module {
 public:
  static Result<std::unique_ptr<Module>> Open(const std::string& path,
                                              const DebugSearch& search);

  const ElfImage& binary() const { return binary_; }
  // The image with the DWARF: the binary or its debug file; null if there is
  // none.
  const ElfImage* debug() const;
  // The file to which dwz moved DIEs of debug(); null if there is none or if it
  // is missing. Searched on first use.
  const ElfImage* alternate() const;
  // The places that were searched without success for debug().
  const std::vector<TriedFile>& debug_tried() const { return debug_tried_; }
  // True if `debug`, which the user gave, is a debug file of this binary.
  bool Owns(const ElfImage& debug) const;
  // Read on first use.
  const SymbolTable& symbols() const;
  // Where split debug information may be: in packages that the user gave and
  // those next to the binary and its debug file; in .dwo files at the recorded
  // path (mapped, below a sysroot, unchanged), next to the binary, and in
  // `dirs`.
  SplitSearch split_search() const;
  // What is damaged in the binary, without its path; empty if nothing is.
  const std::string& problem() const { return problem_; }

  // See ElfImage::PlaceCode.
  void PlaceCode(uint64_t file_offset) { binary_.PlaceCode(file_offset); }

 private:
  Module(ElfImage binary, DebugSearch search)
      : search_(std::move(search)), binary_(std::move(binary)) {}

  void FindDebugFile();
  // Uses the file at `path` if it belongs to the binary.
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

// The paths at which a debug file for `binary` is searched, best first: the
// files that the user gave; then by the name in .gnu_debuglink (or else the
// binary's name with ".debug"), in the binary's folder, in ".debug" below it,
// in the same folder and the process's folder below each debug directory, and
// directly in `dirs`; then by build id below each debug directory; then in the
// debuginfod client's caches.
std::vector<std::string> DebugFileCandidates(const ElfImage& binary,
                                             const DebugSearch& search);

// The paths at which the alternate file of the debug file at `debug_path` is
// searched, best first: the link's path, relative to the real folder of the
// debug file, also mapped and below a sysroot; by build id and in ".dwz" below
// each debug directory, and directly in `dirs`; in the debuginfod client's
// caches.
std::vector<std::string> AlternateFileCandidates(const AlternateLink& link,
                                                 const std::string& debug_path,
                                                 const DebugSearch& search);

}  // namespace heapprof
