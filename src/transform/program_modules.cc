// SPDX-License-Identifier: Apache-2.0
#include "transform/program_modules.h"

#include <algorithm>
#include <array>
#include <string>

#include "heapprof/base/base_name.h"
#include "heapprof/base/char_class.h"
#include "heapprof/profile/program.h"
#include "heapprof/profile/runtime_library.h"
#include "transform/allocator_names.h"
#include "transform/begins_with_any.h"
#include "transform/code_origin.h"

namespace heapprof {
namespace {

// Libraries that all kinds of programs use: the beginnings of their file names
// after "lib".
constexpr std::string_view kCommonLibraries[] = {
    // Languages and their tools.
    "asan.", "atomic.", "c++", "ffi.", "gcc_s.", "gomp.", "ipt.", "lua", "omp.",
    "perl.", "python", "ruby", "source-highlight.", "tcl", "tsan.", "ubsan.",
    "unwind", "babeltrace", "debuginfod", "dw-", "dw.", "elf-", "elf.",
    // Containers, text and numbers.
    "boost_", "event", "expat.", "fmt.", "gflags.", "girepository", "glib-",
    "glog.", "gmodule-", "gmp.", "gobject-", "gthread-", "icu", "idn",
    "jansson.", "json-c.", "mpfr.", "pcre", "tbb", "unistring.", "uv.", "xml2.",
    "xslt.", "xxhash.", "yaml", "z3.",
    // Compression and storage.
    "archive.", "brotli", "bz2.", "db-", "leveldb.", "lz4.", "lzma.", "lzo2.",
    "pmem.", "snappy.", "sqlite3.", "z.", "zstd.",
    // Security and network.
    "avahi", "cares.", "com_err.", "crypt", "curl", "gcrypt.", "gnutls.",
    "gpg-error.", "grpc", "gssapi", "hogweed.", "ibverbs.", "k5crypto.",
    "keyutils.", "krb5", "lber", "ldap", "nettle.", "nghttp2.", "nl-",
    "p11-kit.", "proto", "psl.", "rabbitmq.", "rdmacm.", "rtmp.", "sasl2.",
    "ssh", "ssl", "tasn1.", "tirpc.",
    // The system.
    "acl.", "aio.", "attr.", "blkid.", "bsd.", "cap.", "daxctl.", "dbus",
    "fuse", "kmod.", "md.", "mount.", "ndctl.", "numa.", "seccomp.", "selinux.",
    "systemd.", "udev.", "uring.", "uuid.",
    // Terminals and desktops.
    "X11", "atk", "cairo", "edit.", "fontconfig.", "freetype.", "gdk", "gio-",
    "gtk", "ncurses", "pango", "png", "readline.", "tinfo.", "xcb"};

// Folders with plugins that any program may load: the beginnings of their paths
// below a library folder of the system (see PrivateFolder()).
constexpr std::string_view kPluginFolders[] = {
    "gconv",        "nss",      "gio",      "dri",       "vdpau",
    "ossl-modules", "engines-", "sasl2",    "krb5",      "odbc",
    "blas",         "lapack",   "openblas", "atlas",     "gtk-",
    "qt",           "perl",     "ruby",     "gstreamer", "python",
    "jvm",          "alsa",     "pkcs11",   "security",  "pulseaudio"};

bool IsSystemPlace(std::string_view path) {
  constexpr std::array<std::string_view, 8> kPlaces = {
      "/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix", "/gnu"};
  return std::ranges::any_of(
      kPlaces, [path](std::string_view place) { return IsBelow(path, place); });
}

// Returns the folder below which a program and its libraries are installed:
// "/srv/app" for "/srv/app/bin/server". Empty if many programs share that
// folder, such as /usr.
std::string_view InstallTree(std::string_view program) {
  constexpr std::array<std::string_view, 4> kBinFolders = {"bin", "sbin", "lib",
                                                           "libexec"};
  constexpr std::array<std::string_view, 6> kShared = {
      "/usr", "/usr/local", "/usr/lib", "/opt", "/home", "/tmp"};
  std::string_view tree = FolderOf(program);
  if (std::ranges::find(kBinFolders, BaseName(tree)) != kBinFolders.end())
    tree = FolderOf(tree);
  return std::ranges::find(kShared, tree) == kShared.end() ? tree
                                                           : std::string_view();
}

// Adds the words of `name` that are long enough to be significant, in lower
// case: "ceph" from "ceph-mon", "python" from "python3.11".
void AddWords(std::string_view name, std::vector<std::string>& words) {
  constexpr size_t kShortest = 4;
  std::string word;
  for (const char c : std::string(name) + '.') {
    if (IsLetter(c)) {
      word += static_cast<char>(c | 32);
      continue;
    }
    if (word.size() >= kShortest) words.push_back(word);
    word.clear();
  }
}

// Returns the folder of a file, relative to the system's library folder: "ceph"
// for /usr/lib/x86_64-linux-gnu/ceph/libceph-common.so.2. Empty if the file is
// directly in a library folder, or in none.
std::string_view PrivateFolder(std::string_view path) {
  std::string_view folder = FolderOf(path);
  for (const std::string_view prefix : {"/usr/local", "/usr"})
    if (IsBelow(folder, prefix)) {
      folder.remove_prefix(prefix.size());
      break;
    }
  if (!folder.starts_with("/lib")) return {};
  folder.remove_prefix(std::min(folder.find('/', 1), folder.size()));
  if (folder.starts_with('/')) folder.remove_prefix(1);
  const std::string_view first = folder.substr(0, folder.find('/'));
  if (!first.contains("-linux-")) return folder;
  return folder.size() > first.size() ? folder.substr(first.size() + 1)
                                      : std::string_view();
}

// Decides which binaries belong to one program.
class ModuleClassifier {
 public:
  explicit ModuleClassifier(std::string_view program)
      : name_(BaseName(program)),
        tree_(InstallTree(program)),
        is_system_(IsSystemPlace(program)) {
    AddWords(name_, words_);
    if (is_system_) AddWords(PrivateFolder(program), words_);
  }

