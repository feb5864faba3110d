// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/search_folders.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/core.h>

namespace heapprof {

void WarnOfMissingFolders(const Options& options, Diagnostics& diagnostics) {
  const auto warn = [&](std::string_view option, const std::string& path,
                        std::string_view what) {
    diagnostics.Warn(WarningKind::kMissingFolder,
                     fmt::format("{}: {}: {}", option, path, what));
  };
  std::error_code ignored;
  const auto check = [&](std::string_view option,
                         const std::vector<std::string>& folders) {
    for (const std::string& folder : folders)
      if (!std::filesystem::is_directory(folder, ignored))
        warn(option, folder, "not a folder");
  };
  const DebugSearch& debug = options.locator.debug;
  std::vector<std::string> symbol_path = options.locator.symbol_path;
  for (const std::string& folder : options.lib_prefix)
    std::erase(symbol_path, folder);
  check("--symbol-path", symbol_path);
  check("--lib_prefix", options.lib_prefix);
  check("--source-path", options.source_path);
  check("--debug-dir", debug.dirs);
  check("--sysroot", debug.sysroots);
  for (const auto& [from, to] : debug.path_map)
    if (!std::filesystem::exists(to, ignored))
      warn("--path-map", to, "no such file or folder");
}

}  // namespace heapprof
