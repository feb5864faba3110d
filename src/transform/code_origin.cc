// SPDX-License-Identifier: Apache-2.0
#include "transform/code_origin.h"

#include <algorithm>
#include <array>

#include "heapprof/base/base_name.h"
#include "heapprof/base/common_prefix.h"
#include "heapprof/base/lower_case.h"
#include "heapprof/base/main_function.h"
#include "heapprof/base/system_source.h"
#include "heapprof/demangle/names.h"
#include "heapprof/profile/program.h"
#include "transform/known_functions.h"
#include "transform/known_libraries.h"
#include "transform/rust_names.h"

namespace heapprof {
namespace {

// Folders for third-party code within a source tree.
constexpr std::array<std::string_view, 19> kVendoredFolders = {
    "third_party",   "third-party", "thirdparty",   "3rdparty",
    "3rd_party",     "vendor",      "vendored",     "external",
    "externals",     "extern",      "_deps",        "deps",
    "contrib",       "subprojects", "node_modules", "site-packages",
    "dist-packages", "submodule",   "submodules"};

// Folders in which package managers keep sources.
constexpr std::array<std::string_view, 7> kPackagePaths = {
    "/cargo/registry/", "/.cargo/", "registry/src/", "cargo/git/checkouts/",
    "/pkg/mod/",        "/vcpkg/",  "/.conan"};

// The last one is that of distributions: "/usr/src/rustc-1.63.0/library/".
constexpr std::array<std::string_view, 4> kRustLibraryPaths = {
    "/rustc/", "/rust/deps/", "/rustlib/src/", "/rustc-1."};

bool ContainsAny(std::string_view path,
                 std::span<const std::string_view> parts) {
  return std::ranges::any_of(
      parts, [path](std::string_view part) { return path.contains(part); });
}

// Returns the name of the Rust crate from which a binary was built: my_server
// for "my-server" and "libmy_server.so".
std::string CrateOfFile(std::string_view path) {
  std::string_view name = BaseName(path);
  if (name.starts_with("lib")) name.remove_prefix(3);
  std::string crate(name.substr(0, name.find('.')));
  std::ranges::replace(crate, '-', '_');
  return crate;
}

// Adds "rocksdb" and "ldb" for "rocksdb_ldb".
void AddNameParts(std::string_view name, std::vector<std::string>& words) {
  for (size_t start = 0; start < name.size();) {
    const size_t end = std::min(name.find_first_of("-_.", start), name.size());
    words.push_back(LowerCase(name.substr(start, end - start)));
    start = end + 1;
  }
}

}  // namespace

std::string_view SourceOfMain(const Profile& profile) {
  const bool knows_program = !FirstProgramMapping(profile).IsNone();
  for (const Location& location : profile.locations) {
    const Mapping& mapping = profile.mappings[location.mapping.index()];
    if (knows_program && !IsOfProgram(profile, mapping)) continue;
    for (const Line& line : profile.LocationLines(location)) {
      const Function& function = profile.functions[line.function.index()];
      if (!function.filename.IsNone() && IsMain(profile.String(function.name)))
        return profile.String(function.filename);
    }
  }
  return {};
}

bool HasVendoredFolder(std::string_view path) {
  for (size_t slash = path.find('/'); slash != path.npos;
       slash = path.find('/')) {
    const std::string_view folder = path.substr(0, slash);
    if (std::ranges::find(kVendoredFolders, folder) != kVendoredFolders.end())
      return true;
    path.remove_prefix(slash + 1);
  }
  return false;
}

OriginClassifier::OriginClassifier(
    const Profile& profile, std::span<const std::string_view> program_files,
    KnownLibraries libraries)
    : profile_(profile),
      main_file_(SourceOfMain(profile)),
      libraries_(libraries) {
  for (const std::string_view file : program_files) {
    crates_.push_back(CrateOfFile(file));
    AddNameParts(BaseName(file), own_names_);
  }
  for (const Function& function : profile.functions) {
    const std::string_view name = profile.String(function.name);
    constexpr std::string_view kMain = "::main";
    if (!name.ends_with(kMain) || !IsRustFunction(profile, function)) continue;
    const std::string_view crate = name.substr(0, name.size() - kMain.size());
    if (!crate.contains("::")) crates_.emplace_back(crate);
  }
  for (size_t start = 0; start < main_file_.size();) {
    const size_t end = std::min(main_file_.find('/', start), main_file_.size());
    own_names_.push_back(LowerCase(main_file_.substr(start, end - start)));
    start = end + 1;
  }
}

CodeOrigin OriginClassifier::OriginOf(const Function& function) const {
  if (function.unresolved) return CodeOrigin::kProgram;
  const std::string name = ShortName(profile_.String(function.name));
  return IsAllocationWrapper(name) ? CodeOrigin::kWrapper
                                   : AuthorOf(function, name);
}

CodeOrigin OriginClassifier::AuthorOf(const Function& function) const {
  if (function.unresolved) return CodeOrigin::kProgram;
  return AuthorOf(function, ShortName(profile_.String(function.name)));
}

CodeOrigin OriginClassifier::AuthorOf(const Function& function,
                                      std::string_view name) const {
  if (IsRustFunction(profile_, function)) return OriginOfRust(function);
  if (IsStandardLibraryName(name)) return CodeOrigin::kStandardLibrary;
  const std::string_view path = profile_.String(function.filename);
  if (path.contains("/include/c++/")) return CodeOrigin::kStandardLibrary;
  if (IsThirdPartyName(name, path) || IsThirdPartyPath(path))
    return CodeOrigin::kThirdParty;
  return libraries_ == KnownLibraries::kAreThirdParty &&
                 IsOfKnownLibrary(name, BelowMain(path), own_names_)
             ? CodeOrigin::kThirdParty
             : CodeOrigin::kProgram;
}

// Decides by the source file, if it is known, because the crates in the name
// may mislead: a library's generic function that is instantiated with the
// program's types has the program's crate in its name. Its source file is still
// the library's.
CodeOrigin OriginClassifier::OriginOfRust(const Function& function) const {
  const std::string_view path = profile_.String(function.filename);
  if (ContainsAny(path, kRustLibraryPaths)) return CodeOrigin::kRustLibrary;
  const auto [type, trait] = CratesOf(profile_.String(function.name));
  const auto is_standard = [](std::string_view crate) {
    return crate.empty() || IsStandardCrate(crate);
  };
  if (path.empty()) {
    if (IsOwnCrate(type) || IsOwnCrate(trait)) return CodeOrigin::kProgram;
    return is_standard(type) && is_standard(trait) ? CodeOrigin::kRustLibrary
                                                   : CodeOrigin::kThirdParty;
  }
  return IsThirdPartyPath(path) ? CodeOrigin::kThirdParty
                                : CodeOrigin::kProgram;
}

// True for the program's crates, and for crates with the same first word,
// because the crates of one workspace often share it: "shop", "shop_store".
bool OriginClassifier::IsOwnCrate(std::string_view crate) const {
  constexpr size_t kShortestWord = 4;
  if (crate.empty() || IsStandardCrate(crate)) return false;
  return std::ranges::any_of(crates_, [crate](std::string_view own) {
    const std::string_view word = own.substr(0, own.find('_'));
    return crate == own || (word.size() >= kShortestWord &&
                            crate.substr(0, crate.find('_')) == word);
  });
}

// Examines only the folders of `path` below those that it shares with the
// source file of main(), because the program itself may be in a folder such as
// "vendor".
bool OriginClassifier::IsThirdPartyPath(std::string_view path) const {
  return IsSystemSource(path) || ContainsAny(path, kPackagePaths) ||
         HasVendoredFolder(BelowMain(path));
}

std::string_view OriginClassifier::BelowMain(std::string_view path) const {
  size_t shared = CommonPrefix(path, main_file_);
  while (shared > 0 && path[shared - 1] != '/') --shared;
  return path.substr(shared);
}

}  // namespace heapprof