  // `path` is of another file than the program.
  ModuleOrigin Classify(std::string_view path) const {
    const std::string_view name = BaseName(path);
    if (IsRuntimeLibrary(path) || IsAllocatorLibrary(path) ||
        path.starts_with('['))
      return ModuleOrigin::kOther;
    if (is_system_ && SharesWord(path)) return ModuleOrigin::kProgram;
    const bool is_beside = !tree_.empty() && IsBelow(path, tree_);
    // An interpreter's own library is beside it: libpython beside python.
    if (IsCommon(name) && !(is_beside && SharesWord(path)))
      return ModuleOrigin::kOther;
    if (HasVendoredFolder(path.substr(is_beside ? tree_.size() : 0)))
      return ModuleOrigin::kOther;
    if (is_beside || !(IsSystemPlace(path) || IsBelow(path, "/opt")))
      return ModuleOrigin::kProgram;
    return is_system_ ? ClassifySystemLibrary(path) : ModuleOrigin::kOther;
  }

 private:
  static bool IsCommon(std::string_view name) {
    return name.starts_with("lib") &&
           BeginsWithAny(name.substr(3), kCommonLibraries);
  }

  // True if the library has the name of the program, as libgs.so.10 of gs, or
  // if its name or folder shares a word with the program's name or folder. If
  // the program is /usr/lib/llvm-19/bin/clang, this is true for
  // libclang-cpp.so.19.1 ("clang") and libLLVM.so.19.1 ("llvm").
  bool SharesWord(std::string_view path) const {
    std::vector<std::string> others;
    std::string_view name = BaseName(path);
    if (name.starts_with("lib")) name.remove_prefix(3);
    name = name.substr(0, name.find(".so"));
    if (name == name_) return true;
    AddWords(name, others);
    if (others.size() > 1) others.resize(1);
    AddWords(PrivateFolder(path), others);
    return std::ranges::any_of(others, [&](const std::string& other) {
      return std::ranges::any_of(words_, [&](const std::string& word) {
        return other.starts_with(word) || word.starts_with(other);
      });
    });
  }

  static ModuleOrigin ClassifySystemLibrary(std::string_view path) {
    const std::string_view folder = PrivateFolder(path);
    if (BeginsWithAny(folder, kPluginFolders)) return ModuleOrigin::kOther;
    return folder.empty() ? ModuleOrigin::kPerhaps : ModuleOrigin::kProgram;
  }

  const std::string_view name_;  // of the program, without its folder
  // The folder below which the program is installed; empty if that folder is
  // shared with other programs.
  const std::string_view tree_;
  const bool is_system_;
  std::vector<std::string> words_;  // of the program's name and folder
};

}  // namespace

std::vector<ModuleOrigin> ModuleOrigins(const Profile& profile) {
  std::vector<ModuleClassifier> programs;
  programs.emplace_back(profile.String(profile.main_binary));
  for (const StringId path : profile.other_programs)
    programs.emplace_back(profile.String(path));
  std::vector<ModuleOrigin> origins = {ModuleOrigin::kProgram};
  for (size_t i = 1; i < profile.mappings.size(); ++i) {
    const Mapping& mapping = profile.mappings[i];
    ModuleOrigin origin = IsOfProgram(profile, mapping) ? ModuleOrigin::kProgram
                                                        : ModuleOrigin::kOther;
    for (const ModuleClassifier& program : programs)
      origin =
          std::min(origin, program.Classify(profile.String(mapping.filename)));
    origins.push_back(origin);
  }
  return origins;
}

}  // namespace heapprof
