// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/suggestions.h"

#include <fmt/core.h>

#include "heapprof/base/char_class.h"
#include "symbolize/paths.h"

namespace heapprof {
namespace {

constexpr std::string_view kPublicServer = "https://debuginfod.elfutils.org";

// True if `text` has no character that a shell interprets. Text from a dump or
// a profile may be put into a suggested command only if this is true.
bool IsShellSafe(std::string_view text) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-";
  return text.find_first_not_of(kSafe) == text.npos;
}

bool IsBuildId(std::string_view text) {
  constexpr size_t kShortest = 3;
  return text.size() >= kShortest && IsAllHex(text);
}

std::string BuildIdAddress(std::string_view server, std::string_view build_id) {
  while (server.ends_with('/')) server.remove_suffix(1);
  return fmt::format("{}/buildid/{}", server, build_id);
}

// Suggests a command that downloads the debug file to a path at which
// --debug-dir finds it.
Suggestion DownloadDebugFile(std::string_view build_id,
                             std::string_view server) {
  return {.text = "download its debug file, then use --debug-dir debug:",
          .command = "curl -fL --create-dirs",
          .argument = fmt::format("-o debug/{}.debug {}/debuginfo",
                                  BuildIdPath(build_id),
                                  BuildIdAddress(server, build_id)),
          .is_alternative = true};
}

bool CanDownload(const MissingModule& module) {
  return IsBuildId(module.build_id) && !module.servers_asked;
}

// Suggests installing the package with the debug file. The command searches for
// the path without "/usr": if /lib is a link, a package may list
// "/lib/libz.so.1" while the kernel reports "/usr/lib/libz.so.1".
Suggestion InstallPackage(std::string_view path) {
  constexpr std::string_view kUsr = "/usr";
  if (path.starts_with("/usr/")) path.remove_prefix(kUsr.size());
  return {.text =
              "install NAME-dbgsym or NAME-dbg, where NAME is the package "
              "that owns the file:",
          .command = "dpkg -S",
          .argument = fmt::format("'*{}'", path)};
}

Suggestion LetItDownload(std::string_view server) {
  return {.text = "let heapprof download it: use --debuginfod, and set",
          .command = fmt::format("export DEBUGINFOD_URLS={}", server)};
}

// Distributions have packages with the debug files of their libraries, and the
// public server has them. Those of other programs are where these were built.
std::vector<Suggestion> DebugFileSuggestions(const MissingModule& module,
                                             std::string_view server) {
  std::vector<Suggestion> suggestions;
  const bool is_packaged =
      module.path.starts_with("/usr/") || module.path.starts_with("/lib");
  if (is_packaged && IsShellSafe(module.path))
    suggestions.push_back(InstallPackage(module.path));
  if (CanDownload(module) && (is_packaged || server != kPublicServer)) {
    suggestions.push_back(LetItDownload(server));
    suggestions.push_back(DownloadDebugFile(module.build_id, server));
  }
  suggestions.push_back(
      {.text = "give its debug file, an unstripped copy of it or a folder with "
               "one of them as BINARY (see 'heapprof help stripped'), or build "
               "it with -g and do not strip it"});
  return suggestions;
}

std::vector<Suggestion> FileSuggestions(const MissingModule& module,
                                        std::string_view server) {
  std::vector<Suggestion> suggestions;
  if (CanDownload(module)) {
    suggestions.push_back(LetItDownload(server));
    suggestions.push_back(
        {.text = "download it, then give the file, which is named after its "
                 "build id, as BINARY:",
         .command = "curl -fL",
         .argument = fmt::format("-o {} {}/executable", module.build_id,
                                 BuildIdAddress(server, module.build_id)),
         .is_alternative = true});
  }
  suggestions.push_back(
      {.text = fmt::format("copy the file from where the program ran and give "
                           "it as BINARY, or name its folder with "
                           "--symbol-path, or the root of its file system with "
                           "--sysroot; {}",
                           module.lacks_index
                               ? "--index-dir has no index of this build"
                               : "or name a folder with its index with "
                                 "--index-dir")});
  return suggestions;
}

}  // namespace

std::vector<Suggestion> SuggestionsFor(const MissingModule& module,
                                       std::string_view urls) {
  const std::string_view server = DebuginfodServer(urls);
  switch (module.state) {
    case FileState::kFound:
    case FileState::kKernelCode:
    case FileState::kGenerated:
      return {};
    case FileState::kNotFound:
      return FileSuggestions(module, server);
    case FileState::kUnreadable:
      return {{.text =
                   "give a readable copy as BINARY, or name its folder with "
                   "--symbol-path"}};
    case FileState::kAnotherBuild:
      return {{.text = "give the file that ran as BINARY, or name its folder "
                       "with --symbol-path; --force uses this one, but its "
                       "names are probably wrong"}};
    case FileState::kNoDebugInfo:
      return DebugFileSuggestions(module, server);
    case FileState::kNoAddresses:
      return {
          {.text =
               "say with --pprof-addr what the addresses mean, or record the "
               "profile with another version of the program that wrote it"}};
  }
  return {};
}

std::string_view DebuginfodServer(std::string_view urls) {
  const size_t start = urls.find_first_not_of(' ');
  if (start == urls.npos) return kPublicServer;
  urls.remove_prefix(start);
  return urls.substr(0, urls.find(' '));
}

}  // namespace heapprof
